"""Arithmetic over many design points: user expressions, lazy columns, boxes, spaces, samples."""
