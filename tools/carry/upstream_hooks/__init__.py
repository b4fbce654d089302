"""Upstream's own pre-commit hooks, run on what the series changes."""
