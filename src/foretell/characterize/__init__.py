"""From loop nests to what they do: operations, accesses, dependences, planes, footprints."""
