"""Makes the documentation's site: docs/*.md, a reference of all operators from the registry, one of all public names of the
headers, figures, plots. Warnings are errors, and so is a link to a file or a part of a page that is not there. Usage: site.py FOLDER [OPDUMP]; `./dev docs` calls it.
Links to sources become downloads. Needs Sphinx, Furo, MyST, Doxygen and Graphviz (Debian: python3-sphinx furo
python3-myst-parser doxygen graphviz)."""
import collections
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

import api_pages
import figures
import plots

ROOT = pathlib.Path(__file__).resolve().parents[1]
CONF = """
project, author, copyright = "tenon", "the authors of tenon", "the authors of tenon"
version = release = "{version}"
extensions = ["myst_parser", "sphinx.ext.graphviz"]
graphviz_output_format = "svg"
myst_enable_extensions = ["deflist", "colon_fence"]
myst_heading_anchors = 4
html_theme, html_title = "furo", "tenon {version}"
nitpicky = True
"""
LINK = re.compile(r"\[([^\]]*)\]\(([^)#:\s]+)(#[^)]*)?\)")


def page(path, text, source):
    """A page's text with links to other files of the tree as downloads."""

    def link(match):
        words, target, part = match.group(1), match.group(2), match.group(3) or ""
        there = (path.parent / target).resolve()
        if not there.exists():
            sys.exit(f"{path.relative_to(ROOT)} points to {target}, which is not there")
        if there.suffix == ".md" and there.parent == ROOT / "docs":
            return f"[{words}]({there.name}{part})"
        names = {"CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md", "CONTRIBUTING.md": "contributing.md"}
        if there.parent == ROOT and there.name in names:
            return f"[{words}]({names[there.name]})"
        if there.is_dir():
            return words
        kept = source / "files" / there.relative_to(ROOT)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(there, kept)
        return f"{{download}}`{words.strip('`')} <files/{there.relative_to(ROOT)}>`"

    parts = re.split(r"(^ *```.*?^ *```\s*?$)", text, flags=re.S | re.M)
    return "".join(p if i % 2 else LINK.sub(link, p) for i, p in enumerate(parts))


def place(text):
    return re.sub(r"^registered at (?:.*?/)??(?=include/|kernels_cpu/|core/)", "", text or "")


def operator_pages(operators, source):
    """A page for each first letter, an entry for each operator."""
    width = max((len(op.get("dtypes", ())) for op in operators), default=0)
    by_letter = collections.defaultdict(list)
    for op in sorted(operators, key=lambda o: o["name"]):
        base = op["name"].split("::")[1].lstrip("_")
        by_letter[base[:1].lower() if base[:1].isalpha() else "other"].append(op)
    names = []
    for letter, ops in sorted(by_letter.items()):
        lines = [f"# {letter.upper()}", ""]
        for op in ops:
            kernels = ", ".join(f"`{key}`" for key in op["kernels"]) or "none"
            has = [word for word, key in (("derivative", "derivative"), ("shape function", "meta"), ("structured", "structured"), ("in-place form", "in_place"),
                                          ("batch rule", "batch_rule")) if op.get(key)]
            lines += [f"`{op['schema'] or op['name']}`", f": Kernels: {kernels}."]
            if has:
                lines.append("  Has: " + ", ".join(has) + ".")
            if op["tags"]:
                lines.append("  Tags: " + ", ".join(f"`{t}`" for t in op["tags"]) + ".")
            if dtypes := op.get("dtypes"):
                lines.append("  Dtypes on the CPU: " + ("all" if len(dtypes) == width else ", ".join(f"`{d}`" for d in dtypes)) + ".")
            if op.get("variants"):
                lines.append("  Called as: " + " and ".join(op["variants"]) + ".")
            if op.get("defined"):
                lines.append(f"  Defined in `{place(op['defined'])}`.")
            lines.append("")
        names.append(f"operators-{letter}")
        (source / f"operators-{letter}.md").write_text("\n".join(lines))
    head = ["# Operators", "", f"{len(operators)} operators, from the registry of a full program. What PyTorch's documentation says of the function of the same name holds,",
            "but for [what differs](differences.md). A schema's arguments are those of `tenon::ops::NAME`. The dtypes are those that calls go through with in which all tensors",
            "have one; they were tried when this page was made, and where none are named the schema does not tell enough for a call.", "", "```{toctree}", ":maxdepth: 1", ""]
    (source / "operators-reference.md").write_text("\n".join(head + names + ["```", ""]))


def broken_links(site):
    """Links within the pages to a file or an anchor that is not there."""
    pages = {path: path.read_text() for path in site.rglob("*.html")}
    anchors = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in pages.items()}
    problems = []
    for path, text in pages.items():
        for target in sorted(set(re.findall(r'\b(?:href|src)="([^"]+)"', text))):
            if re.match(r"[a-z]+:|//", target):
                continue
            name, _, anchor = html.unescape(target).partition("#")
            there = (path.parent / urllib.parse.unquote(name.partition("?")[0])).resolve() if name else path
            if not there.exists():
                problems.append(f"{path.name} points to {target}, which is not there")
            elif anchor and there in anchors and urllib.parse.unquote(anchor) not in anchors[there]:
                problems.append(f"{path.name} points to {target}; that page has no such part")
    return problems


def main(folder, opdump=None):
    folder = pathlib.Path(folder).resolve()
    source, site = folder / "source", folder / "html"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    version = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text()).group(1)
    (source / "conf.py").write_text(CONF.format(version=version))
    for path in sorted((ROOT / "docs").glob("*.md")):
        (source / path.name).write_text(page(path, path.read_text(), source))
    # A page that the index does not name has its place too.
    index = (source / "index.md").read_text()
    others = [p.stem for p in sorted((ROOT / "docs").glob("*.md")) if p.stem != "index" and not re.search(rf"^{p.stem}$", index, re.M)]
    if others:
        (source / "index.md").write_text(index + "\n```{toctree}\n:caption: More\n:maxdepth: 1\n\n" + "\n".join(others) + "\n```\n")
    for name in ("CHANGELOG", "SECURITY"):
        path = ROOT / f"{name}.md"
        (source / f"{name.lower()}.md").write_text(page(path, path.read_text(), source))
    if opdump:
        # A file made before by `opdump --json --dtypes`, or the program.
        text = pathlib.Path(opdump).read_text() if opdump.endswith(".json") else subprocess.run([opdump, "--json", "--dtypes"], capture_output=True, text=True, check=True).stdout
        operator_pages(json.loads(text), source)
    else:
        (source / "operators-reference.md").write_text("# Operators\n\nThis site was made without a compiled library, which knows them.\n")
    plots.write(source)
    names = api_pages.write(source)
    build = pathlib.Path(opdump).resolve().parents[1] if opdump else None
    figures.write(source, build if build and (build / "build.ninja").exists() else None)
    command = ["sphinx-build", "-W", "--keep-going", "-q", "-n", "-j", "2", "-b", "html", str(source), str(site)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, end="")
    if done.returncode != 0:
        print("the site has warnings")
        return done.returncode
    if problems := broken_links(site):
        print("\n".join(problems))
        return 1
    print(f"{len(list(site.glob('*.html')))} pages with {names} names of the headers in {site}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    for tool, packages in (("sphinx-build", "python3-sphinx furo python3-myst-parser"), ("doxygen", "doxygen"), ("dot", "graphviz")):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not installed; run as root: apt-get install {packages}")
    sys.exit(main(*sys.argv[1:]))
