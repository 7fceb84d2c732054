"""The user's translation unit, compiled to assembly by a compiler of this machine."""
