"""Counter profiles of a program on this machine."""
