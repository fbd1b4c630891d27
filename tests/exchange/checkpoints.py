"""Checkpoints of PyTorch's networks load here under the names of their state_dict() and give PyTorch's answers, and the other way round.
Usage: checkpoints.py PROGRAM. PYTHON names the interpreter that has torch; else the one that runs this."""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import Count
from others import by_named_interpreter

by_named_interpreter()
try:
    import torch
except ImportError:
    print(f"SKIPPED: {sys.executable} has no torch; name one that has it by PYTHON")
    sys.exit(77)
nn = torch.nn
DTYPES = {"F32": torch.float32, "F64": torch.float64, "I64": torch.int64, "U8": torch.uint8, "BOOL": torch.bool}


def save(tensors, path):
    """A safetensors file, as its specification says; PyTorch's own package is not needed for it."""
    header, data = {}, b""
    for name, t in tensors.items():
        raw = bytes(t.detach().contiguous().reshape(-1).view(torch.uint8).tolist()) if t.numel() else b""
        code = next(code for code, dtype in DTYPES.items() if dtype == t.dtype)
        header[name] = {"dtype": code, "shape": list(t.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + data)


def load(path):
    raw = pathlib.Path(path).read_bytes()
    (size,) = struct.unpack("<Q", raw[:8])
    tensors = {}
    for name, entry in json.loads(raw[8:8 + size]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            flat = torch.frombuffer(bytearray(raw[8 + size + begin:8 + size + end]), dtype=DTYPES[entry["dtype"]])
            tensors[name] = flat.reshape(entry["shape"])
    return tensors


class Convolutional(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(2, 6, 3, padding=1)
        self.norm = nn.BatchNorm2d(6)
        self.middle = nn.Sequential(nn.Conv2d(6, 8, (3, 1), stride=2, groups=2, bias=False), nn.GroupNorm(2, 8), nn.PReLU(8), nn.Dropout(0.5))
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.pool = nn.AdaptiveAvgPool2d(2)
        self.output = nn.Linear(16, 5)

    def forward(self, x):
        return self.output(self.pool(self.up(self.middle(torch.relu(self.norm(self.first(x)))))).flatten(1))


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 6)
        self.lstm = nn.LSTM(6, 8, num_layers=2, batch_first=True, bidirectional=True, proj_size=3)
        self.output = nn.Linear(6, 11)

    def forward(self, x):
        return self.output(self.lstm(self.embedding(x))[0])


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 16)
        self.transformer = nn.Transformer(16, 4, 2, 2, 24, activation="gelu", batch_first=True)
        self.output = nn.Linear(16, 11)

    def forward(self, x):
        y = self.embedding(x)
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        return self.output(self.transformer(y, y, tgt_mask=mask, tgt_is_causal=True))


count = Count()
check = count.check


torch.manual_seed(1)
words = torch.randint(11, (3, 7))
with tempfile.TemporaryDirectory() as folder:
    state, given, answer = (f"{folder}/{name}.safetensors" for name in ("state", "input", "output"))

    def tenon(how, name):
        done = subprocess.run([sys.argv[1], how, name, state, given, answer], stderr=subprocess.PIPE, text=True)
        check(done.returncode == 0, f"{how} {name}: {done.stderr}")
        return done.returncode == 0

    def same(network, what):
        network.eval()
        with torch.no_grad():
            expected, got = network(x), load(answer)["y"]
        off = (expected - got).abs().max().item() if expected.shape == got.shape else float("inf")
        check(off <= 2e-6 * (1 + expected.abs().max().item()), f"{what}: answers differ by {off}")

    for name, make, x in [("convolutional", Convolutional, torch.rand(3, 2, 9, 8)), ("lstm", Lstm, words), ("transformer", Transformer, words)]:
        save({"x": x}, given)
        network = make()
        optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
        for _ in range(3):  # norms and their running statistics are no longer those of the start
            optimizer.zero_grad()
            network(x).square().mean().backward()
            optimizer.step()
        save(network.state_dict(), state)
        if tenon("load", name):
            same(network, f"{name} from PyTorch")
        for how, prefix in [("save", ""), ("checkpoint", "model.")]:
            if tenon(how, name):
                loaded, network = load(state), make()
                mine = {k.removeprefix(prefix): t for k, t in loaded.items() if k.startswith(prefix)}
                check(set(mine) == set(network.state_dict()), f"{how} {name}: other names: {sorted(mine)}")
                network.load_state_dict(mine, strict=True)
                same(network, f"{name} to PyTorch, {how}")
        # A state with a name too few is refused by its name.
        save(dict(list(network.state_dict().items())[:-1]), state)
        done = subprocess.run([sys.argv[1], "load", name, state, given, answer], stderr=subprocess.PIPE, text=True)
        check(done.returncode == 1 and "output.bias" in done.stderr, f"{name} without its last tensor: {done.stderr}")
count.finish()
