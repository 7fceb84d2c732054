"""Memory of the simulated device, and which of its managed pages are there."""
