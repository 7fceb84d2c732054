"""Every machine parameter that a machine file may give and a model may ask for.

A parameter is named by a path: `memory.bandwidth`, `level.L2.size`, `pipeline.floating.latency`.
The second name of `level` and `pipeline` is free; the rest is fixed here, with the units it may have.
"""

from __future__ import annotations

from foretell.errors import MachineError, nearest
from foretell.records import record

COUNT = ("",)
BYTES = ("B",)
LATENCY = ("cycle", "s")
BANDWIDTH = ("B/s", "B/cycle")
FLOPS = ("flop/s",)
#: distances of lines, in lines, at which fewer and fewer banks of a cache serve them
LINES_APART = (2, 4, 8)


@record
class Parameter:
    """One entry of the table below. `units` are the SI dimensions the value may have; a `condition` is of the hour in
    which a machine was measured: what others did to it, not what it is."""

    path: str
    units: tuple[str, ...]
    meaning: str
    share: bool = False
    condition: bool = False

    @property
    def integer(self) -> bool:
        """Counts are whole numbers: they change in steps of one. Shares have no unit either."""
        return self.units == COUNT and not self.share


TABLE = (
    Parameter("clock.frequency", ("1/s",), "clock that cycles refer to"),
    Parameter("clock.boost", ("1/s",), "highest clock of one core"),
    Parameter("clock.together", ("1/s",), "clock when all cores are at work"),
    Parameter(
        "clock.vector_32", ("1/s",), "clock of a core that works on floating-point vectors of 32 bytes"
    ),
    Parameter(
        "clock.vector_64", ("1/s",), "clock of a core that works on floating-point vectors of 64 bytes"
    ),
    Parameter("cores.count", COUNT, "independent cores: CPU cores, CPEs, GPU multiprocessors"),
    Parameter("cores.sockets", COUNT, "sockets of the node"),
    Parameter("cores.per_socket", COUNT, "cores of one socket"),
    Parameter("cores.groups", COUNT, "core groups"),
    Parameter("cores.per_group", COUNT, "cores of one core group"),
    Parameter("cores.numa_domains", COUNT, "memory domains of the node"),
    Parameter("cores.threads_per_core", COUNT, "hardware threads of one core"),
    Parameter(
        "cores.sharing",
        COUNT,
        "threads on the core of the slowest of all threads, where cores are shared without saying so",
        share=True,
    ),
    Parameter(
        "cores.strangers",
        COUNT,
        "of them, threads of others that share the host: those beside a thread that is alone in this system",
        share=True,
        condition=True,
    ),
    Parameter("cores.streams_per_thread", COUNT, "instructions one thread can issue per cycle (SPT)"),
    Parameter("cores.issue_width", COUNT, "instructions one core can issue per cycle"),
    Parameter("cores.simd_width", BYTES, "width of a vector register"),
    Parameter("cores.reorder_buffer", COUNT, "instructions of one core between issue and retirement"),
    Parameter("cores.scheduler", COUNT, "arithmetic instructions of one core that wait to start"),
    Parameter("cores.store_scheduler", COUNT, "stores of one core that wait for their data"),
    Parameter("cores.load_buffer", COUNT, "loads of one core between issue and retirement"),
    Parameter("cores.vector_results", COUNT, "results of one core in vector registers that have not retired"),
    Parameter("cores.store_buffer", COUNT, "stores of one core that have not reached the cache"),
    Parameter("cores.branch_history", COUNT, "jumps that the prediction of one looks back on"),
    Parameter("cores.vector_registers", COUNT, "vector registers that code may use; more values are spilled"),
    Parameter("cores.max_ilp", COUNT, "most instructions of one thread in flight in a pipeline"),
    Parameter("cores.lanes", COUNT, "single-precision lanes of one core"),
    Parameter("cores.processors", COUNT, "arithmetic processors: cores of a CPU, lanes of a GPU (np)"),
    Parameter("cores.flops_per_cycle", ("flop/cycle",), "double-precision operations per cycle and core"),
    Parameter("peak.double", FLOPS, "double-precision peak of the machine"),
    Parameter("peak.single", FLOPS, "single-precision peak of the machine"),
    Parameter("peak.tensor_half", FLOPS, "dense half-precision matrix peak"),
    Parameter("peak.tensor_double", FLOPS, "dense double-precision matrix peak"),
    Parameter("peak.core", FLOPS, "double-precision peak of one core, all vector lanes used"),
    Parameter("peak.processor", FLOPS, "peak of one arithmetic processor (pi0)"),
    Parameter("level.*.size", BYTES, "capacity of one instance"),
    Parameter(
        "level.*.left",
        COUNT,
        "part of the capacity that others leave to one core; all of it where this is not given",
        share=True,
        condition=True,
    ),
    Parameter(
        "level.*.left_together",
        COUNT,
        "the same of all cores together, where one alone gets less",
        share=True,
        condition=True,
    ),
    Parameter("level.*.detected_size", BYTES, "capacity at which a random walk becomes slower"),
    Parameter(
        "level.*.reported_size",
        BYTES,
        "in older files, whose size is what others left: capacity that the operating system reports",
    ),
    Parameter("level.*.together_size", BYTES, "in older files: what others left to all cores together"),
    Parameter("level.*.line", BYTES, "line, or the size of one transfer"),
    Parameter("level.*.sector", BYTES, "part of a line that is filled by itself"),
    Parameter("level.*.ways", COUNT, "associativity"),
    Parameter("level.*.shared_by", COUNT, "cores that share one instance"),
    Parameter("level.*.latency", LATENCY, "load-to-use latency"),
    Parameter("level.*.far_latency", LATENCY, "latency of the partition farther away"),
    Parameter(
        "level.*.far_share", COUNT, "share of requests to the farther partition, of few data", share=True
    ),
    Parameter("level.*.far_share_spread", COUNT, "the same of data that lie in both partitions", share=True),
    Parameter(
        "level.*.near_part", COUNT, "data up to this part of the size lie in one partition", share=True
    ),
    Parameter("level.*.partition_run", COUNT, "requests in a row whose lines lie in one partition"),
    Parameter("level.*.overflow", COUNT, "data exceeding the size by this part leave no reuse", share=True),
    Parameter(
        "level.*.outstanding", COUNT, "requests of one core in flight at which the level takes no more"
    ),
    Parameter(
        "level.*.lone_sector", COUNT, "sectors in order that cost as much as one of its own line", share=True
    ),
    Parameter(
        "level.*.ordered_sectors", COUNT, "sectors of each line from which on reads spread evenly on slices"
    ),
    Parameter("level.*.store_sector", COUNT, "sectors read that cost as much as one stored", share=True),
    Parameter(
        "level.*.store_line",
        COUNT,
        "sectors read that cost as much as a store to one line, at least",
        share=True,
    ),
    Parameter(
        "level.*.write_path_sector",
        COUNT,
        "cost of a stored sector on the path of writes, in sectors",
        share=True,
    ),
    Parameter(
        "level.*.write_path_line",
        COUNT,
        "cost of a stored line on the path of writes, in sectors",
        share=True,
    ),
    Parameter("level.*.bandwidth", BANDWIDTH, "bandwidth of all instances together"),
    Parameter("level.*.core_bandwidth", BANDWIDTH, "bandwidth that one core can draw"),
    Parameter("level.*.read_bandwidth", BANDWIDTH, "bandwidth of reading only, all cores"),
    Parameter("level.*.write_bandwidth", BANDWIDTH, "bandwidth of writing only, all cores"),
    Parameter("level.*.copy_bandwidth", BANDWIDTH, "bandwidth of a copy, all cores"),
    Parameter("level.*.update_bandwidth", BANDWIDTH, "bandwidth of an update in place, all cores"),
    Parameter("level.*.core_update_bandwidth", BANDWIDTH, "bandwidth of an update in place, one core"),
    Parameter("level.*.pair_bandwidth", BANDWIDTH, "bandwidth of writing two arrays in turn, all cores"),
    Parameter("level.*.core_pair_bandwidth", BANDWIDTH, "bandwidth of writing two arrays in turn, one core"),
    Parameter("level.*.core_read_bandwidth", BANDWIDTH, "bandwidth of reading only, one core"),
    Parameter("level.*.core_write_bandwidth", BANDWIDTH, "bandwidth of writing only, one core"),
    Parameter("level.*.core_copy_bandwidth", BANDWIDTH, "bandwidth of a copy, one core"),
    Parameter(
        "level.*.core_random_bandwidth",
        BANDWIDTH,
        "bandwidth of whole lines at random that one core loads without waiting for each",
    ),
    *(
        Parameter(
            f"level.*.core_apart_{lines}_bandwidth",
            BANDWIDTH,
            f"the same of lines that lie multiples of {lines} lines apart",
        )
        for lines in LINES_APART
    ),
    Parameter(
        "level.*.overlap",
        COUNT,
        "share of the shorter of core time and transfer from this level that the longer one hides",
        share=True,
    ),
    Parameter("memory.size", BYTES, "main memory"),
    Parameter("memory.bandwidth", BANDWIDTH, "sustained bandwidth that models use"),
    Parameter(
        "memory.hardware_bandwidth", BANDWIDTH, "bandwidth of the interface, as the data sheet gives it"
    ),
    Parameter("memory.core_bandwidth", BANDWIDTH, "sustained bandwidth that one core can draw"),
    Parameter(
        "memory.copy_bandwidth", BANDWIDTH, "sustained bandwidth of a copy, bytes counted as in STREAM"
    ),
    Parameter("memory.read_bandwidth", BANDWIDTH, "sustained bandwidth of reading only"),
    Parameter(
        "memory.write_bandwidth", BANDWIDTH, "sustained bandwidth of writing only, stored bytes counted"
    ),
    Parameter(
        "memory.scattered_bandwidth",
        BANDWIDTH,
        "sustained bandwidth of transactions here and there, counted whole",
    ),
    Parameter("memory.stream_bandwidth", BANDWIDTH, "sustained bandwidth of stores that go past the caches"),
    Parameter("memory.core_copy_bandwidth", BANDWIDTH, "sustained bandwidth of a copy, one core"),
    Parameter("memory.update_bandwidth", BANDWIDTH, "sustained bandwidth of an update in place"),
    Parameter("memory.core_update_bandwidth", BANDWIDTH, "sustained bandwidth of an update, one core"),
    Parameter("memory.core_read_bandwidth", BANDWIDTH, "sustained bandwidth of reading only, one core"),
    Parameter("memory.core_write_bandwidth", BANDWIDTH, "sustained bandwidth of writing only, one core"),
    Parameter("memory.core_stream_bandwidth", BANDWIDTH, "bandwidth of stores past the caches, one core"),
    Parameter(
        "memory.core_random_bandwidth",
        BANDWIDTH,
        "bandwidth of whole lines at random that one core loads without waiting for each",
    ),
    Parameter("memory.saturating_cores", COUNT, "cores that draw nine tenths of what all of them draw"),
    Parameter(
        "memory.overlap",
        COUNT,
        "share of the shorter of core time and transfer from memory that the longer one hides",
        share=True,
    ),
    Parameter("memory.latency", LATENCY, "load-to-use latency of main memory"),
    Parameter("pages.size", BYTES, "memory that one address translation covers"),
    Parameter("pages.entries", COUNT, "translations that a core keeps, in the last level of its TLB"),
    Parameter(
        "pages.walk",
        LATENCY,
        "what an access adds whose translation is not kept, where several do not wait for each other",
    ),
    Parameter("memory.transaction", BYTES, "smallest amount that moves"),
    Parameter("memory.block", BYTES, "block of the DMA engine"),
    Parameter("memory.delta_delay", ("cycle",), "extra delay of each further transaction of a request"),
    Parameter("pipeline.*.latency", ("cycle",), "cycles from issue to result"),
    Parameter("pipeline.*.gap", ("cycle",), "cycles between two instructions of one core or sub-core"),
    Parameter("pipeline.*.lanes", COUNT, "lanes (GPU) or pipes (CPU) of one core"),
    Parameter("pipeline.*.far_latency", ("cycle",), "cycles to a result that another unit takes up"),
    Parameter("pipeline.*.uops", COUNT, "issue slots of one instruction"),
    Parameter("sync.global", LATENCY, "one synchronisation of the whole machine at full occupancy (s0)"),
    Parameter("sync.launch", LATENCY, "start of one kernel; on a CPU start and end of one parallel region"),
    Parameter("sync.pair_launch", LATENCY, "start and end of a parallel region of two threads"),
    Parameter("sync.launch_llvm", LATENCY, "sync.launch with LLVM's OpenMP runtime"),
    Parameter("sync.pair_launch_llvm", LATENCY, "sync.pair_launch with LLVM's OpenMP runtime"),
    Parameter("sync.block", LATENCY, "barrier of a block of one warp"),
    Parameter("sync.block_warp", LATENCY, "what each further warp adds to a block's barrier"),
    Parameter("sync.block_start", LATENCY, "between the starts of two blocks of one multiprocessor"),
    Parameter("sync.block_turn", LATENCY, "from the end of a block to the start of the next in its place"),
    Parameter("sync.between", LATENCY, "between two kernels in a row"),
    Parameter("sync.vote", LATENCY, "between two warps that get the outcome of a vote at a barrier"),
    Parameter("atomic.latency", LATENCY, "atomic update in global memory, until its result is there"),
    Parameter("atomic.line_rate", ("1/s",), "sectors that atomics update in one line, all multiprocessors"),
    Parameter("atomic.lines_rate", ("1/s",), "sectors that atomics update for each of several lines"),
    Parameter("atomic.most_rate", ("1/s",), "sectors that atomics update at most"),
    Parameter("atomic.floating", COUNT, "slow-down of floating-point sums in one line", share=True),
    Parameter("scratchpad.size", BYTES, "scratchpad, or shared memory, of one core"),
    Parameter("scratchpad.latency", LATENCY, "scratchpad access"),
    Parameter("scratchpad.bandwidth", BANDWIDTH, "scratchpad bandwidth of one core"),
    Parameter(
        "carveout.spare", COUNT, "shared memory that the driver gives, over what the blocks need", share=True
    ),
    Parameter("carveout.spare_small", COUNT, "the same of blocks that need little", share=True),
    Parameter("carveout.small", BYTES, "shared memory up to which spare_small holds"),
    Parameter(
        "carveout.largest_spare", BYTES, "shared memory beyond which the driver gives only what is needed"
    ),
    Parameter("carveout.blocks", COUNT, "blocks of a multiprocessor that the driver counts, at most"),
    Parameter("lsu.queue", COUNT, "memory instructions of one sub-core that wait for the path to L1"),
    Parameter("lsu.operand_read", LATENCY, "from leaving the queue until the operands are read"),
    Parameter("lsu.load_line", COUNT, "wavefronts of L1 that a load of one line takes at least", share=True),
    Parameter(
        "lsu.load_lines", COUNT, "wavefronts of L1 that a load of several lines takes at least", share=True
    ),
    Parameter(
        "lsu.fill_sector", COUNT, "wavefronts of L1 that writing a sector from L2 into it takes", share=True
    ),
    Parameter("lsu.narrow_store", COUNT, "lines of a store up to which each takes one wavefront, not two"),
    Parameter("lsu.local_store", COUNT, "wavefronts of each line of a store to local memory", share=True),
    Parameter("lsu.backlog", LATENCY, "work ahead in L2 or memory at which the path to L1 is held up"),
    Parameter(
        "coalescer.share", COUNT, "share of requests for a sector in flight that L2 does not see", share=True
    ),
    Parameter("coalescer.window", LATENCY, "time in which requests for one sector can be merged before L2"),
    Parameter(
        "coalescer.alignment", COUNT, "odds of meeting over chance, one block a multiprocessor", share=True
    ),
    Parameter(
        "coalescer.first_wave", COUNT, "share of merged requests in the first wave, one block", share=True
    ),
    Parameter(
        "lockstep.throttled", COUNT, "share of the first wave with blocks at one point, L1 full", share=True
    ),
    Parameter("lockstep.first_wave", COUNT, "the same where L1 takes all requests", share=True),
    Parameter("lockstep.later_waves", COUNT, "the same of waves long after the first", share=True),
    Parameter("queue.memory_wait", LATENCY, "wait of requests for each other in memory at half load"),
    Parameter(
        "queue.write_wait", COUNT, "how much of it is added where as much is written as read", share=True
    ),
    Parameter("queue.l2_wait", LATENCY, "wait of requests for each other in L2 at half load, out of order"),
    Parameter("queue.l2_beside", COUNT, "share of the wait in memory that loads held by L2 see", share=True),
    Parameter("queue.longest_wait", LATENCY, "longest wait of requests for each other"),
    Parameter("queue.window", LATENCY, "time over which the load of L2 and memory is averaged"),
    Parameter("queue.credit", LATENCY, "unused bandwidth that one multiprocessor can draw later"),
    Parameter("icache.size", BYTES, "longest loop that is fetched at full speed"),
    Parameter("icache.miss", LATENCY, "fetch of one instruction of a longer loop"),
    Parameter("icache.outer_size", BYTES, "longest loop that the instruction caches hold"),
    Parameter("icache.outer_miss", LATENCY, "fetch of one instruction from L2"),
    Parameter("issue.gap", LATENCY, "between two independent instructions of one sub-core"),
    Parameter("issue.branch", LATENCY, "from a taken branch to the next instruction of its warp"),
    Parameter("issue.operand_wait", LATENCY, "how late operands may come from the register file"),
    Parameter("issue.wide_product", LATENCY, "no issue after a product of 64 bits"),
    Parameter("issue.wide_address", LATENCY, "no issue after a request with an address of 64 bits"),
    Parameter(
        "issue.wide_work", COUNT, "products of 32 bits that take the unit as long as one of 64", share=True
    ),
    Parameter("gload.size", BYTES, "largest direct load from main memory (Gload)"),
    Parameter("occupancy.warp", COUNT, "threads of one warp"),
    Parameter("occupancy.warps", COUNT, "most warps of one multiprocessor"),
    Parameter("occupancy.blocks", COUNT, "most blocks of one multiprocessor"),
    Parameter("occupancy.barriers", COUNT, "named barriers of one multiprocessor, all blocks together"),
    Parameter("occupancy.threads_per_block", COUNT, "most threads of one block"),
    Parameter("occupancy.registers", COUNT, "32-bit registers of one multiprocessor"),
    Parameter("occupancy.registers_per_thread", COUNT, "most registers of one thread"),
    Parameter("occupancy.register_unit", COUNT, "registers are given to a warp in multiples of this"),
    Parameter("occupancy.shared_per_block", BYTES, "most shared memory of one block"),
    Parameter("occupancy.shared_unit", BYTES, "shared memory is given to a block in multiples of this"),
    Parameter("occupancy.shared_reserved", BYTES, "shared memory of each block that the system takes"),
    Parameter("occupancy.schedulers", COUNT, "warp schedulers (sub-cores) of one multiprocessor"),
    Parameter("link.bandwidth", ("B/s",), "bandwidth to the host, one direction"),
    Parameter("power.limit", ("W",), "power limit"),
)

#: words, not numbers: path -> what may be said
TRAITS: dict[str, tuple[str, ...]] = {
    "level.*.role": ("cache", "prefetch_buffer", "combined"),
    "memory.write_allocate": ("yes", "no"),
    "cores.narrowed": (),  # any words: units that do no vector work while the widest vectors are in use
    "pipeline.*.ports": (),  # any words: the units that can run it; '+' before those of a further micro-operation
    "target.isa": ("x86-64", "aarch64", "power", "sm", "sw"),
    "target.cpu": (),  # any word: the name that LLVM or nvcc gives the target
}

#: several numbers in one text, separated by commas: path -> unit of each, and what they are
LISTS: dict[str, tuple[str, str]] = {
    "carveout.sizes": ("B", "shared memory that a multiprocessor can be configured to, ascending"),
    "memory.latency_spread": (
        "cycle",
        "how much later than on the mean lines come: of all lines the fastest, 10, 25, 50, 75, 90, 95 and 99 %",
    ),
}

_BY_PATH = {parameter.path: parameter for parameter in TABLE}
GROUPS = frozenset(path.split(".")[0] for path in (*_BY_PATH, *TRAITS, *LISTS))


def pattern(path: str) -> str:
    """The table's name of a path: 'level.L2.size' → 'level.*.size'."""
    names = path.split(".")
    return f"{names[0]}.*.{names[2]}" if len(names) == 3 else path


def parameter(path: str) -> Parameter:
    """The entry of a path; an unknown one is an error that names the nearest."""
    try:
        return _BY_PATH[pattern(path)]
    except KeyError:
        raise MachineError(f"unknown machine parameter {path!r}{nearest_path(path)}") from None


def known(path: str) -> bool:
    """Whether the table has this path."""
    return pattern(path) in _BY_PATH


def nearest_path(path: str) -> str:
    """' (did you mean …?)' for the known path closest to this one, or ''."""
    names = path.split(".")
    middle = names[1] if len(names) == 3 else "NAME"
    return nearest(path, [name.replace("*", middle) for name in (*_BY_PATH, *TRAITS, *LISTS)])
