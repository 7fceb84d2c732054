"""From what the user has to a `Workload`: one front end for each kind of input, chosen by the file."""

from foretell.frontends.read import examples, is_source, locate, read, read_sources
from foretell.frontends.source import SourceOptions

__all__ = ["SourceOptions", "examples", "is_source", "locate", "read", "read_sources"]
