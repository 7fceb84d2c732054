"""Worker processes that answer questions: confined, with limits, warm."""
