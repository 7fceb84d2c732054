"""Cost classes of x86-64 instructions: kind of operation and element type, from the mnemonic.

Mnemonics are matched without the `v` of the vector forms. The order matters: the first matching pattern wins. Families
follow the chapters of Intel's Software Developer's Manual, volume 2.
"""

from __future__ import annotations

import re
from functools import lru_cache

_FLOAT = {"pd": "f64", "sd": "f64", "ps": "f32", "ss": "f32"}
_INTEGER = {"b": "i8", "w": "i16", "d": "i32", "q": "i64"}

#: (pattern, kind); a group named `t` holds the element type
_VECTOR = [
    (re.compile(pattern), kind)
    for pattern, kind in (
        (r"(?:add|sub|addsub)(?P<t>[ps][sd])", "add"),
        (r"mul(?P<t>[ps][sd])", "multiply"),
        (r"f(?:n?m(?:add|sub)|maddsub|msubadd)\d{3}(?P<t>[ps][sd])", "fma"),
        (r"div(?P<t>[ps][sd])", "divide"),
        (r"sqrt(?P<t>[ps][sd])", "sqrt"),
        (r"r(?:sqrt|cp)(?:14|28)?(?P<t>[ps][sd])", "reciprocal"),
        (r"(?:min|max|range)(?P<t>[ps][sd])", "minmax"),
        (r"h(?:add|sub)(?P<t>p[sd])", "horizontal"),
        (r"(?:and|andn|or|xor)(?P<t>p[sd])", "logic"),
        (r"cmp\w*?(?P<t>[ps][sd])", "compare"),
        (r"fpclass(?P<t>[ps][sd])", "compare"),
        (r"u?comi(?P<t>s[sd])", "compare_flags"),
        (r"(?:round|rndscale|reduce|getexp|getmant|scalef)(?P<t>[ps][sd])", "round"),
        (r"cvtt?(?:sd|ss)2u?si[lq]?", "convert_to_general"),
        (r"cvtu?si2(?P<t>s[sd])[lq]?", "convert_from_general"),
        (r"cvtu?(?:dq2(?P<t>ps)|qq2(?P<u>pd))", "convert_same"),
        (r"cvtt?(?:(?P<t>ps)2u?dq|(?P<u>pd)2u?qq)", "convert_same"),
        (r"cvt\w+2(?P<t>[ps][sd])x?", "convert"),
        (r"cvt\w+", "convert"),
        (r"shuf(?P<t>p[sd])|pshuf\w+|punpck\w+|ps[lr]ldq", "shuffle_two"),
        (r"unpck[lh](?P<t>p[sd])", "shuffle"),
        (r"permil(?P<t>p[sd])", "shuffle"),
        (r"mov(?:ddup|hlps|lhps)", "shuffle"),
        (r"movs[hl]dup", "shuffle_two"),
        (r"insertps", "shuffle"),
        (r"blendv(?P<t>p[sd])|pblendvb", "blend_by"),
        (r"blendm?(?P<t>p[sd])", "blend"),
        (r"pblendm?(?P<t>[bwdq])?", "blend"),
        (r"gather[dq](?P<t>p[sd])|pgather[dq](?P<u>[dq])", "gather"),
        (r"(?:p?scatter\w+)", "scatter"),
        (r"p?broadcast\w*", "permute"),
        (r"perm[it]2[bw]", "permute_two"),
        (r"perm\w*|align[dq]|(?:extract|insert)[fi]\d+(?:x\d)?", "permute"),
        (r"p?(?:expand|compress)\w+", "permute"),
        (r"shuf[fi]\d+x\d", "permute"),
        (r"pmov[sz]x\w+", "extend"),
        (r"pmovu?s?[wdq][bwd]", "permute"),
        (r"p(?:alignr|ack\w+)", "shuffle"),
        (r"pextr[bwdq]|extractps", "extract"),
        (r"pinsr[bwdq]", "insert"),
        (r"p(?:add|sub)u?s?(?P<t>[bwdq])", "add"),
        (r"p(?:abs|sign|avg)(?P<t>[bwdq])", "minmax_int"),
        (r"p(?:min|max)[us](?P<t>[bwdq])", "minmax_int"),
        (r"pmull(?P<t>[bwdq])|pmulhu?(?P<u>w)", "multiply"),
        (r"pmulu?dq", "multiply_wide"),
        (r"pmadd\w+|pmulhrsw|pdp\w+", "multiply_wide"),
        (r"psadbw", "permute"),
        (r"p(?:s(?:ll|rl|ra)v?|ro[lr]v?)(?P<t>[wdq])", "shift"),
        (r"p(?:and|andn|or|xor|ternlog)(?P<t>[dq])?", "logic"),
        (r"p(?:cmp\w*?|test(?:n)?m)(?P<t>[bwdq])", "compare"),
        (r"movmskp[sd]|pmovmskb|pmov[bwdq]2m", "from_vector"),
        (r"p?test(?:p[sd])?", "compare_flags"),
        (r"pmovm2[bwdq]", "to_vector"),
        (r"(?:pconflict|plzcnt|popcnt)(?P<t>[bwdq])", "multiply"),
        (r"aes\w+|pclmul\w+|gf2p8\w+|sha\w+", "multiply"),
        (r"zeroupper|zeroall", "none"),
    )
]

#: integer instructions by kind
_SCALAR_WORDS = {
    "add": "add sub and or xor cmp test inc dec neg not andn adc sbb bt bts btr btc xadd bextr blsr blsi blsmsk bswap "
    "xchg cltq cqto cltd cdq cqo cdqe cwtl cwde",
    "shift": "shl sal shr sar rol ror shlx shrx sarx rorx",
    "multiply": "imul mul mulx popcnt tzcnt lzcnt bsf bsr pdep pext crc32 shld shrd",
    "divide": "idiv div",
    "none": "nop endbr64 rep leave ud2 nopl nopw data16 cs notrack pause lfence",
    "lea": "lea",
    "move": "mov movabs",
    "store": "push",
    "load": "pop",
    "call": "call",
    "jump": "jmp",
    "return": "ret",
}
_SCALAR = {word: kind for kind, words in _SCALAR_WORDS.items() for word in words.split()}


def plain_mnemonic(mnemonic: str) -> str:
    """Mnemonic without AT&T's size suffix: addq → add; vector and unknown mnemonics are unchanged."""
    if mnemonic in _SCALAR:
        return mnemonic
    if mnemonic[-1:] in "bwlq" and mnemonic[:-1] in _SCALAR:
        return mnemonic[:-1]
    if re.fullmatch(r"mov[sz](?:[bwl][wlq]|x|xd)|movslq", mnemonic):
        return "movx"
    return mnemonic


@lru_cache(maxsize=4096)
def classify(mnemonic: str) -> tuple[str, str] | None:
    """(kind, element) of a plain mnemonic; None where it is unknown."""
    if mnemonic in _SCALAR:
        return _SCALAR[mnemonic], "i64"
    if mnemonic == "movx":
        return "add", "i64"
    if re.fullmatch(r"j\w+", mnemonic):
        return "jump", "i64"
    if re.fullmatch(r"(?:cmov|set)n?(?:a|be)", mnemonic):
        return "select_two", "i64"  # on two flags that are renamed apart
    if re.fullmatch(r"cmov\w+|set\w+", mnemonic):
        return "select", "i64"
    if mnemonic.startswith("prefetch"):
        return "load", "i64"
    if re.fullmatch(r"kmov[bwdq]", mnemonic):
        return "move_mask", "i64"
    if re.fullmatch(r"k(?:add|shift[lr]|unpck)\w*", mnemonic):
        return "shift_mask", "i64"
    if re.fullmatch(r"k(?:and|andn|or|xor|xnor|not|ortest|test)\w*", mnemonic):
        return "mask", "i64"
    name = mnemonic.removeprefix("v")
    if re.fullmatch(r"mov(?:[au]p[sd]|dq[au]?(?:8|16|32|64)?|ntp[sd]|ntdqa?|[lh]p[sd]|s[sd]|[dq])|lddqu", name):
        return "move", {"s": "f32", "d": "f64"}.get(name[-1], "i64")
    for pattern, kind in _VECTOR:
        if match := pattern.fullmatch(name):
            groups = match.groupdict()
            kind_of = groups.get("t") or groups.get("u") or ""
            return kind, _FLOAT.get(kind_of) or _INTEGER.get(kind_of) or ("f64" if name.endswith("d") else "i64")
    return None
