"""What large.py makes: for each format a beginning, a line that is repeated, an end, and the command that reads it.

`{i}` in a line is its number, `{address}` that of an instruction of 16 bytes. Several shapes of one format reach
different parts of its reader: many statements, many functions, lines without content.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_BLOCK = 20_000


@dataclass(frozen=True)
class Format:
    """A kind of file. In `command` FILE is the file and FOLDER its folder; `wrap` makes what is written of the text;
    `beside` are other files that the command needs; `limited`: the command has the options of limits; `begun`: the
    command itself begins the file, and lines are added: a journal of another search would not be read."""

    name: str
    file: str
    command: tuple[str, ...]
    line: str
    head: str = ""
    tail: str = ""
    beside: tuple[tuple[str, str], ...] = ()
    wrap: Callable[[bytes], bytes] | None = None
    limited: bool = True
    begun: bool = False

    def words(self, folder: Path) -> list[str]:
        """The command that reads the file."""
        named = str(folder / self.file)
        return [word.replace("FILE", named).replace("FOLDER", str(folder)) for word in self.command]

    def write(self, folder: Path, lines: int) -> Path:
        """Writes the file with so many lines."""
        for name, text in self.beside:
            (folder / name).write_text(text)
        path = folder / self.file
        path.parent.mkdir(exist_ok=True)
        if self.wrap is not None:
            with path.open("ab") as file:
                file.write(self.wrap(b"".join(self._parts(lines))))
            return path
        with path.open("wb") as file:
            file.writelines(self._parts(lines))
        return path

    def _parts(self, lines: int) -> Iterator[bytes]:
        yield self.head.encode()
        for first in range(0, lines, _BLOCK):
            numbers = range(first, min(first + _BLOCK, lines))
            yield "".join(map(self._line, numbers)).encode()
        yield self.tail.encode()

    def _line(self, number: int) -> str:
        return self.line.replace("{i}", str(number)).replace("{address}", f"{16 * number:04x}") + "\n"


def _journal(text: bytes) -> bytes:
    """Lines with their checksums."""
    return b"".join(f"{zlib.crc32(line):08x} ".encode() + line + b"\n" for line in text.split(b"\n") if line)


def _capture(text: bytes) -> bytes:
    """The index of a capture behind its head."""
    from foretell.frontends.gpu.capture import HEAD, MAGIC

    packed = zlib.compress(text, 1)
    return HEAD.pack(MAGIC, len(packed), hashlib.sha256(packed).digest()) + packed


_CPU, _GPU = ("--on", "zen4"), ("--on", "h200")
_LAUNCH = ("--grid", "64", "--block", "128")
_C_LOOP = "void f(int n, double *a) { for (int i = 0; i < n; i++) {\n"
_F_LOOP = "subroutine f(a, n)\ninteger :: n, i\nreal(8) :: a(n)\ndo i = 1, n\n"
_IR = "define double @f(ptr %a) {\nentry:\n"
_SASS = """foretell sass 1
kernel k
arch 90
registers 8
shared 0
barriers 0
stack 0
parameters 0x210
code
"""
_PTX = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .f32 %f<4>;\n"
_AXPY_CU = 'extern "C" __global__ void k(float *x) { x[threadIdx.x] += 1; }\n'
_T1 = """{"General": {}, "ConfigurationSpace": {"TuningParameters": [{"Name": "B", "Type": "int", "Values": "[32]"}],
"Conditions": []}, "KernelSpecification": {"Language": "CUDA", "KernelFile": "k.cu", "KernelName": "k", "GlobalSize":
{"X": "1024"}, "LocalSize": {"X": "B"}, "Arguments": [
"""
_TUNE = '{"foretell-tune": 1, "key": "sha256:00"}\n'
_TUNE_LINE = '{"point": {"tile_i": {i}.0}, "judged_s": 1e-05}'
_TUNE_POINT = '{"point": {"tile_i": {i}.0, "tile_j": 0.0, "unroll_j": 1.0}, "judged_s": 1e-05}'
_EXPLORE = '{"foretell-explore": 1, "key": "sha256:00", "blocks": 1000000, "recipe": {}}\n'
_SPACE = 'name = "s"\nmachine = "sw26010"\n[[application]]\ncode = "example:vector-add"\n'
_AXES = "[names]\nc = 'cores.count'\n[axes]\nc=[1,2]\n[objectives]\nminimise=['time']\n"
_TUNED = ("tune", "example:hotspot.c", "--on", "sw26010", "-D", "n=64", "-D", "m=64", "--journal", "FILE")
_TRACE = '{"format": "foretell-trace-1", "name": "f", "origin": "f.c", "input_hash": "", "assumptions": ['
_CAPTURED = '{"blobs": [], "launches": [\n'
_LAUNCHED = (
    '{"kernel": "k", "module": 0, "parameters": 0, "grid": [1,1,1], "block": [32,1,1], "shared": 0, "count": 1},'
)
_NCU = '"ID","Process ID","Kernel Name","Block Size","Grid Size","Metric Name","Metric Unit","Metric Value"\n'
_NCU_LINE = '"{i}","1","k","(128, 1, 1)","(64, 1, 1)","gpu__time_duration.sum","nsecond","1000"'
_LIKWID_CSV = "CPU name:,Xeon\nTABLE,Region r,Group 1 Raw,MEM,4\nEvent,Counter,HWThread 0\n"
_LIKWID_TEXT = "CPU name:\tZen\nRegion r, Group 1: MEM\n+-+-+-+\n| Event | Counter | HWThread 0 |\n+-+-+-+\n"
_STARTED = "# started on Sun Nov 15 02:54:27 2026\n"
_PERF_TEXT = "\n Performance counter stats for './a':\n\n"
_PERF_JSON = '{"counter-value" : "4.0", "unit" : "", "event" : "e{i}", "event-runtime" : 1, "pcnt-running" : 100.00}'
_PAPI = '{"papi_version": "7.0", "threads": {"0": {"regions": {\n'
_PAPI_LINE = '"{i}": {"name": "r{i}", "parent_region_id": "-1", "cycles": "2"},'
_PAPI_END = '"x": {"name": "x", "parent_region_id": "-1", "cycles": "2"}}}}}\n'
_NEUTRAL_JSON = '{"format": "foretell-profile", "version": 1, "name": "b", "machine": "blue-gene-q", "regions": [\n'
_ROCPROF = '"Correlation_Id","Dispatch_Id","Kernel_Name","Counter_Name","Counter_Value"\n'
_VTUNE = "Function,Hardware Event Count:CPU_CLK_UNHALTED.THREAD\n"
_HPM = " hpmcount (V 3.2.1) summary\n"
_CACHEGRIND = "desc: I1 cache\ncmd: ./a\nevents: Ir\nfl=a.c\n"
_CALLGRIND = "# callgrind format\nversion: 1\ncreator: callgrind\nevents: Ir\nfl=a.c\n"
_SAVED = '{"kind": "foretell check", "version": "h", "outcomes": {\n'
_PLAIN = '{"format": "foretell-profile", "version": 1, "regions": [1,\n'


def _imported(name: str, file: str, line: str, head: str, tail: str = "") -> Format:
    return Format(f"profile {name}", file, ("import", "FILE"), line, head, tail)


_FORMATS = (
    Format("c statements", "a.c", ("predict", "FILE", *_CPU, "-D", "n=64"), "a[i]+=1;", _C_LOOP, "}}\n"),
    Format("c functions", "a.c", ("describe", "FILE"), "int f{i}();"),
    Format("c definitions", "a.c", ("describe", "FILE"), "int f{i}(){}"),
    Format("c macros", "a.c", ("describe", "FILE"), "#define M{i}"),
    Format("c empty lines", "a.c", ("predict", "FILE", *_CPU, "-D", "n=64"), "", "", _C_LOOP + "a[i]=1;}}\n"),
    Format("c++ statements", "a.cpp", ("predict", "FILE:f", *_CPU, "--arg", "64", "--arg", "f64[64]"), "a[i]+=1;",
           _C_LOOP, "}}\n"),
    Format("c++ functions", "a.cpp", ("describe", "FILE"), "int f{i}(){}"),
    Format("fortran statements", "a.f90", ("predict", "FILE", *_CPU, "-D", "n=64"), "a(i)=a(i)+1", _F_LOOP,
           "end do\nend subroutine\n"),
    Format("fortran declarations", "a.f90", ("describe", "FILE"), "integer::v{i}", "subroutine f()\n",
           "end subroutine\n"),
    Format("fortran comments", "a.f90", ("predict", "FILE", *_CPU, "-D", "n=64"), "!", "",
           _F_LOOP + "a(i)=1\nend do\nend subroutine\n"),
    Format("fortran subroutines", "a.f90", ("describe", "FILE"), "entry f{i}", "subroutine f()\n", "end subroutine\n"),
    Format("fixed fortran", "a.f", ("describe", "FILE"), "      X=X+1", "      SUBROUTINE F(X)\n", "      END\n"),
    Format("cuda statements", "k.cu", ("predict", "FILE", *_GPU, *_LAUNCH, "--arg", "f32[128]"), "x[0]+=1;",
           'extern "C" __global__ void k(float *x) {\n', "}\n"),
    Format("cuda empty lines", "k.cu", ("predict", "FILE", *_GPU, *_LAUNCH, "--arg", "f32[128]"), "", "", _AXPY_CU),
    Format("ptx", "k.ptx", ("predict", "FILE", *_GPU, *_LAUNCH), "add.f32 %f1,%f1,%f2;", _PTX, "ret;\n}\n"),
    Format("sass", "k.sass", ("predict", "FILE", *_GPU, *_LAUNCH),
           "{address} FADD R1,R2,R3 ; 0000000302017221 000fe20000000000", _SASS),
    Format("sass numbered", "k.sass", ("describe", "FILE"), "0000 NOP ; 0000000000007918 000fc00000000000", _SASS),
    Format("assembly", "a.s", ("predict", "FILE:f", *_CPU), "addsd %xmm0, %xmm1", ".globl f\nf:\n", "ret\n"),
    Format("assembly labels", "a.s", ("predict", "FILE:f", *_CPU), ".L{i}: jne .L{i}", ".globl f\nf:\n", "ret\n"),
    Format("llvm ir", "a.ll", ("describe", "--trace", "--function", "f", "FILE"), "%v{i} = fadd double 1.0, 2.0", _IR,
           "ret double 1.0\n}\n"),
    Format("trace", "a.trace", ("describe", "FILE"), '"x",', _TRACE, '"x"], "trace": {}}\n'),
    Format("abstract program", "a.prog", ("predict", "FILE", *_GPU), "S{i}: GM",
           "resource GM latency=500 gap=100\nwarps 3\nresident 1\nschedulers 1\nissue 1\n"),
    Format("workload", "w.toml", ("predict", "FILE", "--on", "sw26010"), "1,", "a=[\n", "]\n"),
    Format("workload comments", "w.toml", ("predict", "FILE", "--on", "sw26010"), "#", "", 'name = "w"\n'),
    Format("launches", "l.toml", ("predict", "FOLDER/k.cu", *_GPU, "--launch", "FILE"), "1,", "a=[\n", "]\n",
           (("k.cu", _AXPY_CU),)),
    Format("launches of ncu", "l.csv", ("predict", "FOLDER/k.cu", *_GPU, "--launch", "FILE", "--arg", "f32[128]"),
           _NCU_LINE, _NCU, "", (("k.cu", _AXPY_CU),)),
    Format("tuning space T1", "t.json", ("tune", "FILE", *_GPU), "1,", _T1, "1]}}\n", (("k.cu", _AXPY_CU),)),
    Format("machine", "m.toml", ("machines", "check", "FILE"), "1,", "a=[\n", "]\n", limited=False),
    Format("machine comments", "m.toml", ("predict", "example:stencil7.c", "--on", "FILE", "-D", "n=64"), "#", "",
           'base = "zen4"\nname = "m"\n'),
    Format("space", "s.toml", ("explore", "FILE"), "1,", _SPACE + "[axes]\nx=[\n", "]\n"),
    Format("journal of tune", "journal", _TUNED, _TUNE_LINE, _TUNE, wrap=_journal),
    Format("journal of tune, its own", "journal", (*_TUNED, "--strategy", "hybrid"), _TUNE_POINT, wrap=_journal,
           begun=True),
    Format("journal of explore", "journal", ("explore", "FOLDER/s.toml", "--journal", "FILE"), '{"block": {i}}',
           _EXPLORE, "", (("s.toml", _SPACE + _AXES),), _journal),
    Format("journal of explore, its own", "journal", ("explore", "FOLDER/s.toml", "--journal", "FILE"),
           '{"block": 0, "summary": {"points": {i}}}', "", "", (("s.toml", _SPACE + _AXES),), _journal, begun=True),
    Format("foretell.toml", "foretell.toml", ("check", "--base", "FOLDER", "--head", "FOLDER", "--config", "FILE"),
           "1,", "machines=[\n", "]\n"),
    Format("saved check", "saved.json", ("check", "--base", "FILE", "--head", "FILE"), '"f{i}": {},', _SAVED,
           '"g": {}}}\n'),
    Format("compile_commands.json", "compile_commands.json", ("describe", "FILE"),
           '{"file": "a{i}.c", "directory": ".", "command": "gcc -c a.c"},', "[", '{"file": "a.c"}]\n'),
    Format("capture", "a.capture", ("predict", "FILE", *_GPU), _LAUNCHED, _CAPTURED, _LAUNCHED[:-1] + "]}", (),
           _capture),
    Format("answer", "a.json", ("report", "FILE"), "1,", '{"a": [', "1]}\n"),
    Format("split", "a.split.toml", ("split", "FILE"), "1,", "a=[\n", "]\n"),
    Format("logs of record", "logs/a.launches", ("record", "--logs", "FOLDER/logs", "-o", "FOLDER/a.capture"),
           "x" * 11),
    _imported("neutral csv", "p.csv", "r{i},instInt,1", "# machine: blue-gene-q\n# cores: 16\nregion,event,value\n"),
    _imported("neutral json", "p.json", '{"name": "r{i}", "events": {"time": 1}},', _NEUTRAL_JSON,
              '{"name": "x", "events": {"time": 1}}]}\n'),
    _imported("perf csv", "p.csv", "1,,cycles,1,100.00,,", _STARTED),
    _imported("perf csv intervals", "p.csv", "     {i}.020101465,S0-D0-C0,1,7,,instructions,20211965,100.00,346,/s",
              _STARTED),
    _imported("perf json", "p.json", _PERF_JSON, ""),
    _imported("perf text", "p.txt", "     4,005,871      event{i}      #  2.866 GHz", _PERF_TEXT,
              "\n       1.5 seconds time elapsed\n"),
    _imported("papi", "p.json", _PAPI_LINE, _PAPI, _PAPI_END),
    _imported("likwid csv", "p.csv", "E{i},PMC0,1", _LIKWID_CSV),
    _imported("likwid text", "p.txt", "| E{i} | PMC0 | 1 |", _LIKWID_TEXT, "+-+-+-+\n"),
    _imported("ncu", "p.csv", _NCU_LINE, _NCU),
    _imported("rocprofv3", "p.csv", '{i},{i},"k","SQ_WAVES",64', _ROCPROF),
    _imported("vtune", "p.csv", "f{i},1000", _VTUNE),
    _imported("hpm", "p.txt", "  PM_E{i} (event) : 5", _HPM),
    _imported("cachegrind", "p.out", "{i} 1", _CACHEGRIND + "fn=f\n", "summary: 1000000\n"),
    _imported("callgrind functions", "p.out", "fn=(1{i}) f{i}", _CALLGRIND, "1 1\ntotals: 1\n"),
    _imported("numbers", "p.json", "1,", _PLAIN, "1]}\n"),
)  # fmt: skip
FORMATS = {form.name: form for form in _FORMATS}
