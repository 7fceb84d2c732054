"""`foretell describe`."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from foretell import frontends, machines
from foretell.cli import common, config
from foretell.cli.input import completion, stdin
from foretell.cli.measured.tracing import ProgramCommand, TraceRequest, trace_options
from foretell.core.nest.loopnest import Loops
from foretell.uses.describe import describe, describe_kernels

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.description import KernelDescription, KernelList
    from foretell.core.workload import Workload


@click.command("describe", cls=ProgramCommand)
@click.argument("code", nargs=-1, required=True, shell_complete=completion.codes)
@common.define_option
@click.option("-I", "--include", "includes", multiple=True, type=common.PATH, help="A folder of headers.")
@click.option("--cflags", metavar="FLAGS", default="", help="Macros and folders of headers: '-DN=512 -Iinclude'.")
@common.branch_option
@click.option("--arch", type=int, help="GPU code: the architecture (90: sm_90) to read, or to compile a .cu for.")
@click.option("--nvcc", default="", help="Flags for the compilation of a .cu.")
@click.option("--xml", is_flag=True, help="Loop nests as ExaSAT-style XML.")
@trace_options
@common.on_option(False, "A GPU whose occupancy is shown; with --plot, a machine whose caches are marked.")
@common.plot_option
@common.format_option
def command(
    code: tuple[str, ...],
    defines: tuple[str, ...],
    includes: tuple[Path, ...],
    cflags: str,
    branch: tuple[str, ...],
    arch: int | None,
    nvcc: str,
    xml: bool,
    trace: TraceRequest,
    on: tuple[str, ...],
    plot: Path | None,
    format_: str,
) -> None:
    """What foretell sees in CODE: a workload file, C and Fortran files and folders of one program, or GPU code
    (its kernels with parameters and occupancy; of one, the branches that --branch and --trip can name).

    -D gives a value to a macro or to a parameter of the loops. With --trace, the program (C, C++, Fortran, LLVM IR)
    is compiled and run with the arguments behind --, and what its kernel did is described; --plot draws its parallelism
    and its reuse of memory; of sources, what each loop nest does and touches.
    """
    code = tuple(stdin.file_of(name) for name in code)
    if not trace.wanted and len(code) == 1 and frontends.is_machine_code(frontends.locate(code[0])):
        given = [*(f"-I{folder}" for folder in includes), *(f"-D{text}" for text in defines)]
        answer = _kernels(code[0], trace, arch, nvcc, f"{shlex.join(given)} {cflags}", on)
        common.draw(answer.report_name, answer, plot)
        common.write(answer.report_name, answer, format_)
        return
    if arch or nvcc:
        raise click.UsageError("--arch and --nvcc are for GPU code")
    if trace.wanted or (len(code) == 1 and not frontends.is_source(frontends.file_and_function(code[0])[0])):
        if trace.wanted:
            workload = _trace(code, defines, includes, cflags, trace)
        else:
            chosen = frontends.read_options(kernel=_named(trace))
            workload = frontends.read(code[0], chosen).with_parameters(common.one_point(defines))
        _draw(workload, on, plot)
        common.write("workload", workload, format_)
        return
    branches = tuple(common.pairs(branch, "--branch").items())
    macros = tuple(common.pairs(defines, "-D").items())
    options = frontends.SourceOptions(includes, macros, kernel=_named(trace), branches=branches, cflags=cflags)
    _sources(code, options, plot, xml, format_)


def _named(trace: TraceRequest) -> str | None:
    """The function or kernel that is asked for."""
    default = click.get_current_context().get_parameter_source("kernel") is ParameterSource.DEFAULT
    return None if default else trace.given["kernel"]


def _kernels(
    code: str, trace: TraceRequest, arch: int | None, nvcc: str, cflags: str, on: tuple[str, ...]
) -> KernelList | KernelDescription:
    """The kernels of GPU code, or the one that --kernel names."""
    device = machines.load(on[0]) if on else None
    path = frontends.locate(code)
    return describe_kernels(path, _named(trace), arch, frontends.nvcc_flags(path, nvcc, cflags), device)


def _sources(
    code: tuple[str, ...], options: frontends.SourceOptions, plot: Path | None, xml: bool, format_: str
) -> None:
    """Writes the loop nests of C and Fortran files."""
    with common.progress("reading") as step:
        described = describe(lambda: frontends.read_sources(code, options, step))
    common.draw("loops", described, plot)
    if xml:
        from foretell.report.nest_xml import write_xml

        click.echo(write_xml(described.workload.facet(Loops).nests), nl=False)
    else:
        common.write("loops", described, format_)


def _trace(
    code: tuple[str, ...], defines: tuple[str, ...], includes: tuple[Path, ...], cflags: str, trace: TraceRequest
) -> Workload:
    macros = (f"-D{name}={value}" for name, value in common.pairs(defines, "-D").items())
    try:
        flags = (*macros, *shlex.split(cflags))
    except ValueError as error:
        raise click.UsageError(f"--cflags {cflags}: {error}") from None
    options = replace(trace.options, flags=flags, includes=includes)
    with common.progress("tracing") as step:
        workload = frontends.read_trace([frontends.locate(name) for name in code], options, step)
    if trace.store is not None:
        frontends.write_trace(workload, trace.store)
        common.wrote(trace.store)
    return workload


def _draw(workload: Workload, on: tuple[str, ...], plot: Path | None) -> None:
    if plot is None:
        return
    from foretell.core.facets.trace import Trace
    from foretell.report.plots import answers

    if not any(isinstance(facet, Trace) for facet in workload.facets):
        raise click.UsageError(f"--plot draws a trace, and {workload.name} has none")
    answers.trace(workload.facet(Trace), [machines.load(config.machine_file(name)) for name in on], plot)
    common.wrote(plot)


@click.command("examples")
def examples() -> None:
    """The shipped codes: `foretell predict example:NAME`."""
    for name in frontends.examples():
        click.echo(f"example:{name}")
