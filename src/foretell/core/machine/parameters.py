"""The table of machine parameters: every number that a machine file may give and a model may read.

A parameter is named by a path: `memory.bandwidth`, `level.L2.size`, `pipeline.floating.latency`.
The second name of `level` and `pipeline` is free; the rest is fixed here, with the units it may have.
"""

from __future__ import annotations

import math
import warnings

from foretell.errors import MachineError, RenamedWarning, nearest
from foretell.records import record

COUNT = ("",)
BYTES = ("B",)
LATENCY = ("cycle", "s")
BANDWIDTH = ("B/s", "B/cycle")
FLOPS = ("flop/s",)
#: most of each unit, orders of magnitude beyond the largest machine: 1e9 cores (a node of today has less than 1e3),
#: 1 EiB, 1 THz, 1 ZB/s, 1 Zflop/s. What is larger is a slip of the unit or of the hand
MOST = {
    "": 1e9, "B": 2.0**60, "1/s": 1e12, "s": 1e6, "cycle": 1e12, "B/s": 1e21, "B/cycle": 1e12, "flop/s": 1e21,
    "flop/cycle": 1e9, "W": 1e9,
}  # fmt: skip
#: strides in cache lines that use fewer and fewer banks of a cache
LINE_STRIDES = (2, 4, 8)
#: vector size in bytes -> clock of a core that executes such vectors
VECTOR_CLOCKS = {32: "clock.vector_32", 64: "clock.vector_64"}


@record
class Parameter:
    """One row of the table. `units` are the SI units the value may have. A `condition` describes the load of other
    tenants while the machine was measured, not the machine itself."""

    path: str
    units: tuple[str, ...]
    meaning: str
    share: bool = False
    condition: bool = False
    #: value where a file does not give it, by definition; None: then it is unknown
    otherwise: float | None = None

    @property
    def integer(self) -> bool:
        """Whether the value is a count, which changes in steps of one. Shares have no unit either."""
        return self.units == COUNT and not self.share


def _share(path: str, meaning: str, condition: bool = False, otherwise: float | None = None) -> Parameter:
    return Parameter(path, COUNT, meaning, share=True, condition=condition, otherwise=otherwise)


TABLE = (
    Parameter("clock.frequency", ("1/s",), "clock frequency that cycles refer to"),
    Parameter("clock.boost", ("1/s",), "highest clock frequency of one core"),
    Parameter("clock.all_cores", ("1/s",), "clock frequency with all cores active"),
    Parameter("clock.vector_32", ("1/s",), "clock frequency with 32-byte floating-point vectors"),
    Parameter("clock.vector_64", ("1/s",), "clock frequency with 64-byte floating-point vectors"),
    Parameter("cores.count", COUNT, "number of cores: CPU cores, CPEs, GPU multiprocessors"),
    Parameter("cores.sockets", COUNT, "sockets per node"),
    Parameter("cores.per_socket", COUNT, "cores per socket"),
    Parameter("cores.groups", COUNT, "core groups"),
    Parameter("cores.per_group", COUNT, "cores per core group"),
    Parameter("cores.numa_domains", COUNT, "NUMA domains per node"),
    Parameter("cores.threads_per_core", COUNT, "hardware threads (SMT) per core"),
    _share(
        "cores.hidden_smt",
        "software threads per physical core where SMT is hidden by a hypervisor, worst case; 1 if not given",
        otherwise=1.0,
    ),
    _share(
        "cores.corunners",
        "mean number of software threads of other tenants on the same physical core; 0 if not given",
        condition=True,
        otherwise=0.0,
    ),
    Parameter("cores.streams_per_thread", COUNT, "instructions that one thread can issue per cycle (SPT)"),
    Parameter("cores.issue_width", COUNT, "instructions (uops) that one core can issue per cycle"),
    Parameter("cores.fetch_line", COUNT, "uops of a line of the micro-op cache, which is fetched in one cycle"),
    Parameter(
        "cores.fetch_window", BYTES, "aligned window of code whose instructions share lines of the micro-op cache"
    ),
    Parameter("cores.simd_width", BYTES, "width of a vector register"),
    Parameter("cores.reorder_buffer", COUNT, "reorder buffer entries: uops between issue and retirement"),
    Parameter("cores.scheduler", COUNT, "scheduler (reservation station) entries for arithmetic uops"),
    Parameter("cores.store_scheduler", COUNT, "scheduler entries for stores that wait for their data"),
    Parameter("cores.load_buffer", COUNT, "load buffer entries: loads between issue and retirement"),
    Parameter("cores.vector_register_file", COUNT, "physical vector registers for renaming"),
    Parameter("cores.store_buffer", COUNT, "store buffer entries: stores that have not reached L1"),
    Parameter("cores.branch_history", COUNT, "branches in the history of the branch predictor"),
    Parameter("cores.branch_memory", COUNT, "random outcomes of jumps that the predictor knows when they come again"),
    Parameter("cores.lines_ahead", COUNT, "most lines that prefetchers bring beyond the end of a row"),
    Parameter("cores.vector_registers", COUNT, "architectural vector registers; code that needs more spills"),
    Parameter("cores.max_ilp", COUNT, "maximum instructions of one thread in flight in a pipeline"),
    Parameter("cores.lanes", COUNT, "single-precision lanes per core"),
    Parameter("cores.processors", COUNT, "arithmetic processors: CPU cores, GPU lanes (np)"),
    Parameter("cores.flops_per_cycle", ("flop/cycle",), "double-precision operations per cycle and core"),
    Parameter("peak.double", FLOPS, "peak double-precision rate of the machine"),
    Parameter("peak.single", FLOPS, "peak single-precision rate of the machine"),
    Parameter("peak.tensor_half", FLOPS, "peak dense half-precision matrix rate"),
    Parameter("peak.tensor_double", FLOPS, "peak dense double-precision matrix rate"),
    Parameter("peak.core", FLOPS, "peak double-precision rate of one core, all vector lanes used"),
    Parameter("peak.processor", FLOPS, "peak rate of one arithmetic processor (pi0)"),
    Parameter("level.*.size", BYTES, "capacity of one instance"),
    _share(
        "level.*.available",
        "fraction of the capacity that other tenants leave to one core; 1 if not given",
        condition=True,
        otherwise=1.0,
    ),
    _share(
        "level.*.available_all",
        "fraction of the capacity that other tenants leave to all cores together, if more than to one",
        condition=True,
        otherwise=1.0,
    ),
    Parameter("level.*.detected_size", BYTES, "capacity at which a pointer chase becomes slower"),
    Parameter(
        "level.*.reported_size",
        BYTES,
        "older files, whose `size` is the available capacity: capacity that the operating system reports",
    ),
    Parameter("level.*.together_size", BYTES, "older files: capacity available to all cores together"),
    Parameter("level.*.line", BYTES, "cache line, or transfer size"),
    Parameter("level.*.sector", BYTES, "sector: part of a line that is filled separately"),
    Parameter("level.*.ways", COUNT, "associativity"),
    Parameter("level.*.shared_by", COUNT, "cores that share one instance"),
    Parameter("level.*.latency", LATENCY, "load-to-use latency"),
    Parameter("level.*.far_latency", LATENCY, "load-to-use latency of the more distant partition"),
    Parameter("level.*.latency_range", LATENCY, "latency of the farthest line of a partition less that of the nearest"),
    _share("level.*.far_share_spread", "share of requests to the farther partition, of data that lie in both"),
    _share("level.*.near_part", "data up to this part of the size lie in one partition"),
    Parameter("level.*.partition_run", COUNT, "requests in a row whose lines lie in one partition"),
    _share("level.*.overflow", "data exceeding the size by this part leave no reuse"),
    _share(
        "level.*.unevenness", "reuse between launches falls from all to none from this part below the size to it above"
    ),
    _share("level.*.replication", "lines that data occupy which a later launch reads again, over their own"),
    _share("level.*.dirty_share", "fraction of the size that modified lines can occupy; more are written to memory"),
    Parameter("level.*.outstanding", COUNT, "requests of one core in flight at which the level takes no more"),
    _share("level.*.lone_sector", "sectors in order that cost as much as one of its own line"),
    _share("level.*.store_sector", "sectors read that cost as much as one stored"),
    _share("level.*.store_line", "sectors read that cost as much as a store to one line, at least"),
    _share("level.*.store_partial", "the same of a store to parts of its sectors"),
    _share("level.*.write_path_sector", "cost of a stored sector on the path of writes, in sectors"),
    _share("level.*.write_path_line", "cost of a stored line on the path of writes, in sectors"),
    Parameter("level.*.bandwidth", BANDWIDTH, "bandwidth of all instances together"),
    Parameter("level.*.core_bandwidth", BANDWIDTH, "bandwidth of one core"),
    Parameter("level.*.read_bandwidth", BANDWIDTH, "read bandwidth, all cores"),
    Parameter("level.*.write_bandwidth", BANDWIDTH, "write bandwidth, all cores"),
    Parameter("level.*.copy_bandwidth", BANDWIDTH, "copy bandwidth, all cores"),
    Parameter("level.*.update_bandwidth", BANDWIDTH, "read-modify-write bandwidth, all cores"),
    Parameter("level.*.core_update_bandwidth", BANDWIDTH, "read-modify-write bandwidth, one core"),
    Parameter("level.*.two_stream_write_bandwidth", BANDWIDTH, "write bandwidth, two arrays, all cores"),
    Parameter("level.*.core_two_stream_write_bandwidth", BANDWIDTH, "write bandwidth, two arrays, one core"),
    Parameter("level.*.core_read_bandwidth", BANDWIDTH, "read bandwidth, one core"),
    Parameter("level.*.core_write_bandwidth", BANDWIDTH, "write bandwidth, one core"),
    Parameter("level.*.core_copy_bandwidth", BANDWIDTH, "copy bandwidth, one core"),
    Parameter("level.*.core_random_bandwidth", BANDWIDTH, "bandwidth of independent loads of random lines, one core"),
    *(
        Parameter(
            f"level.*.core_stride_{lines}_bandwidth",
            BANDWIDTH,
            f"bandwidth of independent loads of random lines whose line numbers are multiples of {lines}, one core",
        )
        for lines in LINE_STRIDES
    ),
    _share(
        "level.*.overlap",
        "fraction of the shorter of core time and transfer time from this level that the longer one hides",
    ),
    Parameter("memory.size", BYTES, "main memory capacity"),
    Parameter("memory.bandwidth", BANDWIDTH, "sustained bandwidth that models use"),
    Parameter("memory.hardware_bandwidth", BANDWIDTH, "peak bandwidth of the interface (data sheet)"),
    Parameter("memory.core_bandwidth", BANDWIDTH, "sustained bandwidth of one core"),
    Parameter("memory.copy_bandwidth", BANDWIDTH, "sustained copy bandwidth, bytes counted as in STREAM"),
    Parameter("memory.read_bandwidth", BANDWIDTH, "sustained read bandwidth"),
    Parameter("memory.write_bandwidth", BANDWIDTH, "sustained write bandwidth, stored bytes counted"),
    Parameter("memory.random_bandwidth", BANDWIDTH, "sustained bandwidth of random transactions"),
    Parameter("memory.nontemporal_bandwidth", BANDWIDTH, "sustained bandwidth of non-temporal stores"),
    Parameter("memory.core_copy_bandwidth", BANDWIDTH, "sustained copy bandwidth, one core"),
    Parameter("memory.update_bandwidth", BANDWIDTH, "sustained read-modify-write bandwidth"),
    Parameter("memory.core_update_bandwidth", BANDWIDTH, "sustained read-modify-write bandwidth, one core"),
    Parameter("memory.core_read_bandwidth", BANDWIDTH, "sustained read bandwidth, one core"),
    Parameter("memory.core_write_bandwidth", BANDWIDTH, "sustained write bandwidth, one core"),
    Parameter("memory.core_nontemporal_bandwidth", BANDWIDTH, "bandwidth of non-temporal stores, one core"),
    Parameter("memory.core_random_bandwidth", BANDWIDTH, "bandwidth of independent loads of random lines, one core"),
    Parameter("memory.saturating_cores", COUNT, "cores that reach 90 % of the bandwidth of all cores"),
    _share(
        "memory.overlap", "fraction of the shorter of core time and transfer time from memory that the longer one hides"
    ),
    Parameter("memory.latency", LATENCY, "load-to-use latency of main memory"),
    Parameter("memory.page_fault", LATENCY, "time of the first access to a page that was never touched"),
    Parameter("tlb.page_size", BYTES, "page size: memory that one translation covers"),
    Parameter("tlb.entries", COUNT, "entries of the last-level TLB of a core"),
    Parameter("tlb.walk", LATENCY, "extra time of an access that misses the TLB, page walks overlapped"),
    Parameter("tlb.first_entries", COUNT, "entries of the first-level TLB for loads"),
    Parameter("tlb.first_miss", LATENCY, "extra time of an access that misses only the first-level TLB, overlapped"),
    Parameter("memory.transaction", BYTES, "smallest transfer"),
    Parameter("memory.block", BYTES, "block of the DMA engine"),
    Parameter("memory.delta_delay", ("cycle",), "extra delay of each further transaction of a request"),
    Parameter("pipeline.*.latency", ("cycle",), "cycles from issue to result"),
    Parameter("pipeline.*.gap", ("cycle",), "reciprocal throughput per core or sub-core"),
    Parameter("pipeline.*.lanes", COUNT, "lanes (GPU) or pipes (CPU) of one core"),
    Parameter("pipeline.*.far_latency", ("cycle",), "cycles to a result that another unit uses"),
    Parameter("pipeline.*.uops", COUNT, "uops (issue slots) per instruction"),
    Parameter("sync.global", LATENCY, "one synchronisation of the whole machine at full occupancy (s0)"),
    Parameter("sync.launch", LATENCY, "launch of one kernel; on a CPU fork and join of one parallel region"),
    Parameter("sync.pair_launch", LATENCY, "fork and join of a parallel region of two threads"),
    Parameter("sync.launch_llvm", LATENCY, "sync.launch with LLVM's OpenMP runtime"),
    Parameter("sync.pair_launch_llvm", LATENCY, "sync.pair_launch with LLVM's OpenMP runtime"),
    Parameter("sync.block", LATENCY, "barrier of a block of one warp"),
    Parameter("sync.block_warp", LATENCY, "additional barrier time per further warp of the block"),
    Parameter("sync.block_arrival", LATENCY, "of the path to shared memory, by a warp that arrives at a barrier"),
    Parameter("sync.block_release", LATENCY, "of the path to shared memory, by a barrier of a block that opens"),
    Parameter("sync.block_start", LATENCY, "time between the starts of two blocks on one multiprocessor"),
    Parameter("sync.block_replace", LATENCY, "end of a block to the start of its successor"),
    Parameter("sync.back_to_back", LATENCY, "gap between two back-to-back kernels"),
    Parameter("sync.cluster", LATENCY, "what a barrier of a cluster takes longer than one of a block, without fence"),
    Parameter("sync.fence", LATENCY, "fence of the whole GPU, of a warp without requests since the last one"),
    Parameter("sync.fence_requests", LATENCY, "what a fence takes longer after requests"),
    Parameter("sync.fence_gap", LATENCY, "between fences of two warps on one multiprocessor"),
    _share("cluster.usable", "share of the multiprocessors that clusters of four and more blocks can use"),
    Parameter("cluster.latency", LATENCY, "load-to-use latency of shared memory of another block of a cluster"),
    Parameter("cluster.bandwidth", BANDWIDTH, "bandwidth of a multiprocessor to shared memory of other blocks"),
    Parameter("cluster.update", LATENCY, "between atomics of two lanes on shared memory of other blocks"),
    Parameter("placement.few", COUNT, "multiprocessors of small clusters of processors, which get blocks sooner"),
    Parameter("placement.every", COUNT, "blocks of the others after which these get one each"),
    Parameter("sync.vote", LATENCY, "between two warps that get the outcome of a vote at a barrier"),
    Parameter("atomic.latency", LATENCY, "latency of an atomic update in global memory that returns a value"),
    Parameter("atomic.line_rate", ("1/s",), "sectors that atomics update in one line, all multiprocessors"),
    Parameter("atomic.word_rate", ("1/s",), "integer updates of one word"),
    Parameter("atomic.store_line_rate", ("1/s",), "stores to one line that reach L2, all multiprocessors"),
    Parameter("atomic.store_lines_rate", ("1/s",), "stores for each of several lines to which all store"),
    _share("atomic.floating", "slow-down of floating-point sums in one word"),
    Parameter("atomic.l2_slices", COUNT, "slices of L2, which update their lines side by side; two have a KiB"),
    _share("atomic.in_the_way", "updates of other words that a busy word of their slice delays, however long it waits"),
    Parameter("scratchpad.size", BYTES, "capacity of the scratchpad, or shared memory, of one core"),
    Parameter("scratchpad.latency", LATENCY, "load-to-use latency of the scratchpad"),
    Parameter("scratchpad.bandwidth", BANDWIDTH, "scratchpad bandwidth of one core"),
    _share("carveout.spare", "shared memory that the driver gives, over what the blocks need"),
    _share("carveout.spare_small", "the same of blocks that need little"),
    Parameter("carveout.small", BYTES, "shared memory up to which spare_small holds"),
    Parameter("carveout.largest_spare", BYTES, "shared memory beyond which the driver gives only what is needed"),
    Parameter("carveout.blocks", COUNT, "blocks of a multiprocessor that the driver counts, at most"),
    Parameter("lsu.queue", COUNT, "memory instructions of one sub-core that wait for the path to L1"),
    Parameter("lsu.operand_read", LATENCY, "from leaving the queue until the operands are read"),
    _share("lsu.load_line", "wavefronts of L1 that a load of one line takes at least"),
    _share("lsu.load_lines", "wavefronts of L1 that a load of several lines takes at least"),
    _share("lsu.fill_sector", "wavefronts of L1 that writing a sector from L2 into it takes"),
    Parameter("lsu.narrow_store", COUNT, "lines of a store up to which each takes one wavefront, not two"),
    _share("lsu.local_store", "wavefronts of each line of a store to local memory"),
    Parameter(
        "lsu.constant_address", LATENCY, "for each address of a warp that loads from constant memory by an index"
    ),
    Parameter("lsu.constant_turn", LATENCY, "how much later a warp gets its constants for each further address"),
    Parameter("lsu.constant_fetch", LATENCY, "between two lines of these addresses that their cache does not hold"),
    Parameter("lsu.constant_wait", LATENCY, "until such a line is there"),
    Parameter("lsu.constant_size", BYTES, "cache of constants by an index in a register of each lane"),
    Parameter("lsu.constant_kept", BYTES, "what it holds of a larger table whose words are read at random"),
    Parameter(
        "lsu.uniform_line", LATENCY, "until another line of constants by an index in a uniform register is there"
    ),
    Parameter("lsu.backlog", LATENCY, "work ahead in L2 or memory at which the path to L1 is held up"),
    _share("coalescer.share", "share of requests for a sector in flight that L2 does not see"),
    Parameter("coalescer.window", LATENCY, "time in which requests for one sector can be merged before L2"),
    _share("coalescer.alignment", "odds of meeting over chance, one block a multiprocessor"),
    _share("coalescer.first_wave", "share of merged requests in the first wave, one block"),
    _share("lockstep.throttled", "share of the first wave with blocks at one point, L1 full"),
    _share("lockstep.first_wave", "the same where L1 takes all requests"),
    _share("lockstep.later_waves", "the same of waves long after the first"),
    Parameter("queue.memory_wait", LATENCY, "wait of requests for each other in memory at half load"),
    _share("queue.write_wait", "how much of it is added where as much is written as read"),
    Parameter("queue.l2_wait", LATENCY, "wait of requests for each other in L2 at half load, out of order"),
    _share("queue.l2_beside", "share of the wait in memory that loads held by L2 see"),
    Parameter("queue.longest_wait", LATENCY, "longest wait of requests for each other"),
    Parameter("queue.window", LATENCY, "time over which the load of L2 and memory is averaged"),
    Parameter("queue.credit", LATENCY, "unused bandwidth that one multiprocessor can draw later"),
    Parameter("icache.size", BYTES, "longest loop that is fetched at full speed"),
    Parameter("icache.miss", LATENCY, "fetch of one instruction of a longer loop, by a warp alone"),
    Parameter("icache.outer_size", BYTES, "longest loop that the instruction caches hold"),
    Parameter("icache.outer_miss", LATENCY, "fetch of one instruction from L2"),
    Parameter("issue.gap", LATENCY, "between two independent instructions of one sub-core"),
    Parameter("issue.branch", LATENCY, "from a taken branch to the next instruction of its warp"),
    Parameter("issue.indexed", LATENCY, "from a jump through a table to the next instruction of its warp"),
    Parameter("issue.indexed_gap", LATENCY, "between two such jumps of a sub-core"),
    Parameter("issue.indexed_again", LATENCY, "further time between them where other lanes of the warp jump elsewhere"),
    Parameter("issue.operand_wait", LATENCY, "how late operands may come from the register file"),
    Parameter("issue.wide_product", LATENCY, "no issue after a product of 64 bits"),
    Parameter("issue.wide_address", LATENCY, "no issue after a request with an address of 64 bits"),
    _share("issue.wide_work", "products of 32 bits that take the unit as long as one of 64"),
    Parameter("gload.size", BYTES, "largest direct load from main memory (Gload)"),
    Parameter("occupancy.warp", COUNT, "threads per warp"),
    Parameter("occupancy.warps", COUNT, "maximum warps per multiprocessor"),
    Parameter("occupancy.blocks", COUNT, "maximum blocks per multiprocessor"),
    Parameter("occupancy.barriers", COUNT, "named barriers of one multiprocessor, all blocks together"),
    Parameter("occupancy.threads_per_block", COUNT, "maximum threads per block"),
    Parameter("occupancy.registers", COUNT, "32-bit registers of one multiprocessor"),
    Parameter("occupancy.registers_per_thread", COUNT, "maximum registers per thread"),
    Parameter("occupancy.register_unit", COUNT, "allocation granularity of registers, per warp"),
    Parameter("occupancy.shared_per_block", BYTES, "maximum shared memory per block"),
    Parameter("occupancy.shared_unit", BYTES, "allocation granularity of shared memory, per block"),
    Parameter("occupancy.shared_reserved", BYTES, "shared memory per block reserved by the system"),
    Parameter("occupancy.schedulers", COUNT, "warp schedulers (sub-cores) per multiprocessor"),
    Parameter("link.bandwidth", ("B/s",), "bandwidth to the host, one direction"),
    Parameter("power.limit", ("W",), "power limit"),
)

#: parameters with words as values: path -> permitted words
TRAITS: dict[str, tuple[str, ...]] = {
    "level.*.role": ("cache", "prefetch_buffer", "combined"),
    "memory.write_allocate": ("yes", "no"),
    "cores.ports_closed_by_wide_vectors": (),  # any words: ports closed while the widest vectors are in use
    "cores.immediate_adds": ("executed", "renamed"),  # additions of constants: by a unit, or by the renamer
    "cores.memory_words": ("forwarded", "renamed"),  # a word loaded soon after it was stored
    "pipeline.*.ports": (),  # any words: ports that can execute it; '+' before those of a further uop
    "target.isa": ("x86-64", "aarch64", "power", "sm", "sw"),
    "target.cpu": (),  # any word: LLVM's or nvcc's name of the target
}

#: parameters with several comma-separated numbers: path -> unit of each, and their meaning
LISTS: dict[str, tuple[str, str]] = {
    "atomic.slices": (
        "1",
        "rates of atomics in 1, 2, 4, 8 … neighbouring lines, over that in one; the last is the largest",
    ),
    "carveout.sizes": ("B", "shared memory that a multiprocessor can be configured to, ascending"),
    "memory.latency_spread": (
        "cycle",
        "how much later than on the mean lines come: of all lines the fastest, 10, 25, 50, 75, 90, 95 and 99 %",
    ),
}

#: earlier -> present parameter names: machine files, --set, sweeps and space files may still use the earlier ones
OLD_NAMES: dict[str, str] = {
    "clock.together": "clock.all_cores",
    "cores.narrowed": "cores.ports_closed_by_wide_vectors",
    "cores.sharing": "cores.hidden_smt",
    "cores.strangers": "cores.corunners",
    "cores.vector_results": "cores.vector_register_file",
    "level.*.left": "level.*.available",
    "level.*.left_together": "level.*.available_all",
    "level.*.pair_bandwidth": "level.*.two_stream_write_bandwidth",
    "level.*.core_pair_bandwidth": "level.*.core_two_stream_write_bandwidth",
    **{f"level.*.core_apart_{n}_bandwidth": f"level.*.core_stride_{n}_bandwidth" for n in LINE_STRIDES},
    "memory.scattered_bandwidth": "memory.random_bandwidth",
    "memory.stream_bandwidth": "memory.nontemporal_bandwidth",
    "memory.core_stream_bandwidth": "memory.core_nontemporal_bandwidth",
    "pages.size": "tlb.page_size",
    "pages.entries": "tlb.entries",
    "pages.walk": "tlb.walk",
    "sync.between": "sync.back_to_back",
    "sync.block_turn": "sync.block_replace",
}

_BY_PATH = {parameter.path: parameter for parameter in TABLE}
GROUPS = frozenset(path.split(".")[0] for path in (*_BY_PATH, *TRAITS, *LISTS, *OLD_NAMES))


def pattern(path: str) -> str:
    """Returns the table's name of a path: 'level.L2.size' → 'level.*.size'."""
    names = path.split(".")
    return f"{names[0]}.*.{names[2]}" if len(names) == 3 else path


def current(path: str) -> str:
    """Translates a path to its present name; an earlier name causes a RenamedWarning."""
    new = OLD_NAMES.get(pattern(path))
    if new is None:
        return path
    new = new.replace("*", path.split(".")[1])
    warnings.warn(f"{path} is now {new}", RenamedWarning, stacklevel=2)
    return new


def parameter(path: str) -> Parameter:
    """Returns the row of a path; an unknown path raises an error that names the nearest."""
    try:
        return _BY_PATH[pattern(path)]
    except KeyError:
        raise MachineError(f"unknown machine parameter {path!r}{nearest_path(path)}") from None


def fault(path: str, value: float, unit: str) -> str:
    """What is wrong with a number of this path; empty if nothing is."""
    if not 0 < value < math.inf:
        return "is not a positive number"
    if value > MOST[unit]:
        return f"is more than any machine has ({MOST[unit]:.3g}{' ' * bool(unit)}{unit})"
    return "is not a whole number" if parameter(path).integer and value != int(value) else ""


def known(path: str) -> bool:
    """Whether the table contains this path."""
    return pattern(path) in _BY_PATH


def nearest_path(path: str) -> str:
    """' (did you mean …?)' for the known path closest to this one, or ''."""
    names = path.split(".")
    middle = names[1] if len(names) == 3 else "NAME"
    return nearest(path, [name.replace("*", middle) for name in (*_BY_PATH, *TRAITS, *LISTS)])
