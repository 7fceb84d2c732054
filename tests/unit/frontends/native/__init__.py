"""Tests of compiled code as input."""
