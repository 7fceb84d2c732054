# A made-up profile in the manner of the Raexplore paper: three code blocks of a conjugate-gradient solver on all 16
# cores of a Blue Gene/Q. `grad` is bound by instructions and latency, `dp` by latency, `add2s` by bandwidth; the L1 hit
# rates are those that Table 5 prints, everything else is invented. Counts are totals over all cores.
# name: nekbone-like
# machine: blue-gene-q
# cores: 16
# threads_per_core: 1
# tool: made up
region,event,value
grad,time,1.6e9
grad,instInt,1.3e10
grad,instFP,7.0e9
grad,numAccess,7.5e9
grad,hitsL1,7.18e9
grad,hitsLLC,2.9e8
grad,LD,1.5e7
grad,ST,5.0e6
dp,time,4.0e8
dp,instInt,1.5e9
dp,instFP,8.0e8
dp,numAccess,1.2e9
dp,hitsL1,1.1418e9
dp,hitsLLC,5.0e7
dp,LD,2.0e7
dp,ST,2.0e6
add2s,time,6.0e8
add2s,instInt,1.6e9
add2s,instFP,8.0e8
add2s,numAccess,1.2e9
add2s,hitsL1,1.19676e9
add2s,hitsLLC,2.0e6
add2s,LD,5.0e7
add2s,ST,2.5e7
