"""Maps opcodes to the execution units of a multiprocessor (sm_75 to sm_121)."""

from __future__ import annotations

from typing import Literal

#: fma: FP32; imad: integer multiply, at half its rate; alu: integer, logic, compare; fp64; half: packed FP16; tensor;
#: xu: transcendental and conversion; uniform; lsu: memory through the shared load/store path; constant; branch:
#: control; none: free
Unit = Literal["fma", "imad", "alu", "fp64", "half", "tensor", "xu", "uniform", "lsu", "constant", "branch", "none"]

#: unit assumed for an unlisted opcode: the slowest of the ordinary ones
CONSERVATIVE: Unit = "xu"

_UNITS: dict[Unit, str] = {
    "fma": ("FFMA FFMA32I FFMA2 FMUL FMUL32I FMUL2 FADD FADD32I FADD2 FSWZADD"),
    "imad": ("IMAD IMAD32I IMUL IDP IDP4A"),
    "alu": (
        "IADD IADD3 IADD32I VIADD LEA LOP LOP3 LOP32I SHF SHL SHR ISETP MOV MOV32I SEL PRMT PLOP3 "
        "FSETP FSET FMNMX FMNMX3 FSEL IMNMX VIMNMX VIMNMX3 VIADDMNMX IABS ISCADD BMSK SGXT VABSDIFF "
        "VABSDIFF4 P2R R2P CS2R PSETP I2IP F2FP I2FP F2IP LEPC VOTE FCHK2 VHMNMX HMNMX2 FSEL2 "
        "MOV64IUR R2UR UMOV2R CREDUX"
    ),
    "fp64": ("DADD DMUL DFMA DSETP DMNMX"),
    "half": ("HADD2 HADD2_32I HFMA2 HFMA2_32I HMUL2 HMUL2_32I HSET2 HSETP2"),
    "tensor": ("HMMA IMMA BMMA DMMA QMMA OMMA HGMMA IGMMA QGMMA BGMMA UTCHMMA UTCIMMA UTCQMMA UTCOMMA MOVM"),
    "xu": ("MUFU I2F F2I F2F I2I FRND POPC FLO BREV FCHK"),
    "uniform": (
        "UIADD3 UIMAD UISETP ULEA ULOP ULOP3 ULOP32I UMOV USEL USHF USHL USHR UPLOP3 UPOPC UFLO UBREV "
        "UBMSK USGXT UPRMT UP2UR UR2UP VOTEU UCLEA UPSETP UIADD UFADD UFMUL UFFMA UFSETP UFMNMX UFSEL "
        "UI2F UF2F UF2I UVIADD UIABS UVIMNMX UIMNMX UI2FP UF2FP UVIADDMNMX UF2IP UMOV32I UVIRTCOUNT "
        "USETMAXREG USETSHMSZ ULEPC UGETNEXTWORKID S2UR CS2UR REDUX ELECT"
    ),
    "lsu": (
        "LD LDG LDS LDL LDSM LDGSTS LDGDEPBAR LDGMC ST STG STS STL STSM STAS ATOM ATOMG ATOMS RED "
        "REDG REDAS SHFL BAR CCTL CCTLL CCTLT MEMBAR ERRBAR FENCE MATCH QSPC SYNCS ARRIVES S2R B2R "
        "R2B TEX TLD TLD4 TMML TXD TXQ SULD SUST SUATOM SURED LDTRAM UTMALDG UTMASTG UTMAREDG UTMAPF "
        "UTMACCTL UTMACMDFLUSH UBLKCP UBLKRED UBLKPF UTCBAR UTCCP UTCATOMSWS LDTM STTM UCGABAR_ARV "
        "UCGABAR_WAIT CGAERRBAR ACQBULK PIXLD AL2P OUT ISBERD"
    ),
    "constant": ("LDC LDCU ULDC"),
    "branch": (
        "BRA BRX BRXU JMP JMX JMXU EXIT BSSY BSYNC BREAK CALL RET RTT KILL WARPSYNC YIELD BMOV BPT "
        "NANOSLEEP DEPBAR ENDCOLLECTIVE PREEXIT WARPGROUP RPCMOV PMTRIG GETLMEMBASE SETLMEMBASE "
        "SETCTAID"
    ),
    "none": ("NOP"),
}
_UNIT_OF: dict[str, Unit] = {opcode: unit for unit, text in _UNITS.items() for opcode in text.split()}

#: accesses to global and local memory, by kind
LOADS = frozenset(("LD", "LDG", "LDGSTS", "LDL"))
STORES = frozenset(("ST", "STG", "STL"))
ATOMICS = frozenset(("ATOM", "ATOMG", "RED", "REDG"))
#: atomics whose result is awaited
RETURNING = frozenset(("ATOM", "ATOMG"))
LOCAL = frozenset(("LDL", "STL"))
GLOBAL = (LOADS | STORES | ATOMICS) - LOCAL
#: textures and surfaces
TEXTURES = frozenset(("TEX", "TLD", "TLD4", "TXD", "SULD", "SUST", "SUATOM", "SURED"))
#: memory traffic not counted: the addresses are in descriptors
UNCOUNTED = TEXTURES | {"UTMASTG", "UTMAREDG", "UTMAPF", "UBLKRED", "UBLKPF", "LDGMC", "UTCCP"}
#: copies into shared memory that complete an mbarrier
BULK_COPIES = frozenset(("UBLKCP", "UTMALDG"))
#: shared memory
SHARED = frozenset(("LDS", "STS", "LDSM", "STSM", "ATOMS"))


def writes_memory(opcode: str) -> bool:
    """Whether an opcode writes or updates global memory."""
    return opcode in STORES or opcode in ATOMICS


def known(opcode: str) -> bool:
    """Whether an opcode (without modifiers) is listed."""
    return opcode in _UNIT_OF


def unit(opcode: str) -> Unit:
    """Returns the unit of an opcode; `CONSERVATIVE` for an unknown one."""
    return _UNIT_OF.get(opcode, CONSERVATIVE)
