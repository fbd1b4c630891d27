"""Writes all of tenon into one header. Usage: single_header.py OUTPUT; `./dev single-header` calls it.
The API is there always; the kernels and all that is compiled once are where TENON_IMPLEMENTATION is defined, which one unit
of a program does before it includes the header. Messages name the files that the parts come from."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = ROOT / "include"
INCLUDE_LINE = re.compile(r"\s*#\s*include\s*<(tenon/[^>]+)>")


class Writer:
    def __init__(self):
        self.lines, self.certain = [], set()

    def add(self, name, conditional):
        """Puts a file here, once in every way through the conditions."""
        if name in self.certain:
            return
        if not conditional:
            self.certain.add(name)
        guard = "TENON_ONE_HEADER_" + re.sub(r"\W", "_", name)
        self.lines += [f"#ifndef {guard}", f"#define {guard}", f'#line 1 "{name}"']
        # Of each open condition what this way through it is; the other way of an error is certain.
        ways = []
        for number, line in enumerate((INCLUDE / name).read_text().splitlines(), 1):
            found = INCLUDE_LINE.match(line)
            if found:
                self.add(found.group(1), conditional or any(way != "certain" for way in ways))
                self.lines.append(f'#line {number + 1} "{name}"')
                continue
            if re.match(r"\s*#\s*pragma\s+once", line):
                self.lines.append("")
                continue
            if re.match(r"\s*#\s*if", line):
                ways.append("open")
            elif ways and re.match(r"\s*#\s*error", line):
                ways[-1] = "error"
            elif ways and ways[-1] == "error" and re.match(r"\s*#\s*else", line):
                ways[-1] = "certain"
            elif re.match(r"\s*#\s*endif", line):
                ways.pop()
            self.lines.append(line)
        self.lines.append("#endif")


def text():
    version = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text()).group(1)
    out = Writer()
    out.lines += [
        f"// tenon {version} in one header; define TENON_IMPLEMENTATION before it in one unit of the program. C++20; needs Boost's and xsimd's headers.",
        "// Made by tools/single_header.py: change the files that it names instead.",
        *("// " + line if line else "//" for line in (ROOT / "LICENSE").read_text().splitlines()),
        "#pragma once",
    ]
    out.add("tenon/tenon.hpp", False)
    out.lines.append("#ifdef TENON_IMPLEMENTATION")
    out.add("tenon/cpu.hpp", False)
    out.lines.append("#endif")
    return "\n".join(out.lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text())
    print(f"wrote {path}: {path.stat().st_size / 1e6:.1f} MB")
