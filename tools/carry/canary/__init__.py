"""A trial run on upstream as it is today, in a clone that is thrown away, and its report."""
