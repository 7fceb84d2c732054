# started on Sun Nov 15 10:33:01 2026
1397.97,msec,task-clock,1397970000,100.00,0.998,CPUs utilized
4005871221,,cycles:u,1397970000,75.00,2.866,GHz
<not supported>,,LLC-loads,0,100.00,,
