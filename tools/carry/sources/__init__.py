"""Where upstream's trees come from: its git repository, or its releases on the Python index."""

from carry.sources.base import UPSTREAM, Base
from carry.sources.choose import here, resolve
from carry.sources.found import described
from carry.sources.git import behind, fetch_branch

__all__ = ["UPSTREAM", "Base", "behind", "described", "fetch_branch", "here", "resolve"]
