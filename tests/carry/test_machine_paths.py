from __future__ import annotations

import pytest

from carry import machine_paths


@pytest.mark.parametrize(
    "path", ["/home/ada/x.py", "/opt/x", "~/x", "C:\\Users\\ada", "/root/a-b/c.d", "/srv/it"]
)
@pytest.mark.parametrize("form", ["{}", "see {} there", "`{}`", "({})", "| {} |"])
def test_a_path_of_a_machine_is_found_and_taken_out(path: str, form: str) -> None:
    assert machine_paths.found(form.format(path)) == [path]
    assert machine_paths.without(form.format(path)) == form.format("…")


@pytest.mark.parametrize(
    "text",
    ["tests/home/x.py", ".venv/bin/python", "https://x.example/tmp/x", "a/tmp/b", "/x", "N/W"],
)
def test_other_paths_are_left_alone(text: str) -> None:
    assert machine_paths.found(text) == []
    assert machine_paths.without(text) == text
