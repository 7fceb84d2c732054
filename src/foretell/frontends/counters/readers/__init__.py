"""One small reader for each format of a counter tool."""
