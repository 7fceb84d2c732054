"""Closed forms of LRU caches: eviction time, random page placement, set conflicts, and their error."""
