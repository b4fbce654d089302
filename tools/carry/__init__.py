"""Carry a patch series on a pinned upstream."""
