"""Plots of the benchmark's own output, in SVG: how many times faster than the peer each row is, with the lowest and the
highest of the interleaved pairs. `PYTHON=python-with-torch ./dev bench > docs/bench.txt` writes what site.py plots by `write(source)`.
Usage: plots.py BENCH_OUTPUT FOLDER"""
import html
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
GROUPS = {
    "speed_calls": ("Small calls", r"(dispatch|small|autograd)/"),
    "speed_large": ("Large tensors, one thread", r"(large|cache|gemm)/.*/t1$"),
    "speed_networks": ("Networks, one thread, and optimisers' steps", r"(train|nn)/(?!.*/t2$)|optim/"),
}
ROW, LEFT, WIDTH, RIGHT = 18, 250, 420, 60


def rows(text):
    """Name, speed, lowest and highest of every row that has a peer's."""
    found = []
    for line in text.splitlines():
        words = line.split()
        if line.startswith("#") or len(words) != 7:
            continue
        try:
            numbers = [float(w) for w in words[1:]]
        except ValueError:
            continue
        found.append((words[0], *numbers[3:]))
    return found


def plot(title, bars):
    """Horizontal bars on a logarithmic scale around 1."""
    most = max(s for _, s, _, _ in bars)
    low, high = math.log10(0.5), math.log10(max(2.0, most) * 1.3)

    def x(value):
        return LEFT + WIDTH * (min(max(math.log10(value), low), high) - low) / (high - low)

    height = ROW * len(bars) + 62
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + RIGHT}" height="{height}" font-family="sans-serif" font-size="11">',
           f'<rect width="100%" height="100%" fill="white"/><text x="8" y="18" font-size="14">{html.escape(title)}: PyTorch\'s time over tenon\'s</text>']
    for tick in (0.5, 1, 2, 5, 10, 20, 50):
        if math.log10(tick) <= high:
            out.append(f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="30" y2="{height - 22}" stroke="{"#333" if tick == 1 else "#ddd"}"/>'
                       f'<text x="{x(tick):.1f}" y="{height - 8}" text-anchor="middle">{tick:g}</text>')
    for i, (name, speed, lowest, highest) in enumerate(bars):
        y, one = 34 + ROW * i, x(1)
        left, right = min(one, x(speed)), max(one, x(speed))
        out.append(f'<text x="{LEFT - 6}" y="{y + 11}" text-anchor="end">{html.escape(name)}</text>'
                   f'<rect x="{left:.1f}" y="{y + 2}" width="{max(right - left, 1):.1f}" height="{ROW - 6}" fill="{"#5b83c0" if speed >= 1 else "#c0705b"}"/>'
                   f'<line x1="{x(lowest):.1f}" x2="{x(highest):.1f}" y1="{y + 8}" y2="{y + 8}" stroke="#222"/>'
                   f'<text x="{max(right, x(highest)) + 4:.1f}" y="{y + 11}">{speed:.3g}</text>')
    return "\n".join([*out, "</svg>", ""])


def write(folder, output=ROOT / "docs/bench.txt"):
    """A file for each group of rows; ends the program where a group has none."""
    found = rows(pathlib.Path(output).read_text())
    for name, (title, pattern) in GROUPS.items():
        bars = [row for row in found if re.match(pattern, row[0])]
        if not bars:
            sys.exit(f"{output} has no row of {name}")
        (pathlib.Path(folder) / f"{name}.svg").write_text(plot(title, bars))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write(sys.argv[2], sys.argv[1])
