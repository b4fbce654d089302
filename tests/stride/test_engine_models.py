"""The models that are made up: the layers they claim, and weights for each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stride.engine import models
from stride.engine.models import HYBRID, MODELS, SMALL_WINDOW, WINDOWS_ONLY, Model

from .. import needs


def test_windows_are_those_that_are_claimed() -> None:
    assert [models.configuration(one)["sliding_window"] for one in MODELS] == [1024, 1024, 128]
    assert [one.is_hybrid for one in MODELS] == [False, True, False]
    assert set(models.configuration(HYBRID)["layer_types"]) == {models.SLIDING, models.FULL}
    assert "layer_types" not in models.configuration(WINDOWS_ONLY)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_every_tensor_is_written_and_the_same_every_time(model: Model, tmp_path: Path) -> None:
    first = models.write(model, tmp_path / "first") / "model.safetensors"
    second = models.write(model, tmp_path / "second") / "model.safetensors"
    assert first.read_bytes() == second.read_bytes()
    found = needs.module("safetensors.torch").load_file(first)
    assert {name: tuple(tensor.shape) for name, tensor in found.items()} == dict(
        models.shapes(model)
    )
    assert json.loads((tmp_path / "first" / "config.json").read_text())["hidden_size"] == 64


def test_transformers_knows_the_configurations(tmp_path: Path) -> None:
    transformers = needs.module("transformers")
    for model in (HYBRID, SMALL_WINDOW):
        folder = models.write(model, tmp_path / model.family)
        config = transformers.AutoConfig.from_pretrained(folder)
        assert config.sliding_window == model.window
        assert config.num_hidden_layers == len(model.layers)
