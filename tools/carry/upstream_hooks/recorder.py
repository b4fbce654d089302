"""Stands in for every hook while pre-commit finds out which ones have files to check.

Run by its path, without this project at hand: what, which hook, where to, then the files.
"""

import json
import sys

if __name__ == "__main__":
    what, number, log, *files = sys.argv[1:]
    with open(log, "a", encoding="utf-8") as stream:  # noqa: PTH123
        stream.write(json.dumps([what, int(number), files]) + "\n")
