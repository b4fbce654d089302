"""Tiny models, made up here: a configuration and seeded random weights, nothing downloaded.

The weights are drawn wide enough that what a layer attends to decides the next token, so a
wrong block in the KV cache shows in the output.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

VOCABULARY = 512
LONGEST = 1 << 18
#: Heads are as large as the attention of every device takes them.
_HIDDEN, _HEADS, _KV_HEADS, _HEAD_SIZE, _INNER = 64, 2, 1, 64, 64
SLIDING, FULL = "sliding_attention", "full_attention"


@dataclass(frozen=True)
class Model:
    """A model of a few layers.

    Attributes:
        name: As it is shown.
        family: Whose architecture it has, `mistral` or `gemma`.
        window: Tokens in the window of a layer that has one.
        layers: What each layer attends to.
        keeps_all: Whether all of a prompt stays in the cache, not only its end, as is
            vLLM's default for layers with a window.
    """

    name: str
    family: str
    window: int
    layers: tuple[str, ...]
    keeps_all: bool = False

    @property
    def is_hybrid(self) -> bool:
        """Whether some layers attend to everything."""
        return FULL in self.layers


WINDOWS_ONLY = Model("windows only", "mistral", 1024, (SLIDING, SLIDING))
HYBRID = Model("hybrid", "gemma", 1024, (SLIDING, SLIDING, SLIDING, FULL))
SMALL_WINDOW = Model("small window", "mistral", 128, (SLIDING, SLIDING), keeps_all=True)
MODELS = (WINDOWS_ONLY, HYBRID, SMALL_WINDOW)

_ARCHITECTURES = {
    "mistral": {
        "architectures": ["MistralForCausalLM"],
        "model_type": "mistral",
        "hidden_act": "silu",
        "tie_word_embeddings": False,
    },
    "gemma": {
        "architectures": ["Gemma3ForCausalLM"],
        "model_type": "gemma3_text",
        "hidden_activation": "gelu_pytorch_tanh",
        "query_pre_attn_scalar": _HEAD_SIZE,
        "tie_word_embeddings": True,
    },
}


def configuration(model: Model) -> dict[str, Any]:
    """The model's config.json."""
    layers = {"layer_types": list(model.layers)} if model.family == "gemma" else {}
    return {
        **_ARCHITECTURES[model.family],
        **layers,
        "sliding_window": model.window,
        "hidden_size": _HIDDEN,
        "intermediate_size": _INNER,
        "num_hidden_layers": len(model.layers),
        "num_attention_heads": _HEADS,
        "num_key_value_heads": _KV_HEADS,
        "head_dim": _HEAD_SIZE,
        "vocab_size": VOCABULARY,
        "max_position_embeddings": LONGEST,
        "rms_norm_eps": 1e-6,
        "rope_theta": 1_000_000.0,
        "torch_dtype": "bfloat16",
        "bos_token_id": 1,
        "eos_token_id": 2,
    }


def shapes(model: Model) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every tensor of the model by its name on disk."""
    yield "model.embed_tokens.weight", (VOCABULARY, _HIDDEN)
    for index in range(len(model.layers)):
        for name, shape in _layer(model.family):
            yield f"model.layers.{index}.{name}.weight", shape
    yield "model.norm.weight", (_HIDDEN,)
    if not _ARCHITECTURES[model.family]["tie_word_embeddings"]:
        yield "lm_head.weight", (VOCABULARY, _HIDDEN)


def _layer(family: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    queries, keys = _HEADS * _HEAD_SIZE, _KV_HEADS * _HEAD_SIZE
    yield "self_attn.q_proj", (queries, _HIDDEN)
    yield "self_attn.k_proj", (keys, _HIDDEN)
    yield "self_attn.v_proj", (keys, _HIDDEN)
    yield "self_attn.o_proj", (_HIDDEN, queries)
    yield "mlp.gate_proj", (_INNER, _HIDDEN)
    yield "mlp.up_proj", (_INNER, _HIDDEN)
    yield "mlp.down_proj", (_HIDDEN, _INNER)
    yield "input_layernorm", (_HIDDEN,)
    yield "post_attention_layernorm", (_HIDDEN,)
    if family == "gemma":
        yield "pre_feedforward_layernorm", (_HIDDEN,)
        yield "post_feedforward_layernorm", (_HIDDEN,)
        yield "self_attn.q_norm", (_HEAD_SIZE,)
        yield "self_attn.k_norm", (_HEAD_SIZE,)


def write(model: Model, folder: Path) -> Path:
    """Write configuration and weights into a folder, the same every time; needs torch."""
    torch = import_module("torch")
    generator = torch.Generator().manual_seed(1)
    tensors = {}
    for name, shape in shapes(model):
        drawn = torch.randn(shape, generator=generator)
        if len(shape) == 1:  # a norm's scale; Gemma adds one to what it finds
            drawn = drawn * 0.1 + (model.family != "gemma")
        elif name != "model.embed_tokens.weight":
            drawn *= 2 / shape[1] ** 0.5
        elif model.family == "gemma":  # which scales it up again
            drawn /= _HIDDEN**0.5
        tensors[name] = drawn.to(torch.bfloat16)
    folder.mkdir(parents=True, exist_ok=True)
    import_module("safetensors.torch").save_file(
        tensors, folder / "model.safetensors", metadata={"format": "pt"}
    )
    (folder / "config.json").write_text(json.dumps(configuration(model)), "utf-8")
    return folder
