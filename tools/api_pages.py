"""Pages of every public name in include/, from what Doxygen reads there: a page for each folder, a part for each header,
and an index of all names. site.py calls `write(source)`. A name that the headers' own lines declare and that is on no
page is an error, so that nothing goes missing where Doxygen does not follow. Rendered here and not by Breathe: its
parser refuses 1,600 declarations of C++20, and it takes over six minutes for what takes this one seconds."""
import collections
import itertools
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = ROOT / "include"
sys.path.insert(0, str(ROOT / "tests/tools"))
from checks import LAYERS, ROWS, headers

# Folders of kernels: what a header declares stands in one block.
COMPACT = (*ROWS, "cpu")

DOXYFILE = """
PROJECT_NAME=tenon
QUIET=YES
WARNINGS=NO
INPUT={include}
STRIP_FROM_PATH={include}
OUTPUT_DIRECTORY={out}
RECURSIVE=YES
FILE_PATTERNS=*.hpp
EXCLUDE_PATTERNS=*/detail/* */bodies/* *_impl.hpp
GENERATE_HTML=NO
GENERATE_LATEX=NO
GENERATE_XML=YES
XML_PROGRAMLISTING=NO
EXTRACT_ALL=YES
EXTRACT_STATIC=YES
AUTOLINK_SUPPORT=NO
MACRO_EXPANSION=YES
EXPAND_ONLY_PREDEF=YES
PREDEFINED=TENON_BODY= TENON_COLD= TENON_COLD_BODY= TENON_HOST_DEVICE= _OPENMP=201511 TENON_WITH_ZLIB=1 TENON_WITH_PNG=1 TENON_ROWS_REGISTER=1 TENON_CPU_X86=1 TENON_CPU_AVX2=1 TENON_CPU_AVX512=1 __has_include(x)=1
HAVE_DOT=NO
CLASS_GRAPH=NO
"""
PURPOSE = {"tenon": "What belongs to no folder: version, configuration, and the umbrellas that include the rest."}
# What only units that compile kernels for one instruction set or a device declare, and the other architecture's.
OTHER_BUILDS = {"TENON_LISTED_FORMULAS", "TENON_LISTED_REDUCTIONS", "TENON_EXPORT_KERNELS", "list_formula", "listed_formula", "place_of_formula", "neon64", "default_arch"}
KINDS = {"class": "class", "struct": "class", "union": "class", "concept": "concept", "function": "function", "typedef": "type",
         "enum": "enum", "variable": "variable", "define": "macro"}


def is_public(header):
    return "/detail/" not in header and "/bodies/" not in header and not header.endswith("_impl.hpp")


def is_private_name(name):
    return name.startswith(("TENON_INTERNAL_", "std::", "@")) or "__" in name or any(p in ("detail", "") for p in name.split("::"))


def plain(node):
    return re.sub(r"\s+", " ", "".join(node.itertext())).strip() if node is not None else ""


def prose(node):
    """A description as Markdown."""
    if node is None:
        return ""
    out = re.sub(r"([\\*_\[\]<>{}|#$~])", r"\\\1", node.text or "")
    for child in node:
        if child.tag == "computeroutput":
            out += "`" + plain(child).replace("`", "'") + "`"
        elif child.tag in ("verbatim", "programlisting", "preformatted"):
            out += "\n\n```cpp\n" + "".join(child.itertext()).strip("\n") + "\n```\n\n"
        elif child.tag == "listitem":
            out += "\n- " + prose(child).strip().replace("\n", "\n  ")
        elif child.tag == "para":
            out += prose(child) + "\n\n"
        elif child.tag in ("itemizedlist", "orderedlist"):
            out += "\n" + prose(child) + "\n\n"
        else:
            out += prose(child)
        out += re.sub(r"([\\*_\[\]<>{}|#$~])", r"\\\1", child.tail or "")
    return out


def description(node):
    text = prose(node.find("briefdescription")) + "\n\n" + prose(node.find("detaileddescription"))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def tidy(text):
    """A type or a list of arguments as the sources write it."""
    text = re.sub(r"< +", "<", re.sub(r" +>", ">", text))
    return re.sub(r" ([&*]+) ?(?=[\w.)>,])", lambda m: m.group(1) + ("" if m.string[m.end()] in ")>," else " "), text)


def template_of(node):
    parameters = node.find("templateparamlist")
    if parameters is None:
        return ""
    words = []
    for p in parameters.findall("param"):
        kind, name, default = plain(p.find("type")), plain(p.find("declname")), plain(p.find("defval"))
        words.append(kind + (" " + name if name else "") + (" = " + default if default else ""))
    text = "template <" + ", ".join(words) + ">\n"
    condition = plain(node.find("requiresclause"))
    return text + (f"  requires {condition}\n" if condition else "")


def signature(m):
    """A member as its declaration reads."""
    kind, name = m.get("kind"), m.findtext("name")
    if kind == "define":
        parameters = [plain(p.find("defname")) or "..." for p in m.findall("param")]
        return f"#define {name}" + (f"({', '.join(parameters)})" if m.find("param") is not None else "")
    if kind == "enum":
        values = [v.findtext("name") + (" " + plain(v.find("initializer")) if v.find("initializer") is not None else "") for v in m.findall("enumvalue")]
        shown = ", ".join(values)
        base = plain(m.find("type"))
        return f"enum{' class' if m.get('strong') == 'yes' else ''} {name}{' : ' + base if base else ''} {{ {shown} }}"
    kind_text = tidy(plain(m.find("type")) + ">")[:-1]
    if kind == "typedef":
        definition = plain(m.find("definition"))
        return template_of(m) + (f"using {name} = {kind_text}" if definition.startswith("using") else f"typedef {kind_text} {name}{plain(m.find('argsstring'))}")
    words = [w for w, on in (("static", m.get("static") == "yes"), ("explicit", m.get("explicit") == "yes"), ("virtual", m.get("virt") != "non-virtual" and m.get("virt"))) if on and w not in kind_text.split()]
    rest = re.sub(r"=(default|delete|0)$", r" = \1", tidy(plain(m.find("argsstring")))) if kind == "function" else ""
    return template_of(m) + re.sub(r"\(\s+", "(", " ".join(words + [w for w in (kind_text, name) if w]) + rest)


class Name:
    """A public name in one header: its declarations and what they say."""

    def __init__(self, name, kind):
        self.name, self.kind, self.parts, self.label = name, kind, [], ""

    def line(self):
        return min(part[0] for part in self.parts)


def comment(text, indent="  "):
    """Prose back as the comment of a synopsis."""
    text = re.sub(r"\\([\\*_\[\]<>{}|#$~])", r"\1", text)
    return "".join(f"{indent}/// {line}\n" for part in text.split("\n\n") for line in wrapped(part.replace("\n", " ")))


def wrapped(text, width=112):
    line, out = "", []
    for word in text.split():
        if line and len(line) + len(word) >= width:
            out.append(line)
            line = ""
        line += (" " if line else "") + word
    return out + [line] if line else out


def class_text(compound):
    """A class as a synopsis of its public members."""
    name, kind = compound.findtext("compoundname"), compound.get("kind")
    bases = [b.get("prot") + " " + plain(b) for b in compound.findall("basecompoundref") if not is_private_name(plain(b))]
    lines = [template_of(compound) + f"{kind} {name.split('::')[-1]}" + (" : " + ", ".join(bases) if bases else "") + " {"]
    for section in compound.findall("sectiondef"):
        for m in section.findall("memberdef"):
            if m.get("prot") != "public" or m.get("kind") == "friend" or m.findtext("name").startswith(("TENON_", "@")):
                continue
            text = signature(m)
            lines.append(comment(description(m)) + "  " + text.replace("\n", "\n  ") + ";")
    return "\n".join(lines + ["};"])


def read(folder):
    """The names by header, in the order of the source."""
    by_header = collections.defaultdict(dict)
    seen = set()

    def add(header, line, name, kind, code, text):
        if not is_public(header) or is_private_name(name):
            return
        entry = by_header[header].setdefault((name, KINDS[kind]), Name(name, KINDS[kind]))
        entry.parts.append((line, code, text))

    for path in sorted(folder.glob("*.xml")):
        for compound in xml.parse(path).getroot().findall("compounddef"):
            kind, name, place = compound.get("kind"), compound.findtext("compoundname"), compound.find("location")
            if kind in ("class", "struct", "union", "concept"):
                # A specialisation is part of what it specialises.
                if "<" in name or compound.get("prot", "public") != "public" or place is None:
                    continue
                code = class_text(compound) if kind != "concept" else re.sub(r"concept [\w:]*?(\w+) *=", r"concept \1 =", "".join(compound.find("initializer").itertext()).strip())
                add(place.get("file"), int(place.get("line")), name, kind, code, description(compound))
            elif kind in ("namespace", "file"):
                scope = name + "::" if kind == "namespace" else ""
                for m in compound.iter("memberdef"):
                    if m.get("id") in seen or m.get("prot") != "public":
                        continue
                    seen.add(m.get("id"))
                    short = m.findtext("name")
                    # What a macro of ours declares is read as a function of the macro's name.
                    if (short.startswith("TENON_") and m.get("kind") != "define") or m.get("kind") not in KINDS or not short:
                        continue
                    at = m.find("location")
                    qualified = short if m.get("kind") == "define" else scope + short
                    add(at.get("file"), int(at.get("line")), qualified, m.get("kind"), signature(m) + ("" if m.get("kind") == "define" else ";"), description(m))
    return by_header


def declared(header):
    """The names that a header's lines declare outside of functions and classes, read without Doxygen."""
    names, scopes = set(), []
    text = re.sub(r"\\\n", " ", (INCLUDE / header).read_text())
    for line in re.sub(r"/\*.*?\*/", "", text, flags=re.S).splitlines():
        end = re.match(r"\}  // (namespace|extern)", line)
        line = re.sub(r"//.*", "", line)
        if m := re.match(r"namespace ([\w:]+) (?:= .*;|\{)", line):
            if line.rstrip().endswith("{"):
                scopes.append(m.group(1))
        elif re.match(r"(namespace|extern).*\{\s*$", line):
            scopes.append("detail" if line.startswith("namespace") else "")
        elif end and scopes:
            scopes.pop()
        elif "detail" in "::".join(scopes).split("::"):
            continue
        elif m := re.match(r"#define (TENON_\w+)", line):
            names.add(m.group(1))
        elif m := re.match(r"(?:template <.*> *)?(?:(?:class|struct|enum class|enum|concept)\s+(?:\[\[.*?\]\]\s*)?(?:alignas\(\w+\)\s*)?|using (?=\w+ =))(\w+)(?!::)(?= *(?:final)? *(?:[:{=]|$))", line):
            names.add(m.group(1))
        elif m := re.match(r"(?:template <.*> *)?(?:\[\[.*?\]\] )?(?:inline|constexpr|static|void|bool|int|auto|const|std|Tensor|[A-Z]\w*)\b[\w:<>,&*\s\[\]]*?(?<!::)\b(\w+)\(", line):
            names.add(m.group(1))
    return {n for n in names if not is_private_name(n) and n not in ("operator", "requires", "decltype")}


def check_complete(by_header):
    missing = []
    for header in filter(is_public, headers()):
        shown = {n.split("::")[-1] for n, _ in by_header.get(header, ())}
        everywhere = {n.split("::")[-1] for names in by_header.values() for n, _ in names}
        missing += [f"{header}: {name}" for name in sorted(declared(header) - shown - OTHER_BUILDS) if not (name in everywhere)]
    return missing


def folder_page(folder, names_of, purpose_of):
    title = f"`tenon/{folder}/`" if folder != "tenon" else "`tenon/`"
    lines = ["---", "tocdepth: 2", "---", f"# {title}", ""]
    if folder == "ops":
        lines += ["Functions of operators are in the [reference of operators](operators-reference.md), by their schemas; here is what stands beside them.", ""]
    for header in sorted(names_of):
        lines += [f"## `{header}`", "", purpose_of[header], ""]
        entries = sorted(names_of[header].values(), key=Name.line)
        if folder in COMPACT and entries:
            lines.insert(-4, f"({entries[0].label})=")
            block = sorted({part for entry in entries for part in entry.parts})
            lines += ["```cpp"] + [comment(text, "") + code for _, code, text in block] + ["```", ""]
            continue
        for entry in entries:
            lines += [f"({entry.label})=", f"### `{entry.name.removeprefix('tenon::')}`", ""]
            for _, code, text in sorted(set(entry.parts)):
                lines += ["```cpp", code, "```", "", text, ""]
    return "\n".join(lines)


def write(source):
    """The pages as files of `source`; returns the number of names. Ends the program where one is missing."""
    out = source.parent / "doxygen"
    out.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["doxygen", "-"], input=DOXYFILE.format(include=INCLUDE, out=out), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout)
    by_header = read(out / "xml")
    if missing := check_complete(by_header):
        sys.exit("public names that are on no page:\n" + "\n".join(missing))
    taken, every = set(), []
    folders = collections.defaultdict(dict)
    for header in filter(is_public, headers()):
        names = by_header.get(header, {})
        for entry in names.values():
            label = base = f"api-{entry.kind}-" + re.sub(r"\W+", "-", entry.name).strip("-").lower()
            count = 1
            while label in taken:
                label, count = f"{base}-{count}", count + 1
            taken.add(label)
            entry.label = label
            every.append(entry)
        if names and header.split("/")[1] in COMPACT:
            first = min(names.values(), key=Name.line).label
            for entry in names.values():
                entry.label = first
        folders[header.split("/")[1] if header.count("/") > 1 else "tenon"][header] = names
    purpose_of = {}
    for header in filter(is_public, headers()):
        text = []
        for line in (INCLUDE / header).read_text().splitlines():
            if not line.startswith("//"):
                break
            text.append(line.lstrip("/ "))
        purpose_of[header] = re.sub(r"([\\*_\[\]<>{}|#$~])", r"\\\1", " ".join(text))
    order = ["tenon"] + [f for f in LAYERS if f in folders]
    for folder in order:
        (source / f"api-{folder}.md").write_text(folder_page(folder, folders[folder], purpose_of))
    every.sort(key=lambda e: (e.name.split("::")[-1].lower(), e.name, e.kind))
    lines = ["# All public names", "", f"{len(every)} names; the operators are in [a reference of their own](operators-reference.md).", ""]
    letter = ""
    for (name, kind), same in itertools.groupby(every, key=lambda e: (e.name, e.kind)):
        scope, _, short = name.rpartition("::")
        first = short[0].upper() if short[0].isalpha() else "Others"
        if first != letter:
            letter = first
            lines += ["", f"## {letter}", ""]
        links = " ".join(f"[`{short}`]({entry.label})" for entry in same)
        lines.append(f"- {links}, {kind}" + (f" in `{scope}`" if scope else ""))
    (source / "api-names.md").write_text("\n".join(lines) + "\n")
    head = ["# Headers", "", "Every public header and what it declares, by folder; a folder includes only those before it. Folders `detail/` and `bodies/` are private.",
            "", "```{toctree}", ":maxdepth: 1", "", "api-names"] + [f"api-{f}" for f in order] + ["```", ""]
    (source / "api.md").write_text("\n".join(head))
    return len(every)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/site/source").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{write(folder)} names")
