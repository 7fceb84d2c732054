"""One small reader for each counter tool's format."""
