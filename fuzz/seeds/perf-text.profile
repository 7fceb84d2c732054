 Performance counter stats for "./a" (5 runs):

          1,397.97 msec task-clock                       #    0.998 CPUs utilized            ( +-  0.07% )
     4,005,871,221      cycles                           #    2.866 GHz                      ( +-  0.03% )  (75.01%)
   <not counted>      LLC-loads

           1.40120 +- 0.00099 seconds time elapsed  ( +-  0.07% )
