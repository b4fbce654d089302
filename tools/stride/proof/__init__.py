"""The Lean proof: find Lean, let it check, and hold its model against the functions."""
