"""One complete profile in every format, as the tools write them (numbers made up)."""

from __future__ import annotations

NEUTRAL_CSV = """\
# name: two-blocks
# machine: blue-gene-q
# cores: 16
# threads_per_core: 1
region,event,value,unit,running_pct,source
dp,time,1.25e9,cycle,100,counter
dp,instInt,8000000000,,100,counter
dp,instFP,4000000000,,62.5,counter
dp,numAccess,5e9,,100,counter
dp,hitsL1,4.7e9,,100,counter
dp,hitsLLC,2.5e8,,100,counter
dp,LD,30000000,,100,counter
dp,ST,10000000,,100,estimated
add,time_s,250,ms,100,counter
"""

NEUTRAL_JSON = """\
{
 "format": "foretell-profile", "version": 1, "name": "one-block", "machine": "blue-gene-q",
 "cores": 16, "threads_per_core": 1, "tool": "perf-csv", "tool_version": "6.1",
 "regions": [
  {"name": "dp", "events": {
    "time": {"value": 1.25e9, "source": "counter", "origin": "cycles"}, "instInt": 8e9, "instFP": 4e9,
    "numAccess": 5e9, "hitsL1": 4.7e9, "hitsLLC": 2.5e8, "LD": 3e7},
   "missing": {"ST": "not counted"}}
 ]
}
"""

PERF_JSON = """\
# started on Sun Nov 15 02:54:27 2026

{"counter-value" : "22.548161", "unit" : "msec", "event" : "task-clock", "event-runtime" : 22548161, "pcnt-running" : 100.00, "metric-value" : 0.29, "metric-unit" : "CPUs utilized"}
{"counter-value" : "4000000000.000000", "unit" : "", "event" : "cycles:u", "event-runtime" : 22548161, "pcnt-running" : 75.00, "metric-value" : 0.1, "metric-unit" : "GHz"}
{"counter-value" : "8000000000.000000", "unit" : "", "event" : "instructions:u", "event-runtime" : 22548161, "pcnt-running" : 100.00, "metric-value" : 2.0, "metric-unit" : "insn per cycle"}
{"counter-value" : "<not supported>", "unit" : "", "event" : "LLC-load-misses", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}
{"counter-value" : "2000000000.000000", "unit" : "ns", "event" : "duration_time", "event-runtime" : 2000000000, "pcnt-running" : 100.00, "metric-value" : 0.0, "metric-unit" : ""}
"""  # noqa: E501

#: as `jq -s` and other tools put it
PERF_PRETTY = """\
[
  {
    "counter-value": "4000000000.000000",
    "unit": "",
    "event": "cycles:u",
    "event-runtime": 22548161,
    "pcnt-running": 75.0,
    "metric-value": 0.1,
    "metric-unit": "GHz"
  },
  {
    "counter-value": "2000000000.000000",
    "unit": "ns",
    "event": "duration_time",
    "event-runtime": 2000000000,
    "pcnt-running": 100.0
  }
]
"""

#: perf 6.1, two of the cores of a machine, --per-core -I 20; elapsed time is counted on the first alone
PERF_CORES = """\
# started on Sun Nov 15 11:33:35 2026

     0.020101465,S0-D0-C0,1,20.21,msec,task-clock,20205182,100.00,1.010,CPUs utilized
     0.020101465,S0-D0-C0,1,7,,instructions,20211965,100.00,346.436,/sec
     0.020101465,S0-D0-C0,1,20101465,ns,duration_time,20101465,100.00,995.442,M/sec
     0.020101465,S0-D0-C1,1,14,,instructions,20212992,50.00,692.600,/sec
     0.020101465,S0-D0-C1,0,<not counted>,ns,duration_time,0,100.00,,
     0.044068813,S0-D0-C0,1,<not counted>,,instructions,0,100.00,,
     0.044068813,S0-D0-C0,1,23967348,ns,duration_time,23967348,100.00,995.442,M/sec
     0.044068813,S0-D0-C1,1,4,,instructions,20212992,100.00,692.600,/sec
     0.044068813,S0-D0-C1,0,<not counted>,ns,duration_time,0,100.00,,
"""

PERF_CSV = """\
# started on Sun Nov 15 02:54:27 2026

22.55,msec,task-clock,22548161,100.00,0.296,CPUs utilized
4000000000,,cycles,22548161,75.00,0.100,GHz
8000000000,,instructions,22548161,100.00,2.00,insn per cycle
3000000000,,L1-dcache-loads,22548161,100.00,,
1000000000,,L1-dcache-stores,22548161,100.00,,
60000000,,L1-dcache-load-misses,22548161,100.00,,
<not counted>,,LLC-load-misses,0,0.00,,
2000000000,ns,duration_time,2000000000,100.00,,
"""

PERF_INTERVALS = """\
     0.010085005;S0-D0-C0;1;3,60;msec;task-clock;3600597;100,00;0,360;CPUs utilized
     0.010085005;S0-D0-C0;1;1000;;cycles;3600597;100,00;;
     0.019867520;S0-D0-C0;1;0,44;msec;task-clock;436998;100,00;0,044;CPUs utilized
     0.019867520;S0-D0-C0;1;500;;cycles;436998;50,00;;
"""

#: two kinds of cores, and a program that stayed on one
PERF_HYBRID = """\
<not counted>,,cpu_atom/cycles/,0,0.00,,
4500000000,,cpu_core/cycles/,12500000,100.00,3.6,GHz
<not counted>,,cpu_atom/instructions/,0,0.00,,
9000000000,,cpu_core/instructions/,12500000,100.00,2.0,insn per cycle
"""

PERF_TEXT = """\
# started on Sun Nov 15 10:33:01 2026


 Performance counter stats for './solve 8' (5 runs):

          1,397.97 msec task-clock                       #    0.998 CPUs utilized            ( +-  0.15% )
     2,189,570,373      cycles                           #    3.120 GHz                      ( +-  0.10% )  (83.33%)
     3,786,461,825      instructions                     #    1.73  insn per cycle           ( +-  0.01% )  (83.33%)
                                                  #    0.10  stalled cycles per insn
       700,123,456      L1-dcache-loads:u                #  500.000 M/sec
         1,234,567      L1-dcache-load-misses            #    0.18% of all L1-dcache accesses
   <not supported>      LLC-loads
               512      page-faults                      #  366.245 /sec

            1.4008 +- 0.0012 seconds time elapsed  ( +-  0.09% )

"""

#: of a locale with a decimal comma, and of one that separates thousands by narrow spaces
PERF_TEXT_COMMA = """\

 Performance counter stats for './solve 8':

          1.397,97 msec task-clock                       #    0,998 CPUs utilized
     2.189.570.373      cycles                           #    3,120 GHz                         (83,33%)
     3\u202f786\u202f461\u202f825      instructions                     #    1,73  insn per cycle

       1,400838706 seconds time elapsed

       1,381000000 seconds user
       0,012000000 seconds sys


"""

PAPI = """\
{
  "papi_version": "7.0.0.0",
  "cpu_info": "Neoverse-N1",
  "max_cpu_rate_mhz": "3000",
  "min_cpu_rate_mhz": "3000",
  "event_definitions": {"PAPI_TOT_INS": {"component": "perf_event", "type": "delta"}},
  "threads": {
    "0": {"regions": {"0": {"name": "computation", "parent_region_id": "-1", "cycles": "2080863768",
       "real_time_nsec": "900000000", "PAPI_TOT_INS": "2917520595", "PAPI_FP_INS": "20971520"}}},
    "1": {"regions": {"0": {"name": "computation", "parent_region_id": "-1", "cycles": "2080863000",
       "real_time_nsec": "800000000", "PAPI_TOT_INS": "2917520000", "PAPI_FP_INS": "20971000"}}}
  }
}
"""

#: regions inside others, and one that the program comes to in two places
PAPI_NESTED = """\
{
  "papi_version": "7.1.0.0",
  "threads": {
    "0": {"regions": {
      "0": {"name": "step", "parent_region_id": "-1", "real_time_nsec": "1000", "PAPI_TOT_INS": "500"},
      "1": {"name": "solve", "parent_region_id": "0", "real_time_nsec": "600", "PAPI_TOT_INS": "300"},
      "2": {"name": "halo", "parent_region_id": "1", "real_time_nsec": "100", "PAPI_TOT_INS": "40"},
      "3": {"name": "halo", "parent_region_id": "0", "real_time_nsec": "50", "PAPI_TOT_INS": "20"}}},
    "1": {"regions": {
      "0": {"name": "solve", "parent_region_id": "-1", "real_time_nsec": "500", "PAPI_TOT_INS": "250"}}}
  }
}
"""

LIKWID_CSV = """\
STRUCT,Info,3,,,
CPU name:,Intel(R) Xeon(R) Platinum 8360Y,,,,
CPU type:,Intel Icelake SP processor,,,,
CPU clock:,2.5 GHz,,,,
TABLE,Region triad,Group 1 Raw,MEM_DP,4,
Region Info,HWThread 0,HWThread 1,,,
RDTSC Runtime [s],1.500000,1.250000,,,
call count,1,1,,,
Event,Counter,HWThread 0,HWThread 1,,
INSTR_RETIRED_ANY,FIXC0,1000000,2000000,,
CPU_CLK_UNHALTED_CORE,FIXC1,5000000,6000000,,
CAS_COUNT_RD,MBOX0C0,700000,0,,
CAS_COUNT_WR,MBOX0C1,-,nan,,
TABLE,Region triad,Group 1 Raw STAT,MEM_DP,4,
Event,Counter,Sum,Min,Max,Avg
INSTR_RETIRED_ANY STAT,FIXC0,3000000,1000000,2000000,1500000
TABLE,Region triad,Group 1 Metric,MEM_DP,1,
Metric,HWThread 0,HWThread 1,,,
CPI,5,3,,,
"""

#: two groups that take turns (-g L2 -g MEM -T 1s)
LIKWID_GROUPS = """\
STRUCT,Info,3,,
CPU name:,Xeon,,,
CPU type:,Icelake,,,
CPU clock:,2.5 GHz,,,
TABLE,Group 1 Raw,L2,3,
Event,Counter,HWThread 0,HWThread 1,
INSTR_RETIRED_ANY,FIXC0,1000,2000,
CPU_CLK_UNHALTED_CORE,FIXC1,4000,5000,
L1D_REPLACEMENT,PMC0,30,60,
TABLE,Group 1 Metric,L2,2,
Metric,HWThread 0,HWThread 1,,
Runtime (RDTSC) [s],3,3,,
CPI,4,2.5,,
TABLE,Group 2 Raw,MEM,3,
Event,Counter,HWThread 0,HWThread 1,
INSTR_RETIRED_ANY,FIXC0,400,500,
CPU_CLK_UNHALTED_CORE,FIXC1,1000,1500,
CAS_COUNT_RD,MBOX0C0,70,0,
TABLE,Group 2 Metric,MEM,1,
Metric,HWThread 0,HWThread 1,,
Runtime (RDTSC) [s],1,1,,
"""

LIKWID_TEXT = """\
--------------------------------------------------------------------------------
CPU name:\tAMD EPYC 9354 32-Core Processor
CPU type:\tAMD K19 (Zen4) architecture
CPU clock:\t2.70 GHz
--------------------------------------------------------------------------------
Region solve, Group 1: MEM
+-------------------+------------+------------+
|    Region Info    | HWThread 0 | HWThread 1 |
+-------------------+------------+------------+
| RDTSC Runtime [s] |   0.067344 |   0.066001 |
|     call count    |          1 |          1 |
+-------------------+------------+------------+

+----------------------+---------+------------+------------+
|         Event        | Counter | HWThread 0 | HWThread 1 |
+----------------------+---------+------------+------------+
|   ACTUAL_CPU_CLOCK   |  FIXC1  |  346498900 |  340000000 |
| RETIRED_INSTRUCTIONS |   PMC0  |  402683300 |  402683100 |
|      CAS_CMD_ANY     |  UMC0C0 |     100000 |      -     |
+----------------------+---------+------------+------------+

+---------------------------+---------+-----------+-----------+-----------+-------------+
|           Event           | Counter |    Sum    |    Min    |    Max    |     Avg     |
+---------------------------+---------+-----------+-----------+-----------+-------------+
| RETIRED_INSTRUCTIONS STAT |   PMC0  | 805366400 | 402683100 | 402683300 | 402683200.0 |
+---------------------------+---------+-----------+-----------+-----------+-------------+

+---------------------+------------+------------+
|        Metric       | HWThread 0 | HWThread 1 |
+---------------------+------------+------------+
| Runtime (RDTSC) [s] |     0.0673 |     0.0660 |
|         CPI         |     0.8605 |     0.8443 |
+---------------------+------------+------------+

"""

LIKWID_JSON = """\
{
    "Info": {"CPU clock:": "2.5 GHz", "CPU name:": "Xeon", "CPU type:": "Icelake"},
    "triad Group 1": {
        "Metric": [{"HWThread 0": "5", "HWThread 1": "3", "Metric": "CPI"}],
        "Raw": [
            {"Counter": "FIXC0", "Event": "INSTR_RETIRED_ANY", "HWThread 0": "1000000", "HWThread 1": "2000000"},
            {"Counter": "FIXC1", "Event": "CPU_CLK_UNHALTED_CORE", "HWThread 0": "5000000", "HWThread 1": "6000000"},
            {"Counter": "MBOX0C1", "Event": "CAS_COUNT_WR", "HWThread 0": "-", "HWThread 1": "nan"}
        ]
    }
}
"""

VTUNE = """\
Function,Hardware Event Count:INST_RETIRED.ANY (K),Hardware Event Count:CPU_CLK_UNHALTED.THREAD (K),Hardware Event Count:MEM_INST_RETIRED.ALL_LOADS (K),Module,Function (Full),Source File,Start Address
"dot<double, 2>","6,390,000","4,200,000","1,000,000",a.out,"dot<double, 2>(double*, double*)",a.cpp,0x401136
main,"12,000","9,000","1,500.5",a.out,main,a.cpp,0x401200
"""  # noqa: E501

CACHEGRIND = """\
desc: I1 cache:         32768 B, 64 B, 8-way associative
desc: D1 cache:         49152 B, 64 B, 12-way associative
desc: LL cache:         33554432 B, 64 B, 16-way associative
cmd: ./a.out
events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
fl=/src/a.c
fn=dot
3 100 1 1 40 10 2 5 1 1
4 200 0 0 80 5 1 0 0 0
fn=main
10 50 2 2 10 3 3 20 8 7
summary: 350 3 3 130 18 6 25 9 8
"""

CALLGRIND = """\
# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 11874
cmd:  ./a.out
part: 1


desc: I1 cache: 32768 B, 64 B, 8-way associative
desc: D1 cache: 49152 B, 64 B, 12-way associative
desc: LL cache: 33554432 B, 64 B, 16-way associative

desc: Timerange: Basic block 0 - 146
desc: Trigger: Program termination

positions: line
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
summary: 350 130 25 3 18 9 3 6 8


ob=(2) /tmp/a.out
fl=(2) /src/a.c
fn=(1) dot
3 100 40 5 1 10 1 1 2 1
+1 200 80 0 0 5 0 0 1

fn=(2) main
10 50 10 20 2 3 8 2 3 7
cfn=(1)
calls=20 3
* 300 120 5 1 15 1 1 3 1

totals: 350 130 25 3 18 9 3 6 8
"""

_NCU_HEAD = '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC"'  # noqa: E501


def _ncu(identity: int, kernel: str, *rest: str) -> str:
    cells = [str(identity), "1234", "app", "host", kernel, "1", "7", "(256, 1, 1)", "(128, 1, 1)", "0", "8.9", *rest]
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\n"


_SOL = "GPU Speed Of Light Throughput"
NCU_DETAILS = (
    '==PROF== Connected to process 1234 (/tmp/app)\nhello from the program\n==PROF== Profiling "copy": 0%....100%\n'
    + _NCU_HEAD
    + ',"Section Name","Metric Name","Metric Unit","Metric Value","Rule Name"\n'
    + _ncu(0, "void copy<4, 2>(float *)", _SOL, "Duration", "us", "1,171.50", "")
    + _ncu(0, "void copy<4, 2>(float *)", _SOL, "Executed Instructions", "inst", "2,595,520", "")
    + _ncu(0, "void copy<4, 2>(float *)", "SpeedOfLight", "", "", "", "SOLBottleneck")
    + _ncu(0, "void copy<4, 2>(float *)", "Occupancy", "Duration", "us", "1,171.50", "")
    + _ncu(0, "void copy<4, 2>(float *)", "Occupancy", "Theoretical Occupancy", "%", "n/a", "")
    + _ncu(1, "void copy<4, 2>(float *)", _SOL, "Duration", "ms", "2.25", "")
    + _ncu(1, "void copy<4, 2>(float *)", _SOL, "Executed Instructions", "inst", "1,000", "")
    + "==PROF== Disconnected from process 1234\n"
)

NCU_LOCALE = (
    _NCU_HEAD
    + ',"Section Name","Metric Name","Metric Unit","Metric Value"\n'
    + _ncu(0, "sgemm", "Command line profiler metrics", "gpu__time_duration.sum", "ns", "117.344")
    + _ncu(0, "sgemm", "Command line profiler metrics", "dram__bytes.sum", "byte", "27.595.520")
    + _ncu(0, "sgemm", "Command line profiler metrics", "sm__throughput.avg.pct", "%", "65,77")
)

NCU_RAW = (
    _NCU_HEAD
    + ',"gpu__time_duration.sum","sm__inst_executed.sum","launch__func_cache_config"\n'
    + '"","","","","","","","","","","","nsecond","inst",""\n'
    + _ncu(0, "copy", "117344", "2595520", "CachePreferNone")
    + _ncu(1, "copy", "100000", "1000.5", "CachePreferNone")
)

ROCPROF = """\
"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"
1,1,"Agent 4",1,225049,225049,1048576,10,"void add<float>(float*, float const*, int)",64,0,0,8,0,16,"SQ_WAVES",16384.000000,317095766765717,317095766775957
1,1,"Agent 4",1,225049,225049,1048576,10,"void add<float>(float*, float const*, int)",64,0,0,8,0,16,"SQ_INSTS",200000,317095766765717,317095766775957
2,2,"Agent 4",1,225049,225049,1048576,10,"void add<float>(float*, float const*, int)",64,0,0,8,0,16,"SQ_INSTS",100000,317095767013157,317095767022957
"""  # noqa: E501

#: two GPUs, and counters that do not stand together, in the layout of earlier versions
ROCPROF_AGENTS = """\
"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"
1,1,4,1,7,7,1024,"add(float*, int)",64,0,0,12,16,"SQ_WAVES",16,1000,3000
2,1,5,1,7,7,1024,"add(float*, int)",64,0,0,12,16,"SQ_WAVES",16,1100,2100
1,1,4,1,7,7,1024,"add(float*, int)",64,0,0,12,16,"SQ_INSTS",5.0e+02,1000,3000
2,1,5,1,7,7,1024,"add(float*, int)",64,0,0,12,16,"SQ_INSTS",300,1100,2100
"""

#: -csv-delimiter tab, -group-by module, precise events
VTUNE_TABS = """\
Module\tHardware Event Count:INST_RETIRED.ANY:Self\tHardware Event Count:MEM_INST_RETIRED.ALL_LOADS_PS:Self\tModule Path
a.out\t6390000\t1000000\t/home/me/a.out
libm.so.6\t2000\t\t/lib/libm.so.6
"""

HPM = """\
 hpmcount (V 2.3.1) summary

 Total execution time (wall clock time): 5.006 seconds

 ########  Resource Usage Statistics  ########

 PM_CYC (Cycles)                              :      1500000000
 PM_INST_CMPL (Instructions completed)        :      2000000000
 PM_LD_CMPL (Loads completed)                 :       600000000
 PM_ST_CMPL (Stores completed)                :       300000000
 PM_FPU0_CMPL (FPU 0 instructions)            :       100000000
 PM_FPU1_CMPL (FPU 1 instructions)            :        50000000
"""

#: name of the sample -> (its text, the format it must be recognised as)
SAMPLES = {
    "foretell-csv": (NEUTRAL_CSV, "foretell-csv"),
    "foretell-json": (NEUTRAL_JSON, "foretell-json"),
    "perf-json": (PERF_JSON, "perf-json"),
    "perf-pretty-json": (PERF_PRETTY, "perf-json"),
    "perf-csv": (PERF_CSV, "perf-csv"),
    "perf-cores": (PERF_CORES, "perf-csv"),
    "perf-intervals": (PERF_INTERVALS, "perf-csv"),
    "perf-hybrid": (PERF_HYBRID, "perf-csv"),
    "perf-text": (PERF_TEXT, "perf-text"),
    "perf-text-comma": (PERF_TEXT_COMMA, "perf-text"),
    "papi": (PAPI, "papi"),
    "papi-nested": (PAPI_NESTED, "papi"),
    "likwid-csv": (LIKWID_CSV, "likwid-csv"),
    "likwid-groups": (LIKWID_GROUPS, "likwid-csv"),
    "likwid-text": (LIKWID_TEXT, "likwid-text"),
    "likwid-json": (LIKWID_JSON, "likwid-json"),
    "vtune": (VTUNE, "vtune"),
    "vtune-tabs": (VTUNE_TABS, "vtune"),
    "cachegrind": (CACHEGRIND, "cachegrind"),
    "callgrind": (CALLGRIND, "callgrind"),
    "ncu-details": (NCU_DETAILS, "ncu"),
    "ncu-locale": (NCU_LOCALE, "ncu"),
    "ncu-raw": (NCU_RAW, "ncu"),
    "rocprofv3": (ROCPROF, "rocprofv3"),
    "rocprofv3-agents": (ROCPROF_AGENTS, "rocprofv3"),
    "hpm": (HPM, "hpm"),
}
