"""Characterises loop nests: operations, accesses, dependences, planes, footprints."""
