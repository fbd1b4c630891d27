"""The facts in the declarations of operators under include/tenon/ops/, and the methods that follow from them.
`./dev lists` writes the facts that tests/ops/facts.txt records of PyTorch's operators beside their schemas, and the list of methods."""
import re

from checks import INCLUDE, ROOT, files

MACRO = re.compile(r"^TENON_(OPERATORS|OPERATORS_OF_NUMBERS|OPERATORS_OUT|OPERATORS_PLAIN|OPERATORS_INPLACE|OPERATOR_TAGS|OPERATOR|OPERATOR_OUT|OPERATOR_FORMS)\(", re.M)
FACT = re.compile(r"Tag::\w+|with_method|method_only|inplace_function|no_device_check|no_device_guard|(inplace|out)_tags\(.*\)", re.S)


def recorded():
    """By name without namespace: tags, variants, and NoCheck and NoGuard where they are."""
    facts = {}
    for line in (ROOT / "tests/ops/facts.txt").read_text().splitlines():
        if not line.startswith("#"):
            name, tags, variants, *device = line.split()
            facts[name] = (set(tags.split(",")) - {"-"}, set(variants.split(",")), set(device))
    return facts


PLAIN = (set(), {"function"}, set())


def end_of(text, start):
    """The place behind the parenthesis that closes the one at `start`."""
    depth, quoted, i = 0, False, start
    while True:
        c = text[i]
        if quoted:
            i += c == "\\"
            quoted = c != '"'
        elif c == '"':
            quoted = True
        elif c in "()":
            depth += 1 if c == "(" else -1
            if depth == 0:
                return i + 1
        i += 1


def pieces(text):
    """What commas separate outside of parentheses, braces and strings."""
    found, depth, quoted, begin = [], 0, False, 0
    for m in re.finditer(r'\\.|["(){},]', text):
        c = m.group()
        if c == '"':
            quoted = not quoted
        elif quoted or c.startswith("\\"):
            continue
        elif c in "({":
            depth += 1
        elif c in ")}":
            depth -= 1
        elif depth == 0:
            found.append(text[begin:m.start()])
            begin = m.end()
    return [p.strip() for p in found + [text[begin:]]]


class Spec:
    """One operator of a declaration: its schema and options, and which forms the macro derives."""

    def __init__(self, macro, kind, text):
        self.kind, self.whole = kind, text.startswith("(")
        parts = pieces(text[1:-1]) if self.whole else [text]
        self.overload = parts.pop(0) if self.whole else ""
        self.place(macro, parts)

    def place(self, macro, parts):
        self.macro, self.schema, self.options = macro, parts[0], parts[1:]
        self.name = re.match(r'"(?:\w+::)?([\w.]+)\(', self.schema).group(1)
        self.namespace = re.match(r'"(\w+)::', self.schema).group(1)
        self.arguments = self.schema[self.schema.index("(") + 1:self.schema.rindex("->")]

    @property
    def base(self):
        return self.name.partition(".")[0]

    def inplace(self):
        """The name of the in-place form, if there may be one."""
        if self.kind != "all" or "no_inplace" in self.options or not re.match(r"Tensor \w", self.arguments):
            return None
        if not re.search(r"-> \(?Tensor( \w+)?\)?\"$", self.schema):
            return None
        stated = [m.group(1) for o in self.options if (m := re.match(r'inplace_overload\("(.*)"\)', o))]
        overload = stated[0] if stated else self.name.partition(".")[2]
        return self.base + "_" + ("." + overload if overload else "")

    def out(self):
        if self.kind not in ("all", "out") or "no_out" in self.options:
            return None
        for o in self.options:
            if o.startswith('"'):
                return re.match(r'"(?:\w+::)?([\w.]+)\(', o).group(1) if "(" in o else self.base + "." + o.strip('"')
        overload = self.name.partition(".")[2]
        return self.base + ("." + overload + "_out" if overload not in ("", "Tensor") else ".out")

    def wanted(self, facts):
        """The options that say what is recorded of the operator and its forms."""
        tags, variants, device = facts.get(self.name, PLAIN)
        words = []
        if "method" in variants:
            words.append("with_method" if "function" in variants else "method_only")
            form = facts.get(self.inplace(), PLAIN)[1]
            if "function" in variants and self.inplace() in facts and "function" in form:
                words.append("inplace_function")
        words += ["no_device_check"] * ("NoCheck" in device) + ["no_device_guard"] * ("NoGuard" in device)
        words += ["Tag::" + t for t in sorted(tags)]
        for form, word in ((self.inplace(), "inplace_tags"), (self.out(), "out_tags")):
            if form is None:
                continue
            own = facts.get(form, PLAIN)[0]
            if own != tags - {"core"}:
                words.append(f"{word}({{{', '.join('Tag::' + t for t in sorted(own))}}})".replace("({})", "()"))
        return words

    def rewritten(self, facts):
        others = [o for o in self.options if not FACT.fullmatch(o)]
        options = others + (self.wanted(facts) if self.namespace == "aten" else [o for o in self.options if FACT.fullmatch(o)])
        if sorted(options) == sorted(self.options):
            return None
        parts = [self.schema] + options
        if not self.whole and self.kind != "tag":
            return "(" + ", ".join(["base"] + parts) + ")" if options else self.schema
        return "(" + ", ".join([self.overload] + parts) + ")" if self.whole else ", ".join(parts)

    def methods(self):
        """Names of methods, each with the place of `self` among the arguments."""
        self_at = next((i for i, a in enumerate(self.arguments.split(",")) if re.search(r"\bself\b", a)), 0)
        names = {self.base: self_at} if {"with_method", "method_only"} & set(self.options) else {}
        if "with_method" in self.options and self.inplace():
            names[self.base + "_"] = self_at
        return names


KINDS = {"OPERATORS": "all", "OPERATORS_OF_NUMBERS": "all", "OPERATORS_OUT": "out", "OPERATORS_PLAIN": "plain", "OPERATORS_INPLACE": "plain"}


def declarations(text):
    """(begin, end, macro, specs, write) of each declaration; `write` makes the text of its arguments from those of its specs."""
    for m in MACRO.finditer(text):
        end = end_of(text, m.end() - 1)
        parts = pieces(text[m.end():end - 1])
        macro = m.group(1)
        if macro in KINDS:
            head, kind = 1, KINDS[macro]
        elif macro == "OPERATOR_TAGS":
            head, kind = 2, parts[0]
        else:  # one operator, its options behind its schema
            spec = Spec.__new__(Spec)
            spec.kind, spec.whole = "tag", False
            spec.place(macro, parts[1:])
            spec.kind = {"OPERATOR": "plain", "OPERATOR_OUT": "out", "OPERATOR_FORMS": "all"}[macro]
            yield m.end(), end - 1, macro, parts[:1], [spec]
            continue
        yield m.end(), end - 1, macro, parts[:head], [Spec(macro, kind, p) for p in parts[head:]]


def headers():
    return files("include/tenon/ops", "*.hpp")


def write_facts():
    """Says beside each schema what is recorded of it. Returns the headers that changed."""
    facts, changed = recorded(), []
    for path in headers():
        text = old = path.read_text()
        for begin, end, macro, head, specs in reversed(list(declarations(text))):
            if macro in ("OPERATOR", "OPERATOR_OUT", "OPERATOR_FORMS"):
                one = specs[0]
                kept = [o for o in one.options if not FACT.fullmatch(o)]
                options = kept + (one.wanted(facts) if one.namespace == "aten" else [o for o in one.options if FACT.fullmatch(o)])
                new = None if sorted(options) == sorted(one.options) else [one.schema] + options
            else:
                texts = [s.rewritten(facts) for s in specs]
                new = None
                if any(texts):
                    new = [t or (f"({', '.join([s.overload, s.schema] + s.options)})" if s.whole else s.schema) for s, t in zip(specs, texts)]
            if new:
                text = text[:begin] + ", ".join(head + new) + text[end:]
        if text != old:
            path.write_text(text)
            changed.append(path)
    return changed


def functions():
    """The names of the functions that the headers of operators declare, each with its header's namespace in tenon::ops."""
    families = {}
    for path in headers():
        text = path.read_text()
        names = set(re.findall(r"^struct (\w+)_function\b", text, re.M)) | set(re.findall(r"^TENON_FUNCTION\((\w+),", text, re.M))
        for _, _, macro, head, _ in declarations(text):
            if macro == "OPERATORS_INPLACE":
                names.add(head[0] + "_")
            elif macro in KINDS:
                names |= {head[0]} | ({head[0] + "_"} if macro in ("OPERATORS", "OPERATORS_OF_NUMBERS") else set())
        families |= dict.fromkeys(names, path.stem + "_family")
    return families


def without_family():
    """The headers of operators whose namespace is not the inline `tenon::ops::STEM_family`: for each class that GCC instantiates it walks
    all names of the namespaces that are open, so that each header's are a namespace of their own."""
    return [path for path in headers()
            if re.search(r"^TENON_(OPERATOR|FUNCTION)", text := path.read_text(), re.M)
            and f"\nnamespace tenon::ops {{\ninline namespace {path.stem}_family {{\n" not in text]


def handwritten():
    """The methods that `Tensor` spells out."""
    text = (INCLUDE / "tenon/tensor/tensor.hpp").read_text()
    text = text[text.index("class Tensor {"):]
    return set(re.findall(r"^  (?:[\w:&<>* ]+ )?(\w+)\([^;]*?\) const\b", text, re.M)) | {"contiguous"}


NO_METHODS = {"data"}  # what has `data()` and `size()` is a list
PYTHON_METHODS = {"unique", "unique_consecutive"}  # which PyTorch's declarations do not have


def methods():
    """By the place of `self` among the arguments: the names of the methods that the declarations ask for; and of those the names
    that take a list of integers behind `self`."""
    found, listed = dict.fromkeys(PYTHON_METHODS, 0), set()
    for path in headers():
        for _, _, _, _, specs in declarations(path.read_text()):
            for spec in specs:
                for name, place in spec.methods().items():
                    found[name] = place
                    if re.match(r"Tensor(\([^)]*\))? self, (Sym)?[Ii]nt\[", spec.arguments):
                        listed.add(name)
    return {place: sorted(n for n, p in found.items() if p == place) for place in sorted(set(found.values()))}, listed


HEAD = """// The methods of Tensor that are operators, written by `./dev lists` from the declarations that say `with_method` or
// `method_only`. A method's body is the operator's overload set, whose header the caller includes; without it the
// compiler reports an incomplete `ops::HEADER_family::NAME_function`.
#pragma once

// clang-format off
"""


MOST_LINES = 25  # of a macro, which tests/layers/check.py demands


def wrapped(head, words):
    """The lines of a macro's definition."""
    lines = [head]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > 126:
            lines.append(" ")
        lines[-1] += " " + word
    return lines


def methods_header():
    """The text of tensor/methods.hpp. What Tensor spells out itself is not in it."""
    (found, listed), own = methods(), handwritten() | NO_METHODS
    assert set(found) <= {0, 1}, f"methods with self behind the second argument: {found}"
    text = HEAD
    lists = (("TENON_FOR_EACH_METHOD", "", found.get(0, [])),
             ("TENON_FOR_EACH_METHOD_OF_LIST", "// Those that take a list of integers next, `x.sum({0, 1})`.\n", sorted(listed)),
             ("TENON_FOR_EACH_METHOD_SELF_SECOND", "// Of functions that take `self` behind their first argument: `x.where(condition, other)`.\n",
              found.get(1, [])))
    for macro, comment, names in lists:
        text += comment
        words = [f"X({name})" for name in names if name not in own]
        lines = wrapped(f"#define {macro}(X)", words)
        if len(lines) > MOST_LINES:  # in parts
            rows, parts = wrapped(" ", words), []
            for first in range(0, len(rows), MOST_LINES - 1):
                parts.append(f"{macro.replace('FOR_EACH', 'INTERNAL')}_{len(parts)}(X)")
                text += " \\\n".join([f"#define {parts[-1]}"] + rows[first:first + MOST_LINES - 1]) + "\n"
            lines = wrapped(f"#define {macro}(X)", parts)
        text += " \\\n".join(lines) + "\n"
    families = functions()
    called = set(re.findall(r"\bops::(\w+)_function\b", (INCLUDE / "tenon/tensor/tensor.hpp").read_text()))
    names = {name for _, _, some in lists for name in some} - own | called
    text += "// What their bodies call.\nnamespace tenon::ops {\n"
    for family in sorted({families[name] for name in names}):
        line, lines = f"inline namespace {family} {{", []
        for name in sorted(n for n in names if families[n] == family):
            if len(line) + len(name) + 18 > 126:
                lines.append(line)
                line = " "
            line += f" struct {name}_function;"
        text += "\n".join(lines + [line + " }"]) + "\n"
    return text + "}  // namespace tenon::ops\n// clang-format on\n"


def result_names():
    """The names that the schemas give their results, of operators that have several."""
    found = set()
    for path in headers():
        for results in re.findall(r'-> \(((?:[^()"]|\([a-z]!\))*,(?:[^()"]|\([a-z]!\))*)\)"', path.read_text()):
            found |= {words[-1] for r in results.split(",") if len(words := r.split()) == 2}
    return sorted(found)


def result_names_header():
    """The text of library/result_names.hpp. Short names and those in capitals are macros of many programs."""
    text = "// The names of operators' results, written by `./dev lists` from the schemas.\n#pragma once\n#include <tenon/library/results.hpp>\n"
    names = result_names()
    macros = [n for n in names if n.isupper() or len(n) < 3]
    text += "\n// What programs may have defined is set aside.\n"
    text += "".join(f'#pragma push_macro("{n}")\n' for n in macros) + "".join(f"#undef {n}\n" for n in macros) + "\n"
    text += "".join(f"TENON_RESULT_NAME({n})\n" for n in names) + "\n"
    return text + "".join(f'#pragma pop_macro("{n}")\n' for n in macros)
