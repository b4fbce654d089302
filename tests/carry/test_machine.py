from __future__ import annotations

from carry.machine import this_machine


def test_the_machine_is_described() -> None:
    machine = this_machine("cpu")
    assert machine.cores >= 1
    assert machine.memory > 0
    assert machine.cpu
    assert machine.device == "cpu"
