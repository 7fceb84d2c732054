"""Reads profiles of counter tools to a `Workload` with a `Counts` facet. One reader per format, detected by content."""

from foretell.frontends.counters.formats import FORMATS, detect
from foretell.frontends.counters.profile import Launch, read_profile

__all__ = ["FORMATS", "Launch", "detect", "read_profile"]
