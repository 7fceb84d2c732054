# machine: blue-gene-q
# cores: 16
region,event,value
dp,time,1.2e9
dp,instInt,8e9
dp,instFP,4e9
