"""Machines: named quantities with sources, the table of all parameters, cache capacities."""
