"""Lookups and latency of the search: upstream's, the patch's and its rivals'."""
