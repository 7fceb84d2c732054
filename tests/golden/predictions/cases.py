"""The recorded commands: groups of name -> command line. `{kernels}` and the like are folders (`replay.py`).

A case keeps its name where an option or a path in its command is renamed, so that its numbers are compared.
"""

from __future__ import annotations

from itertools import chain
from zlib import crc32

Group = dict[str, str]

#: CPUs of which the core is known, and others
CPUS = ("zen4", "sapphire-rapids", "cascade-lake", "neoverse-n1")
#: what the tests add to machines that lack a number
OLD_CPUS = {
    "blue-gene-q": "", "xeon-phi-7120p": "", "i5-2400": " --set peak.double=99Gflop/s",
    "i7-4700": " --set peak.double=150Gflop/s", "cray-xe6": " --set memory.bandwidth=53GB/s",
    "ivy-bridge": " --set memory.bandwidth=90GB/s", "sandy-bridge": " --set memory.bandwidth=78GB/s",
}  # fmt: skip
GPUS = ("h200", "h100", "h100-pcie", "a100", "l40", "rtx-4090")
#: whose numbers are mostly estimated: one launch on each
ESTIMATED_GPUS = ("v100", "t4", "rtx-2080-ti", "a10", "a4000", "a6000", "rtx-3090", "l4", "l40s", "b200", "rtx-5090")
#: rounded numbers for what Kepler's and Pascal's files lack
_GIVEN = (
    " --set level.L2.latency=220cycle --set memory.latency=450cycle --set scratchpad.latency=30cycle"
    " --set memory.bandwidth=200GB/s"
)
OLD_GPUS = ("titan-x-pascal", "k20c")

#: kernels of `{kernels}` and the sizes that put their arrays into a cache and into memory
VECTORS = (
    "triad", "copy", "daxpy", "dot", "dot4", "fill", "clamp", "complex_product", "convert", "divide", "gather",
    "heat1d", "horner", "intsum", "prefix", "root", "saxpy", "scale", "schoenauer", "stride4", "update", "filter9",
    "gradient",
)  # fmt: skip
PLANES = (
    "jacobi5", "jacobi9", "column_scale", "gauss_seidel", "matvec", "matvec_columns", "outer", "transpose",
    "triangle", "wave2d", "wide2d", "blur_single",
)  # fmt: skip
BODIES = ("jacobi7", "jacobi13", "jacobi27", "variable7", "curl", "matmul_ikj", "matmul_ijk")

#: files of `{corpus}` and values of their parameters
PROGRAMS = {
    "c/aos.c": "n=20000", "c/boxes.c": "level.box.dim_mean=32 level.box.volume_mean=39304 level.num=8 num=8",
    "c/branches.c": "n=1000", "c/constants.c": "", "c/convolution.c": "n=256", "c/directives.c": "",
    "c/doubling.c": "n=4096", "c/errors_goto.c": "n=1000", "c/fnptr.c": "n=1000",
    "c/gather.c": "a_length=100000 col_length=5000 row_step=20", "c/helpers.c": "", "c/histogram.c": "",
    "c/imperfect.c": "", "c/loop_heads.c": "n=1000", "c/mathcalls.c": "n=1000", "c/mixed_types.c": "n=1000",
    "c/reductions.c": "n=1000", "c/st7_flat.c": "nx=100 ny=100 nz=100 jStride=102 kStride=10404",
    "c/st7_rows.c": "nx=100 ny=100 nz=100", "c/structs.c": "g.d.nx=400 g.d.ny=400 g.d.pitch=402",
    "c/swap.c": "n=400 steps=10", "c/switches.c": "n=1000", "c/tiled.c": "n=512", "c/triangular.c": "",
    "c/wave.c": "", "c/whiles.c": "n=1000", "c/multifile": "f.n=500 in.n=500 y.n=500",
    "mixed/heat": "n=200 nx=200 ny=200 pnx=202 pny=202", "fortran/branches.f90": "", "fortran/calls.f90": "n=500",
    "fortran/commons.f": "len=1000", "fortran/concurrent.f90": "", "fortran/derived.f90": "n=500 f.n=500",
    "fortran/gotos.f": "n=500", "fortran/imperfect.f90": "", "fortran/intrinsics.f90": "",
    "fortran/modules": "m=200 n=200 nx=200 ny=200", "fortran/pointers.f90": "", "fortran/reduce.f90": "",
    "fortran/shifts.f90": "", "fortran/single.f90": "", "fortran/sparse.f90": "row_step=7", "fortran/st7_fixed.f": "",
    "fortran/st7_linear.f": "js=66 ks=4356 n=287496 nx=64 ny=64 nz=64", "fortran/tiles.f90": "",
    "fortran/triangles.f": "", "fortran/where_mask.f90": "", "fortran/whole_arrays.f90": "", "fortran/whiles.f90": "",
    "fortran/steps.f": "", "fortran/macros.F90": "",
}  # fmt: skip

#: annotated sources for the SW26010
OFFLOADS = {
    "back-propagation.c": "m=256 n=4096", "bfs.c": "degree=8 n=65536", "cfd-flux.c": "m=64 n=32768",
    "dynamics.c": "levels=32 n=16384", "hotspot.c": "m=512 n=512", "hotspot3d.c": "l=64 m=64 n=64",
    "k-means.c": "d=16 k=8 n=65536", "lu.c": "n=512 k=100", "matrix-multiply.c": "l=256 m=256 n=256",
    "n-body.c": "n=1024", "path-finder.c": "n=65536 rows=32", "physics.c": "columns=4096 levels=32",
    "tree-search.c": "depth=12 queries=65536", "vector-add.c": "m=64 n=65536", "vector-add-sw.f90": "m=64 n=65536",
}  # fmt: skip

#: launches of recorded SASS; those that take longest are left out
LAUNCHES = (
    "copy_f32/L2", "copy_f32x4/L2", "axpy_f16x2/L2", "copy_f32/DRAM", "copy_u8/DRAM", "sum_loop/L2",
    "strided_read/8-L2", "misaligned_copy/1-L2", "struct_mass/DRAM", "transpose_padded/L2", "matmul_naive/64",
    "matmul_coarse_4/128", "matmul_tiled_16/1024", "stencil2d_shared/L2", "stencil3d_global/L2", "stencil3d_march/L2",
    "reduce_shuffle/L2", "reduce_interleaved/L2", "reduce_atomic/L2", "scan_tree/L2", "histogram_shared/skewed",
    "gather_f32/random-L2", "gather_f32/random-L1", "scatter_f32/permuted-L2", "chase/one-lane", "black_scholes/L2",
    "lu_update/late", "softmax/one-row", "layernorm/L2", "fma_f32/two-warps",
    "fma_f32_chain/one-warp", "fma_f64/full", "divide_integers/7", "divergent_lanes/full", "big_shared/100K",
    "big_registers/tail", "spilled/full", "barriers/64", "conflicts/8", "shared_copy/full", "atomics_spread/L2",
    "copy_f32/tiny", "copy_f32/100-blocks", "wmma_global/1024", "wmma_shared/1024", "wmma_peak/full",
    "contract_split/16", "fusion_two/256",
)  # fmt: skip
HELD_OUT = (
    "gemm_batched_8/L2", "gemv_int8/L2", "cg_update/L2", "thomas/4096", "nine_point_pairs/L2",
    "jacobi_block/8-sweeps", "lattice_d2q9/512", "bitonic_block/4096", "radix_count/few-digits", "compact/few",
    "sum_halves/L2", "binary_search/L2", "rms_norm/100-rows", "fft4_shared/L2", "align_tile/500", "whole_array/tiny",
    "polynomials/200-blocks",
)  # fmt: skip
#: launches that also go to other machines, models and options
FEW_LAUNCHES = ("copy_f32/100-blocks", "stencil2d_shared/L2", "fma_f32/two-warps")

TRACES = (
    "jacobi7-192-6", "jacobi7-12-200", "boxes-2-6", "convolution-3072", "cutcp-6-40", "dot-60000000", "fft-6",
    "fft-20", "floyd_warshall-20", "gauss_seidel-48-40", "heat2d-1536-10", "hotspot-16-300",
    "lattice_boltzmann-12-100", "lu-24", "matrix_product-1024", "merge_sort-300", "prefix-400", "smith_waterman-40",
    "spmv_csr-60-8", "spmv_jds-60-8", "srad-24-60", "transpose-8224", "vector_update-60000000",
)  # fmt: skip


def _defines(values: str) -> str:
    return "".join(f" -D {value}" for value in values.split())


def _options(code: str, name: str, options: str) -> Group:
    """A command once for each `option=choice`, in default mode."""
    return {f"{name}/{option}": f"{code} --option {option}" for option in options.split()}


def _cpu_kernels() -> Group:
    """Each kernel on a CPU, the CPUs in turn: one thread in a cache, several in memory."""
    cases = {}
    sizes = {VECTORS: (1500, 3000000), PLANES: (60, 2500), BODIES: (20, 150)}
    two = "--threads 2 --option parallel=outermost"
    for kernels, (small, large) in sizes.items():
        for number, kernel in enumerate(kernels):
            first, second = CPUS[number % 4], CPUS[(number + 1) % 4]
            code = f"predict {{kernels}}/{kernel}.c --on"
            cases[f"{kernel}/{first}/{small}"] = f"{code} {first} -D n={small}"
            cases[f"{kernel}/{second}/{large}"] = f"{code} {second} -D n={large} {two}"
    for kernel, size in {"fortran_triad": 200000, "fortran_jacobi": 700}.items():
        for cpu in CPUS[::2]:
            cases[f"{kernel}/{cpu}"] = f"predict {{kernels}}/{kernel}.f90 --on {cpu} -D n={size} {two}"
    return cases


def _cpu_machines() -> Group:
    """Every CPU in both modes, and threads."""
    codes = {
        "stencil7.c": "predict example:stencil7.c -D n=160",
        "stencil7.f90": "predict example:stencil7.f90 -D n=90",
        "triad.c": "predict {kernels}/triad.c -D n=500000",
    }
    cases = {}
    for name, code in codes.items():
        for cpu, more in (dict.fromkeys(CPUS, "") | OLD_CPUS).items():
            cases[f"{name}/{cpu}"] = f"{code} --on {cpu}{more}"
            cases[f"{name}/{cpu}/paper"] = f"{code} --on {cpu}{more} --mode paper"
    for cpu, threads in (("zen4", 8), ("zen4", 96), ("sapphire-rapids", 52), ("cascade-lake", 20)):
        for name, code in codes.items():
            shared = "" if name == "triad.c" else " --option parallel=outermost"
            cases[f"{name}/{cpu}/{threads} threads"] = f"{code} --on {cpu} --threads {threads}{shared}"
    for name in ("xeon-2", "xeon-16"):
        cases[f"triad.c/{name}"] = f"{codes['triad.c']} --on {{traces}}/{name}.toml --threads 2"
        cases[f"gather.c/{name}"] = f"predict {{kernels}}/gather.c -D n=3000000 --on {{traces}}/{name}.toml"
    return cases


def _cpu_options() -> Group:
    stencil = "predict example:stencil7.c -D n=160 --on sapphire-rapids --threads 4 --option parallel=outermost"
    product = "predict {kernels}/matmul_ijk.c -D n=96 --on cascade-lake"
    choices = (
        "rule=plane_rule cycle_reads=planes caches=cold caches=flushed stores=allocate stores=streaming core=peak "
        "compiler=gcc-12 compiler=clang compiler=clang-19 sizes=interpolated simulate=each simulate=single "
        "simulate=none flags=-O2 overlap=full overlap=none"
    )
    dot = "predict {own}/dot.c -D n=1000 --on sapphire-rapids --asm {own}/dot.s"
    cases = {
        **_options(stencil, "stencil7.c", choices),
        **_options(product, "matmul_ijk.c", choices),
        "dot.c/asm": dot,
        "dot.c/asm loop": f"{dot} --option loop=dot",
        "set/barrier": "predict {kernels}/triad.c -D n=500000 --on blue-gene-q --threads 8 --set sync.global=1us",
        "set/bandwidth": f"{stencil} --set memory.bandwidth=100GB/s --set clock.frequency=2.5GHz",
        "kernel/branch": "predict {corpus}/c/branches.c -D n=1000 --on zen4 --branch 12=0.25",
    }
    call = "predict {data}/asm/whole_call/functions.s:axpy --arg n --arg f64:2.0 --arg f64[n] --arg f64[n] -D n=100000"
    cases["call/axpy"] = f"{call} --on cascade-lake"
    cases["call/axpy/start"] = f"{call} --on sapphire-rapids --start cold"
    cases["data"] = "predict {kernels}/clamp.c -D n=1500 --on cascade-lake --option data=any"
    updates = "predict {own}/updates.s:updates --arg n --arg i32[256] --arg i32[n] -D n=100000 --on sapphire-rapids"
    cases["data/updates"] = f"{updates} --option data=one_place"
    cases["data/two places"] = f"{updates} --option data=two_places"
    cases["alias"] = "predict {kernels}/triad.c -D n=500 --on cascade-lake --alias a,b"
    for compiler in ("gcc", "gcc-12", "clang", "clang-19"):
        for kernel in ("clamp", "complex_product", "stride4", "gather", "intsum", "convert", "jacobi9"):
            code = f"predict {{kernels}}/{kernel}.c -D n=900 --on sapphire-rapids"
            cases[f"{kernel}/{compiler}"] = f"{code} --option compiler={compiler}"
    return cases


def _cpu_many() -> Group:
    """Ranges of sizes and threads: up to twelve sizes are each predicted by themselves, more by interpolation."""
    paper = f"predict example:stencil7.f90 --on ivy-bridge --mode paper{OLD_CPUS['ivy-bridge']}"
    return {
        "triad 6 sizes": "predict {kernels}/triad.c --on zen4 -D n=1000,5000,20000,100000,1000000,9000000",
        "triad 16 sizes": "predict {kernels}/triad.c --on sapphire-rapids -D n=2000:32000:2000",
        "jacobi7 14 sizes": "predict {kernels}/jacobi7.c --on cascade-lake -D n=15:210:15 --threads 2",
        "transpose 13 sizes": "predict {kernels}/transpose.c --on neoverse-n1 -D n=64:832:64",
        "matmul 13 sizes": "predict {kernels}/matmul_ikj.c --on zen4 -D n=16:208:16",
        "threads": "predict {kernels}/jacobi5.c --on zen4 -D n=3000 --threads 1,2,4,8,16,48,96",
        "machines": "predict {kernels}/daxpy.c --on zen4 --on neoverse-n1 --on h200 -D n=1000000",
        "stencil paper 14 sizes": f"{paper} -D n=32:240:16",
        "n-body.c 16 sizes": "predict example:n-body.c --on sw26010 -D n=128:2048:128",
        "trace threads": "predict {traces}/jacobi7-192-6.trace.xz --on {traces}/xeon-16.toml --threads 1,2,3,4,8,16",
    }


def _sources() -> Group:
    cpus = ("zen4", "cascade-lake", "sapphire-rapids", "neoverse-n1")
    return {
        f"{name}/{cpus[number % 4]}": f"predict {{corpus}}/{name} --on {cpus[number % 4]}{_defines(values)}"
        for number, (name, values) in enumerate(PROGRAMS.items())
    }


def _sunway() -> Group:
    cases = {}
    for name, values in OFFLOADS.items():
        code = f"predict example:{name}{_defines(values)} --on"
        cases[name] = f"{code} sw26010"
        cases[f"{name}/paper"] = f"{code} sw26010 --mode paper"
        cases[f"{name}/chip"] = f"{code} sw26010-chip"
    choices = (
        "mrp_rounding=round mrp_rounding=none group_rounding=none latency_floor=base transactions=per_request "
        "divide=pipelined double_buffer=equation_14 core_groups=apart overlap=queue overlap=virtual_groups "
        "loops=pipelined scratchpad=flag"
    )
    for name in ("vector-add", "n-body", "n-body-double-buffered"):
        cases[name] = f"predict example:{name} --on sw26010"
        cases[f"{name}/paper"] = f"predict example:{name} --on sw26010 --mode paper"
        cases[f"{name}/chip"] = f"predict example:{name} --on sw26010-chip"
    for name in ("n-body-double-buffered", "physics.c"):
        code = f"predict example:{name}{_defines(OFFLOADS.get(name, ''))} --on sw26010"
        cases |= _options(code, name, choices)
    return cases


def _launch(name: str, folder: str = "gpu") -> str:
    kernel = name.partition("/")[0]
    return f"{{{folder}}}/{kernel}.sass.xz --launch {{{folder}}}/cases.toml --kernel {name}"


def _gpu() -> Group:
    cases = {name: f"predict {_launch(name)} --on h200" for name in LAUNCHES}
    return cases | {name: f"predict {_launch(name, 'held-out')} --on h200" for name in HELD_OUT}


def _gpu_machines() -> Group:
    cases = {}
    for name in FEW_LAUNCHES:
        for gpu in GPUS[1:]:
            cases[f"{name}/{gpu}"] = f"predict {_launch(name)} --on {gpu}"
        for gpu in OLD_GPUS:
            cases[f"{name}/{gpu}"] = f"predict {_launch(name)} --on {gpu}{_GIVEN}"
        cases[f"{name}/paper"] = f"predict {_launch(name)} --on h200 --mode paper"
        cases |= _options(f"predict {_launch(name)} --on h200", name, "start=cold fold=short fold=no precision=quick")
    for gpu in ESTIMATED_GPUS:
        cases[f"{FEW_LAUNCHES[0]}/{gpu}"] = f"predict {_launch(FEW_LAUNCHES[0])} --on {gpu}"
    copy = "predict {gpu}/copy_f32.sass.xz --kernel copy_f32 --on"
    given = "--grid 64 --block 128 --arg f32[8192] --arg f32[8192] --arg 8192"
    cases["command line"] = f"{copy} h200 {given}"
    cases["hit rates"] = f"{copy} a100 {given} --l1-hit 0.5 --l2-hit 0.25"
    cases["set"] = f"{copy} h200 {given} --set memory.bandwidth=2TB/s --set cores.count=100"
    cases["tensor/l40"] = f"predict {_launch('wmma_shared/1024')} --on l40"
    for gpu in ("k20c-automatch", "tesla-c2075", "tesla-k20x", "k20c"):
        cases[f"refused/{gpu}"] = f"predict {_launch(FEW_LAUNCHES[0])} --on {gpu}"
    return cases


def _saake() -> Group:
    choices = (
        "clock=printed finish=last misses=cache order=oldest trace=yes waves=whole waves=fractional waves=backfill"
    )
    cases = {}
    for name in FEW_LAUNCHES:
        for gpu in ("h200", "a100"):
            cases[f"{name}/{gpu}"] = f"predict {_launch(name)} --on {gpu} --model saake"
        for gpu in OLD_GPUS:
            cases[f"{name}/{gpu}"] = f"predict {_launch(name)} --on {gpu} --model saake{_GIVEN}"
        cases[f"{name}/paper"] = f"predict {_launch(name)} --on h200 --model saake --mode paper"
    code = f"predict {_launch('stencil2d_shared/L2')} --on h100 --model saake"
    cases |= _options(code, "stencil", f"{choices.replace('trace=yes ', '')} caches=none")
    for gpu in ("k20c", "titan-x-pascal", "h200", "a100", "l40"):
        cases[f"fig5/{gpu}"] = f"predict example:fig5 --on {gpu}"
        cases[f"fig5/{gpu}/paper"] = f"predict example:fig5 --on {gpu} --mode paper"
    for name in ("chain", "blocks"):
        choices = choices if name == "chain" else choices.replace("trace=yes ", "")
        cases[f"{name}/k20c"] = f"predict {{own}}/{name}.prog --on k20c"
        cases |= _options(f"predict {{own}}/{name}.prog --on titan-x-pascal", name, choices)
    return cases


def _cost() -> Group:
    machines = (
        "{traces}/xeon-2.toml", "{traces}/xeon-16.toml", "h200", "i5-2400", "i7-4700", "tesla-c2075", "k20c-automatch",
        "tesla-k20x",
    )  # fmt: skip
    cases = {}
    for number, name in enumerate(TRACES):
        for step in (number % 2, 2 + number % 6):
            machine = machines[step]
            label = machine.removeprefix("{traces}/").removesuffix(".toml")
            cases[f"{name}/{label}"] = f"predict {{traces}}/{name}.trace.xz --on {machine}"
    for name in ("jacobi7-192-6", "lu-24"):
        code = f"predict {{traces}}/{name}.trace.xz --on {{traces}}/xeon-16.toml"
        cases[f"{name}/16 threads"] = f"{code} --threads 16"
        for machine in ("i5-2400", "i7-4700", "k20c-automatch"):
            cases[f"{name}/{machine}/paper"] = f"predict {{traces}}/{name}.trace.xz --on {machine} --mode paper"
    for machine in ("mi250x", "mi300x"):
        cases[f"lu-24/{machine}"] = f"predict {{traces}}/lu-24.trace.xz --on {machine}"
    for machine in ("i7-4700", "h200", "k20c-automatch"):
        cases[f"blocked-matrix/{machine}"] = f"predict example:blocked-matrix --on {machine}"
        cases[f"blocked-matrix/{machine}/paper"] = f"predict example:blocked-matrix --on {machine} --mode paper"
    choices = (
        "execution=levels hits=at_most fast_traffic=per_reference vectors=as_printed composition=sum "
        "composition=overlapped sync=regions sync=trip sync=trip_minus_1 effort=optimised effort=scalar "
        "reductions=as_written"
    )
    for name in ("matrix_product-1024",):
        code = f"predict {{traces}}/{name}.trace.xz --on {{traces}}/xeon-16.toml --threads 4"
        cases |= _options(code, name, choices)
    return cases


def _counters() -> Group:
    nekbone = "predict example:nekbone-like --on"
    cases = {}
    latencies = " --set memory.latency=100ns --set level.L3.latency=60cycle"
    for machine in ("blue-gene-q", "xeon-phi-7120p", *CPUS):
        on = machine if machine not in CPUS[:3] else machine + latencies
        cases[f"nekbone/{machine}"] = f"{nekbone} {on}"
        if machine in ("blue-gene-q", "xeon-phi-7120p", "neoverse-n1"):
            cases[f"nekbone/{machine}/paper"] = f"{nekbone} {on} --mode paper"
        cases[f"two blocks/{machine}"] = f"predict {{own}}/two-blocks.csv --on {on}"
    choices = (
        "core_ratio=omitted core_threads=added bandwidth=added one_thread=literal parallelism=literal ipc=literal "
        "miss_rates=local caches=square_root traffic_line=target traffic=unscaled overlap=literal baseline=literal "
        "clock=constant memory_latency=cycles"
    )
    cases |= _options(f"{nekbone} xeon-phi-7120p", "nekbone", choices)
    code = f"predict {{own}}/two-blocks.csv --on zen4{latencies}"
    cases |= _options(code, "two blocks", "core_threads=added caches=square_root traffic_line=target clock=constant")
    cases["json"] = "predict {own}/one-block.json --on xeon-phi-7120p"
    cases["set"] = f"{nekbone} blue-gene-q --set level.L1.size=32KiB --set memory.bandwidth=56GB/s --set cores.count=32"
    cases["all"] = "predict {kernels}/triad.c --also example:nekbone-like --all --on neoverse-n1 -D n=100000"
    return cases


def _uses() -> Group:
    """Sensitivities, advice, listings, orders, divisions, tuning and exploration."""
    return {
        "why triad": "why {kernels}/triad.c --on zen4 -D n=100000 --threads 2",
        "why stencil paper": f"why example:stencil7.f90 --on ivy-bridge -D n=160 --mode paper{OLD_CPUS['ivy-bridge']}",
        "why jacobi5": "why {kernels}/jacobi5.c --on cascade-lake -D n=60",
        "why n-body": "why example:n-body --on sw26010",
        "why vector-add.c": "why example:vector-add.c --on sw26010 -D n=65536 -D m=64",
        "why nekbone": "why example:nekbone-like --on blue-gene-q",
        "why trace": "why {traces}/hotspot-16-300.trace.xz --on {traces}/xeon-16.toml --threads 4",
        "why trace gpu": "why {traces}/lu-24.trace.xz --on h200",
        "why fig5": "why example:fig5 --on k20c",
        "why copy": f"why {_launch('copy_f32/tiny')} --on h200",
        "why saake": f"why {_launch('copy_f32/tiny')} --on h200 --model saake",
        "rank triad": "rank {kernels}/triad.c -D n=1000000",
        "rank stencil paper": "rank example:stencil7.f90 -D n=120 --mode paper",
        "rank copy": f"rank {_launch('copy_f32/100-blocks')} --on h200 --on a100 --on l40 --on zen4",
        "rank n-body": "rank example:n-body --code example:n-body-double-buffered --on sw26010 --on sw26010-chip",
        "rank nekbone": "rank example:nekbone-like --on blue-gene-q --on xeon-phi-7120p --on neoverse-n1",
        "rank trace": "rank {traces}/jacobi7-12-200.trace.xz --on i5-2400 --on h200 --on tesla-c2075 --on zen4",
        "rank codes": "rank {kernels}/matmul_ijk.c --code {kernels}/matmul_ikj.c -D n=128 --on zen4 --on neoverse-n1",
        "split trace": "split {traces}/heat2d-1536-10.trace.xz --on {traces}/xeon-16.toml --on h200",
        "split triad": "split {kernels}/triad.c --on zen4 --on cascade-lake -D n=10000000",
        "tune n-body.c": "tune example:n-body.c --on sw26010 -D n=1024",
        "explore area": "explore {examples}/spaces/blue-gene-q-area.toml --engine serial --no-progress",
        "validate sunway": "validate sunway-nbody",
    }


def _refusals() -> Group:
    return {
        "cpu model on a gpu": "predict {kernels}/triad.c --on h200 -D n=1000",
        "gpu code on a cpu": f"predict {_launch('copy_f32/tiny')} --on zen4",
        "no size": "predict {kernels}/triad.c --on zen4",
        "unknown parameter": "predict {kernels}/triad.c --on zen4 -D n=10 -D m=3",
        "unknown machine": "predict {kernels}/triad.c --on zen9 -D n=10",
        "unknown model": "predict {kernels}/triad.c --on zen4 -D n=10 --model trafic",
        "unknown option": "predict {kernels}/triad.c --on zen4 -D n=10 --option rules=x",
        "unknown choice": "predict {kernels}/triad.c --on zen4 -D n=10 --option rule=x",
        "no launch": "predict {gpu}/copy_f32.sass.xz --on h200",
        "launch of another": "predict {gpu}/copy_f32.sass.xz --launch {gpu}/cases.toml --kernel copy_f33 --on h200",
        "unknown example": "predict example:n-bodies --on sw26010",
        "too many threads": "predict {kernels}/triad.c --on zen4 -D n=1000 --threads 1000",
        "scratchpad": "predict example:vector-add.c --on sw26010 -D n=65536 -D m=64 --set scratchpad.size=64B",
        "model without facet": "predict {kernels}/triad.c --on zen4 -D n=1000 --model counters",
        "profile lacks events": "predict {own}/perf.csv --on blue-gene-q",
        "unknown path": "predict {kernels}/triad.c --on zen4 -D n=1000 --set memory.bandwith=3GB/s",
    }


def _divided(name: str, cases: Group, parts: int) -> dict[str, Group]:
    """Groups of about the same size; a hash of the name decides, so that a new case moves no other."""
    groups: dict[str, Group] = {f"{name}-{part + 1}": {} for part in range(parts)}
    for case, command in cases.items():
        groups[f"{name}-{crc32(case.encode()) % parts + 1}"][case] = command
    return groups


def _groups() -> dict[str, Group]:
    tables = (
        _divided("cpu-kernels", _cpu_kernels(), 2), _divided("cpu-machines", _cpu_machines(), 2),
        _divided("cpu-options", _cpu_options(), 2), {"many": _cpu_many()}, _divided("sources", _sources(), 2),
        {"sunway": _sunway()}, _divided("gpu", _gpu(), 2), {"gpu-machines": _gpu_machines(), "saake": _saake()},
        {"cost": _cost(), "counters": _counters(), "uses": _uses(), "refusals": _refusals()},
    )  # fmt: skip
    return dict(chain.from_iterable(table.items() for table in tables))


GROUPS = _groups()
