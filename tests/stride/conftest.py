from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from carry.errors import UserError
from stride.oracle import Oracle, load

settings.register_profile(
    "same every time",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("same every time")


@pytest.fixture(scope="session")
def oracle() -> Oracle:
    """Upstream's search and the patched one, from the trees that nox names."""
    trees = [os.environ.get(name, "") for name in ("STRIDE_BASE_TREE", "STRIDE_PATCHED_TREE")]
    if not all(trees):
        pytest.fail(
            "STRIDE_BASE_TREE and STRIDE_PATCHED_TREE name no trees: run nox -s test",
            pytrace=False,
        )
    try:
        return load(*map(Path, trees))
    except UserError as error:
        pytest.fail(error.line(), pytrace=False)
