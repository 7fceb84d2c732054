"""Calls whose way data decide: jumps and ends of loops by a rule, searched loads, and the time that they steer."""
