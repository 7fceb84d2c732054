"""JUnit: a test case for each code on each machine; a broken limit is a failure, what is not compared is skipped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from foretell.core.answers.check import Check

#: characters that XML 1.0 does not allow
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def dumps(item: Check) -> str:
    """The document of a check."""
    counts = {"tests": len(item.changes) + len(item.not_compared), "failures": len(item.broken)}
    counts |= {"skipped": len(item.not_compared), "errors": 0}
    suite = ElementTree.Element("testsuite", {"name": "foretell check", **{k: str(n) for k, n in counts.items()}})
    for change in sorted(item.changes, key=lambda change: change.name):
        case = ElementTree.SubElement(suite, "testcase", _attributes(change.code, change.machine, change.head_s))
        said = "\n".join([change.headline, *(reason.text for reason in change.reasons)])
        if change.broken:
            failure = ElementTree.SubElement(case, "failure", {"message": _clean(change.broken), "type": "limit"})
            failure.text = _clean(said)
        else:
            ElementTree.SubElement(case, "system-out").text = _clean(said)
    for entry in item.not_compared:
        case = ElementTree.SubElement(suite, "testcase", _attributes(entry.code, entry.machine, 0.0))
        ElementTree.SubElement(case, "skipped", {"message": _clean(f"{entry.side}: {entry.reason}")})
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


def _attributes(code: str, machine: str, seconds: float) -> dict[str, str]:
    return {"name": _clean(code), "classname": _clean(machine), "time": f"{seconds:.9f}"}


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
