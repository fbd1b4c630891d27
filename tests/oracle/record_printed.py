"""Records how PyTorch prints layers, for printed.jsonl: record_printed.py RECORDED, by an interpreter that has torch and safetensors. RECORDED is
the folder of `modules.jsonl`, whose layers with their options are printed, without those that are tensors; MORE has what no line there asks.
A line is `{"id", "module", "options", "printed"}`; of one layer no text is there twice."""
import collections
import json
import pathlib
import sys

import torch
from record_modules import built, loaded

FIRST = 4
MORE = {
    "AdaptiveLogSoftmaxWithLoss": [{"in_features": 8, "n_classes": 10, "cutoffs": [2, 5]}, {"in_features": 8, "n_classes": 6, "cutoffs": [2], "head_bias": True}],
    "AvgPool2d": [{"kernel_size": 3, "stride": 1}, {"kernel_size": [3, 2], "padding": [1, 0]}],
    "BatchNorm1d": [{"num_features": 3, "momentum": None}, {"num_features": 3, "affine": False}, {"num_features": 3, "eps": 1e-3, "momentum": 0.25}],
    "CELU": [{}, {"alpha": 2.0}, {"alpha": 0.5, "inplace": True}],
    "CircularPad2d": [{"padding": 1}, {"padding": [1, 2, 0, 1]}],
    "ConstantPad1d": [{"padding": 2, "value": 0.5}, {"padding": [1, 2], "value": 3.0}],
    "Conv1d": [{"in_channels": 4, "out_channels": 4, "kernel_size": 3, "padding": "same", "groups": 2}, {"in_channels": 2, "out_channels": 4, "kernel_size": 3, "padding_mode": "reflect"}],
    "Conv2d": [{"in_channels": 4, "out_channels": 4, "kernel_size": 3, "dilation": 2, "bias": False}, {"in_channels": 2, "out_channels": 4, "kernel_size": [3, 1], "stride": [2, 1], "padding": [1, 0]}],
    "ConvTranspose2d": [{"in_channels": 4, "out_channels": 4, "kernel_size": 3, "stride": 2, "output_padding": 1, "groups": 2, "bias": False, "dilation": 2}],
    "CrossMapLRN2d": [{"size": 3}, {"size": 3, "alpha": 0.5, "beta": 1.0, "k": 2}],
    "ELU": [{}, {"alpha": 0.5, "inplace": True}],
    "Embedding": [{"num_embeddings": 5, "embedding_dim": 3, "padding_idx": 0, "max_norm": 1.0, "norm_type": 1.0, "scale_grad_by_freq": True}],
    "EmbeddingBag": [{"num_embeddings": 5, "embedding_dim": 3, "max_norm": 2.0, "norm_type": 1.0, "scale_grad_by_freq": True, "mode": "sum", "sparse": True, "include_last_offset": True, "padding_idx": 1}],
    "Flatten": [{}, {"start_dim": 0, "end_dim": 2}],
    "GELU": [{}, {"approximate": "tanh"}],
    "GLU": [{}, {"dim": 1}],
    "GRU": [{"input_size": 2, "hidden_size": 3, "bias": False, "batch_first": True, "dropout": 0.5, "num_layers": 2, "bidirectional": True}],
    "GroupNorm": [{"num_groups": 2, "num_channels": 4, "affine": False}],
    "Hardshrink": [{"lambd": 0.25}],
    "Hardsigmoid": [{"inplace": True}],
    "Hardswish": [{"inplace": True}],
    "Hardtanh": [{"min_val": -2.0, "max_val": 2.0, "inplace": True}],
    "InstanceNorm2d": [{"num_features": 3, "affine": True, "track_running_stats": True}],
    "LPPool2d": [{"norm_type": 2, "kernel_size": 3}, {"norm_type": 1.5, "kernel_size": [3, 2], "stride": 2, "ceil_mode": True}],
    "LSTM": [{"input_size": 2, "hidden_size": 3, "proj_size": 2}, {"input_size": 2, "hidden_size": 3, "num_layers": 2, "bias": False, "batch_first": True, "dropout": 0.25, "bidirectional": True}],
    "LSTMCell": [{"input_size": 2, "hidden_size": 3, "bias": False}],
    "LeakyReLU": [{}, {"negative_slope": 0.5, "inplace": True}],
    "LocalResponseNorm": [{"size": 2}, {"size": 2, "alpha": 1e-3, "k": 2.0}],
    "MaxPool1d": [{"kernel_size": 3, "dilation": 2, "ceil_mode": True, "return_indices": True}],
    "MaxUnpool2d": [{"kernel_size": 3, "stride": 2, "padding": 1}, {"kernel_size": [3, 2]}],
    "Mish": [{"inplace": True}],
    "MultiheadAttention": [{"embed_dim": 4, "num_heads": 2, "bias": False}, {"embed_dim": 4, "num_heads": 2, "kdim": 3, "vdim": 5}],
    "PReLU": [{}, {"num_parameters": 3}],
    "RMSNorm": [{"normalized_shape": [3]}, {"normalized_shape": [2, 3], "eps": 1e-5}, {"normalized_shape": [3], "elementwise_affine": False}],
    "RNN": [{"input_size": 2, "hidden_size": 3, "nonlinearity": "relu", "bias": False}],
    "RNNCell": [{"input_size": 2, "hidden_size": 3, "nonlinearity": "relu"}, {"input_size": 2, "hidden_size": 3, "bias": False, "nonlinearity": "relu"}],
    "RReLU": [{}, {"lower": 0.25, "upper": 0.5, "inplace": True}],
    "ReLU": [{"inplace": True}],
    "ReLU6": [{"inplace": True}],
    "SELU": [{"inplace": True}],
    "SiLU": [{"inplace": True}],
    "Softmin": [{"dim": -1}],
    "Softplus": [{}, {"beta": 2.0, "threshold": 10.0}],
    "Softshrink": [{}, {"lambd": 0.25}],
    "Threshold": [{"threshold": 0.1, "value": 20.0, "inplace": True}],
    "Upsample": [{"scale_factor": 2}, {"size": 4}, {"scale_factor": 1.5, "mode": "linear"}, {"scale_factor": [2, 3], "mode": "bilinear"}],
    "UpsamplingBilinear2d": [{"size": [3, 4]}],
    "UpsamplingNearest2d": [{"size": 4}, {"scale_factor": 2.0}],
}


# A size for each dimension prints as one where all are equal; numbers that may be fractions print as such.
SIZES = {"dilation", "kernel_size", "output_size", "padding", "scale_factor", "size", "stride"}
REALS = {"norm_type", "threshold", "value", "beta"}
SEVERAL = ("Conv", "Pad")  # names of layers that print all sizes as they are


def as_here(name, options):
    """What C++ can ask for: no sparse gradients, sizes and numbers as above."""
    def part(k, v):
        if k in SIZES and isinstance(v, list) and not any(word in name for word in SEVERAL) and v.count(v[0]) == len(v):
            return v[0]
        return float(v) if k in REALS and isinstance(v, int) else v
    return {k: part(k, v) for k, v in options.items() if k != "sparse" or name != "Embedding"}


def without_tensors(options):
    return {k: without_tensors(v) if isinstance(v, dict) and "module" not in v else v for k, v in options.items() if not (isinstance(v, dict) and "t" in v)}


def lines(recorded):
    """Of each layer the first lines with other options, whatever their values."""
    seen, count = set(), collections.Counter()
    for text in recorded.read_text().splitlines():
        line = json.loads(text)
        options = without_tensors(line.get("options", {}))
        key = line["module"], *sorted((k, type(v).__name__) for k, v in options.items())
        if line.get("raises_at") != "construct" and line["module"] != "Sequential" and key not in seen and count[line["module"]] < FIRST:
            seen.add(key)
            count[line["module"]] += 1
            yield line["module"], options
    for name, several in MORE.items():
        yield from ((name, options) for options in several)


def main(recorded):
    seen, out = {}, []
    for name, options in lines(pathlib.Path(recorded) / "modules.jsonl"):
        options = as_here(name, options)
        try:
            text = repr(built(name, {k: loaded(v, {}) for k, v in options.items()}))
        except (TypeError, ValueError, RuntimeError, AssertionError):
            continue  # an option that is left out was needed
        if text not in seen.setdefault(name, []):
            seen[name].append(text)
            out.append({"id": f"{name}/{len(seen[name])}", "module": name, "options": options, "printed": text})
    out.sort(key=lambda line: line["module"])
    (pathlib.Path(__file__).parent / "printed.jsonl").write_text("".join(json.dumps(line) + "\n" for line in out))


if __name__ == "__main__":
    main(*sys.argv[1:])
