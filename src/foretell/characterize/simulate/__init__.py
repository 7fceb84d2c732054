"""Cache simulation of a nest's exact addresses."""
