"""Library functions known by name: math, memory, input and output, message passing."""

from __future__ import annotations

from foretell.core.mathematics import COMPUTED


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Each counts as one operation of this name, on the floating-point type of the call.
MATH = (COMPUTED - {"exp10", "sincos"}) | _words(
    """
    sqrt floor ceil trunc round rint nearbyint lround llround ldexp frexp copysign fabs abs fma fmin fmax min max sign
    cabs conj creal cimag carg cexp clog csqrt real aimag cmplx dble int nint isnan isinf isfinite signbit fdim rsqrt
    merge mod modulo
    """
)

#: Functions with integer results that stay symbolic.
INTEGER = {"min": "min", "max": "max", "abs": "abs", "mod": "rem", "modulo": "mod"}

#: Functions without any operation that a model counts; scalars keep their values.
IGNORED = _words(
    """
    printf fprintf sprintf snprintf puts putchar fputs fflush fopen fclose perror exit abort assert free
    omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_wtime omp_set_num_threads clock time
    gettimeofday clock_gettime srand rand drand48 random getenv atoi atof atol strtol strcmp strlen write print read
    open close inquire cpu_time system_clock date_and_time allocate deallocate nullify stop __builtin_expect
    __builtin_assume __builtin_assume_aligned __builtin_prefetch _mm_prefetch present allocated associated size
    lbound ubound substring
    """
)

#: Functions that do not return.
NEVER_RETURNS = _words(
    "exit abort quick_exit assert_fail stop error_stop mpi_abort builtin_unreachable builtin_trap builtin_abort longjmp"
)

#: Allocation functions: each call returns a new object.
ALLOCATORS = _words(
    "malloc calloc realloc aligned_alloc posix_memalign _mm_malloc alloca __builtin_alloca memalign valloc mmap"
)

#: Positions of (count, type) in the arguments of an MPI call that transfers data.
_SENDS = "send isend ssend rsend bsend recv irecv bcast sendrecv gather allgather scatter alltoall"
MESSAGES = {f"mpi_{name}": (1, 2) for name in _SENDS.split()}
MESSAGES |= {f"mpi_{name}": (2, 3) for name in ("allreduce", "reduce", "scan")}

MESSAGE_TYPES = {
    "mpi_double": 8,
    "mpi_double_precision": 8,
    "mpi_real8": 8,
    "mpi_float": 4,
    "mpi_real": 4,
    "mpi_real4": 4,
    "mpi_int": 4,
    "mpi_integer": 4,
    "mpi_long": 8,
    "mpi_long_long": 8,
    "mpi_char": 1,
    "mpi_byte": 1,
    "mpi_character": 1,
    "mpi_double_complex": 16,
    "mpi_complex": 8,
}


def math_name(function: str) -> str | None:
    """The canonical name of a math function: sqrtf, dsqrt and __builtin_sqrt are sqrt."""
    name = function.removeprefix("__builtin_")
    if name in MATH:
        return name
    if name.endswith(("f", "l")) and name[:-1] in MATH:
        return name[:-1]
    return None
