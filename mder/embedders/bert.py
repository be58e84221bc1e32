"""The only owner of onnx: writes a BERT sentence encoder as a graph over its own weights file.

The graph holds no weights. It names the tensors of a ``model.safetensors`` by offset and length,
which that format keeps raw, so that a run-time maps the file as it lies on disk.
"""

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import NodeProto, TensorProto

WEIGHTS = "model.safetensors"
# Gelu came with 20; no later operator is needed, so that older run-times accept the graph.
OPSET = 20
IR_VERSION = 10
# Added to the attention scores of padding: large enough that its softmax is exactly zero.
MASKED = -10000.0


@dataclass
class Builder:
    """Collects nodes and tensors; every method returns the name of what it made."""

    nodes: "list[NodeProto]" = field(default_factory=list)
    tensors: "list[TensorProto]" = field(default_factory=list)

    def add(self, operator: str, *inputs: str, **attributes: object) -> str:
        """Append one node with one output."""
        from onnx import helper

        output = f"{operator}_{len(self.nodes)}"
        node = helper.make_node(operator, inputs, [output])
        node.attribute.extend(helper.make_attribute(*pair) for pair in attributes.items())
        self.nodes.append(node)
        return output

    def integers(self, *values: int) -> str:
        """Add a constant row of integers."""
        from onnx import TensorProto, helper

        name = f"constant_{len(self.tensors)}"
        self.tensors.append(helper.make_tensor(name, TensorProto.INT64, [len(values)], values))
        return name

    def number(self, value: float) -> str:
        """Add a constant scalar."""
        from onnx import TensorProto, helper

        name = f"constant_{len(self.tensors)}"
        self.tensors.append(helper.make_tensor(name, TensorProto.FLOAT, [], [value]))
        return name

    def linear(self, rows: str, name: str) -> str:
        """Multiply a matrix by a weight as torch stores it (outputs first) and add its bias."""
        return self.add("Gemm", rows, f"{name}.weight", f"{name}.bias", transB=1)


def graph(folder: Path) -> bytes:
    """Return the serialised ONNX model of a BERT encoder with mean pooling and normalisation.

    Its inputs are ``ids`` and ``mask``, int64 of shape (batch, length); its output ``vectors`` is
    float32 of shape (batch, hidden size), each row of unit length.

    :param folder: holds ``config.json`` and ``model.safetensors`` of a ``BertModel``.
    :raises KeyError: when the folder holds another kind of model.
    """
    from onnx import TensorProto, helper

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    builder = Builder()
    hidden = embeddings(builder, config)
    bias = attention_bias(builder)
    for number in range(config["num_hidden_layers"]):
        hidden = layer(builder, hidden, bias, f"encoder.layer.{number}", config)
    pooled = pool(builder, hidden, config)
    builder.nodes.append(helper.make_node("Identity", [pooled], ["vectors"]))
    used = {name for node in builder.nodes for name in node.input}
    stored = [tensor for tensor in stored_tensors(folder / WEIGHTS) if tensor.name in used]
    model = helper.make_model(
        helper.make_graph(
            builder.nodes,
            "sentence encoder",
            [
                helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
                for name in ("ids", "mask")
            ],
            [
                helper.make_tensor_value_info(
                    "vectors", TensorProto.FLOAT, ["batch", config["hidden_size"]]
                )
            ],
            [*builder.tensors, *stored],
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
    )
    return bytes(model.SerializeToString())


def stored_tensors(path: Path) -> "list[TensorProto]":
    """Name each float tensor of a safetensors file by where it lies in it."""
    from onnx import TensorProto

    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
    tensors = []
    for name, entry in header.items():
        if entry.get("dtype") != "F32":
            continue
        begin, end = entry["data_offsets"]
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=entry["shape"])
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (
            ("location", path.name),
            ("offset", str(8 + size + begin)),
            ("length", str(end - begin)),
        ):
            tensor.external_data.add(key=key, value=value)
        tensors.append(tensor)
    return tensors


def normalised(builder: Builder, values: str, name: str, config: dict[str, float]) -> str:
    """Apply layer normalisation over the hidden size."""
    return builder.add(
        "LayerNormalization",
        values,
        f"{name}.weight",
        f"{name}.bias",
        axis=-1,
        epsilon=config["layer_norm_eps"],
    )


def embeddings(builder: Builder, config: dict[str, float]) -> str:
    """Sum word, position and segment embeddings; shape (batch, length, hidden)."""
    zero, one = builder.integers(0), builder.integers(1)
    words = builder.add("Gather", "embeddings.word_embeddings.weight", "ids")
    length = builder.add("Shape", "ids", start=1, end=2)
    positions = builder.add(
        "Slice", "embeddings.position_embeddings.weight", zero, length, builder.integers(0)
    )
    segment = builder.add("Slice", "embeddings.token_type_embeddings.weight", zero, one, zero)
    total = builder.add("Add", builder.add("Add", words, segment), positions)
    return normalised(builder, total, "embeddings.LayerNorm", config)


def attention_bias(builder: Builder) -> str:
    """Return what to add to attention scores; shape (batch, 1, 1, length)."""
    mask = builder.add("Unsqueeze", "mask", builder.integers(1, 2))
    padding = builder.add("Sub", builder.number(1.0), builder.add("Cast", mask, to=1))
    return builder.add("Mul", padding, builder.number(MASKED))


def layer(builder: Builder, hidden: str, bias: str, name: str, config: dict[str, float]) -> str:
    """Add one transformer layer; shape (batch, length, hidden) in and out."""
    size, heads = int(config["hidden_size"]), int(config["num_attention_heads"])
    shape = builder.add("Shape", hidden)
    rows = builder.add("Reshape", hidden, builder.integers(-1, size))
    batch_length = builder.add("Slice", shape, builder.integers(0), builder.integers(2))
    split = builder.add("Concat", batch_length, builder.integers(heads, size // heads), axis=0)

    def head(part: str, order: list[int]) -> str:
        values = builder.linear(rows, f"{name}.attention.self.{part}")
        return builder.add("Transpose", builder.add("Reshape", values, split), perm=order)

    scores = builder.add("MatMul", head("query", [0, 2, 1, 3]), head("key", [0, 2, 3, 1]))
    scores = builder.add("Mul", scores, builder.number(1 / math.sqrt(size // heads)))
    weights = builder.add("Softmax", builder.add("Add", scores, bias), axis=-1)
    context = builder.add("MatMul", weights, head("value", [0, 2, 1, 3]))
    context = builder.add("Transpose", context, perm=[0, 2, 1, 3])
    context = builder.add("Reshape", context, builder.integers(-1, size))
    attended = builder.linear(context, f"{name}.attention.output.dense")
    rows = normalised(
        builder, builder.add("Add", attended, rows), f"{name}.attention.output.LayerNorm", config
    )
    wide = builder.add("Gelu", builder.linear(rows, f"{name}.intermediate.dense"))
    narrow = builder.linear(wide, f"{name}.output.dense")
    rows = normalised(builder, builder.add("Add", narrow, rows), f"{name}.output.LayerNorm", config)
    return builder.add("Reshape", rows, shape)


def pool(builder: Builder, hidden: str, config: dict[str, float]) -> str:
    """Average the tokens that are not padding, then scale to unit length."""
    mask = builder.add("Cast", builder.add("Unsqueeze", "mask", builder.integers(1)), to=1)
    total = builder.add("MatMul", mask, hidden)
    total = builder.add("Reshape", total, builder.integers(-1, int(config["hidden_size"])))
    # The mean differs from the sum by a factor, which the unit length takes out again.
    return builder.add("LpNormalization", total, axis=-1, p=2)
