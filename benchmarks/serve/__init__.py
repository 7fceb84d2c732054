"""How `foretell serve` holds up: latency while people type, random requests, kills."""
