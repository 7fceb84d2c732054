"""From what the user has to a `Workload`: one front end for each kind of input, chosen by the file."""

from foretell.frontends.read import examples, read

__all__ = ["examples", "read"]
