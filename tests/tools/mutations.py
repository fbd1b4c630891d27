"""Small changes of meaning to C++ sources: which lines count, and what can be changed in one. For mutate.py.
A change has two forms: `switched`, in which both meanings stand and TENON_MUTANT(n) chooses when the program runs, and `plain`, the text as someone would have mistyped it."""
import re
from dataclasses import dataclass


@dataclass
class Change:
    what: str       # for the table
    switched: list  # of (start, end, text), N for the number; empty where the compiler must decide
    plain: list

    def span(self):
        edits = self.switched + self.plain
        return min(e[0] for e in edits), max(e[1] for e in edits)


def masked(text):
    """The text with comments and the insides of literals as blanks, so that places stay."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((.*?)\)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])\'', re.S)

    def blank(m):
        s = m.group(0)
        inner = re.sub(r"[^\n]", " ", s)
        return inner if s.startswith("/") else s[0] + inner[1:-1] + s[-1]
    return token.sub(blank, text)


def code_lines(mask):
    """Numbers, from 0, of the lines in which something can happen."""
    out, in_macro, in_template = [], False, False
    for i, line in enumerate(mask.split("\n")):
        s = line.strip()
        macro = in_macro or s.startswith("#")
        in_macro = macro and s.endswith("\\")
        if macro or not re.search(r"\w", s) or re.match(r"(namespace|public|private|protected|using namespace)\b", s):
            continue
        if re.match(r"template\b", s):
            continue
        out.append(i)
    return out


OPEN, CLOSE = "([{", ")]}"


def closing(mask, at):
    depth = 0
    for i in range(at, len(mask)):
        depth += (mask[i] in OPEN) - (mask[i] in CLOSE)
        if depth == 0:
            return i
    return -1


# Where the operands of an operator end: what binds less, by level.
BREAKS = [r"[,;]|(?<!:):(?!:)|(?<![=!<>+\-*/%&|^])=(?!=)|[+\-*/%&|^]=|\breturn\b|\bcase\b|<<|>>|\?", r"\|\|", r" && ", r"[!=]=", r" [<>]=? ", r" [+-] ", r" [*/%] "]


def operand(mask, at, level, step):
    """The end of the operand that stands before (step -1) or behind (step 1) the place."""
    stop = re.compile("|".join(BREAKS[: level + (step > 0)]))
    depth, i = 0, at
    opens, closes = (OPEN, CLOSE) if step > 0 else (CLOSE, OPEN)
    low = max(0, at - 400)
    ends = {m.start() if step > 0 else m.end() for m in stop.finditer(mask, low if step < 0 else at, at if step < 0 else at + 400)}
    while 0 <= i <= len(mask):
        if depth == 0 and i in ends and i != at:
            return i
        c = mask[i] if step > 0 else mask[i - 1]
        if c in opens:
            depth += 1
        elif c in closes:
            depth -= 1
            if depth < 0:
                return i
        i += step
        if abs(i - at) > 399:
            return -1
    return -1


def flat(s):
    return re.sub(r"\s*\n\s*", " ", s)


def binary(text, mask, start, end, new, level, what=None, swap=False):
    """An operator at [start, end) becomes another, or its operands change places."""
    left, right = operand(mask, start, level, -1), operand(mask, end, level, 1)
    plain = [(start, end, new)]
    if left < 0 or right < 0:
        return None if swap else Change(what, [], plain)
    while left < start and text[left].isspace():
        left += 1
    while right > end and text[right - 1].isspace():
        right -= 1
    a, b, op = text[left:start], text[end:right], text[start:end]
    if not a.strip() or not b.strip() or "\n" in mask[left:start] and "//" in text[left:start]:
        return None
    other = f"({flat(b)}) {new.strip()} ({flat(a)})" if swap else f"({flat(a)}) {new.strip()} ({flat(b)})"
    if swap:
        if a.strip() == b.strip():
            return None
        plain = [(left, right, f"({flat(b)}){op}({flat(a)})" + "\n" * text[left:right].count("\n"))]
    return Change(what or f"`{op.strip()}` -> `{new.strip()}`", [(left, left, f"(TENON_MUTANT(N) ? {other} : (("), (start, start, ")"), (end, end, "("), (right, right, ")))")], plain)


def wrap(start, end, old, new, what=None):
    return Change(what or f"`{old}` -> `{new}`", [(start, end, f"(TENON_MUTANT(N) ? {new} : {old})")], [(start, end, new)])


PAIRS = {"std::min": "std::max", "std::any_of": "std::all_of", "std::lower_bound": "std::upper_bound", "math::minimum": "math::maximum"}
PAIRS.update({b: a for a, b in list(PAIRS.items())})
DTYPES = {"kFloat": "kDouble", "kDouble": "kFloat", "kLong": "kInt", "kInt": "kLong", "kBool": "kByte", "kHalf": "kBFloat16", "kByte": "kBool"}
NAME = r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)*"
NO_STATEMENT = re.compile(r"(return|using|typedef|static_assert|throw|namespace|case|default|friend|template|else|do|for|while|switch|goto|struct|class|enum|union|extern|alignas|static|inline|constexpr|explicit|virtual|delete|TENON_INTERNAL_\w+)\b|.*(=\s*(default|delete)|\boverride|\bconst)\s*;$")
STATEMENT = re.compile(rf"(if\s*\(|break;|continue;|return;|(\+\+|--|\*)?{NAME}(<[\w:, ]*>)?\s*(\(|\[|[+\-*/|&^]?=|\+\+|--|\.|->))")


def changes(text, mask, line):
    """What can be changed in the line, a list per kind so that none prevails by number."""
    begin = 0
    for _ in range(line):
        begin = mask.index("\n", begin) + 1
    end = mask.find("\n", begin)
    end = len(mask) if end < 0 else end
    kinds = {}

    def add(kind, change):
        if change:
            kinds.setdefault(kind, []).append(change)

    def each(pattern):
        return re.compile(pattern).finditer(mask, begin, end)

    source = mask[begin:end]
    for m in each(r"\b(if|while)( constexpr)?\s*\("):
        close = closing(mask, m.end() - 1)
        cond = mask[m.end():close]
        if close < 0 or ";" in cond or re.search(r"(?<![=!<>])=(?!=)", cond) or "requires" in cond:
            continue
        plain = [(m.end(), m.end(), "!("), (close, close, ")")]
        switched = [] if m.group(2) else [(m.end(), m.end(), "TENON_MUTANT(N) != static_cast<bool>("), (close, close, ")")]
        add("condition", Change(f"negate the condition of `{m.group(1)}`", switched, plain))
    for m in each(r" \? "):
        left = operand(mask, m.start(), 1, -1)
        if left >= 0:
            while text[left].isspace():
                left += 1
            add("condition", Change("negate the condition of `?`", [(left, left, "(TENON_MUTANT(N) != static_cast<bool>("), (m.start(), m.start(), "))")], [(left, left, "!("), (m.start(), m.start(), ")")]))
    for m in each(r" (&&|\|\|) "):
        op = m.group(1)
        add("logic", binary(text, mask, m.start(), m.end(), " || " if op == "&&" else " && ", 2 if op == "&&" else 1, f"`{op}` -> `{'||' if op == '&&' else '&&'}`"))
    for m in each(r" (<|<=|>|>=) "):
        op = m.group(1)
        new = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}[op]
        add("comparison", binary(text, mask, m.start(), m.end(), f" {new} ", 4, f"`{op}` -> `{new}`"))
    for m in each(r" ([!=]=) "):
        new = "!=" if m.group(1) == "==" else "=="
        add("comparison", binary(text, mask, m.start(), m.end(), f" {new} ", 3, f"`{m.group(1)}` -> `{new}`"))
    for m in each(r" ([+\-*/%]) "):
        op = m.group(1)
        level = 5 if op in "+-" else 6
        new = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/"}[op]
        add("arithmetic", binary(text, mask, m.start(), m.end(), f" {new} ", level, f"`{op}` -> `{new}`"))
        if op in "-/%":
            add("arithmetic", binary(text, mask, m.start(), m.end(), f" {op} ", level, f"operands of `{op}` swapped", swap=True))
    for m in each(rf"(\*?{NAME}(?:\[[^\[\]\n]*\])*) ([+\-*/|&])= ([^;,\n]+)(?=[;,])"):
        left, op, right = (text[m.start(k):m.end(k)] for k in (1, 2, 3))
        new = {"+": "-", "-": "+", "*": "/", "/": "*", "|": "&", "&": "|"}[op]
        if right.count("(") == right.count(")"):
            add("assignment", Change(f"`{op}=` -> `{new}=`", [(m.start(), m.end(), f"(TENON_MUTANT(N) ? ({left} {new}= {right}) : ({left} {op}= {right}))")], [(m.start(2), m.end(2), new)]))
    constant = "constexpr" in source or re.search(r"\bconst\b[^=()]*=\s*[\d.]+", source) or re.match(r"\s*case\b", source)
    for m in each(r"(?<![\w.'<\"])(\d+)(u|U|ull|LL)?(?![\w.'])"):
        if re.search(r"\)\s*(const)?\s*= $", mask[begin:m.start()]) and m.group(1) == "0":
            continue
        new = str(int(m.group(1)) + 1) + (m.group(2) or "")
        add("number", Change(f"`{m.group(0)}` -> `{new}`", [], [(m.start(), m.end(), new)]) if constant else wrap(m.start(), m.end(), m.group(0), new))
    for m in each(r"(?<![\w.'])(\d+\.\d*(?:e-?\d+)?f?)(?![\w.'])"):
        new = f"({m.group(0)} * 1.5 + 1)" if not m.group(0).endswith("f") else f"({m.group(0)} * 1.5f + 1)"
        add("number", Change(f"`{m.group(0)}` -> `{new}`", [], [(m.start(), m.end(), new)]) if constant else wrap(m.start(), m.end(), m.group(0), new))
    for m in each(r"\b(true|false)\b"):
        new = "false" if m.group(0) == "true" else "true"
        add("constant", Change(f"`{m.group(0)}` -> `{new}`", [], [(m.start(), m.end(), new)]) if constant else wrap(m.start(), m.end(), m.group(0), new))
    for m in each(r"(?<![\w:.])(" + "|".join(DTYPES) + r")\b(?!_)"):
        new = DTYPES[m.group(0)]
        add("constant", Change(f"`{m.group(0)}` -> `{new}`", [], [(m.start(), m.end(), new)]) if constant else wrap(m.start(), m.end(), m.group(0), new))
    for m in each(r"(?<![\w:.])kFullWarp\b"):
        add("constant", wrap(m.start(), m.end(), "kFullWarp", "(kFullWarp >> 1)"))
    for m in each(r"(?<![\w)\]])!(?=[\w(:*])"):
        add("logic", Change("drop `!`", [(m.start(), m.end(), "TENON_MUTANT(N) != !")], [(m.start(), m.end(), "")]))
    for m in each("(" + "|".join(PAIRS) + r")\b(?=(<[\w:, ]*>)?\()"):
        close = closing(mask, mask.index("(", m.end()))
        if close > 0:
            rest = flat(text[m.end():close + 1])
            new = PAIRS[m.group(1)]
            add("call", Change(f"`{m.group(1)}` -> `{new}`", [(m.start(), m.start(), f"(TENON_MUTANT(N) ? {new}{rest} : "), (close + 1, close + 1, ")")], [(m.start(), m.end(), new)]))
    for m in each(rf"(?<=\()({NAME}), ({NAME})(?=[,)])|(?<=, )({NAME}), ({NAME})(?=[,)])"):
        a, b = (1, 2) if m.group(1) else (3, 4)
        depth, i = 0, m.start()
        while i > begin and not (depth == 0 and mask[i - 1] == "("):
            depth += (mask[i - 1] in CLOSE) - (mask[i - 1] in OPEN)
            i -= 1
        callee = re.search(rf"({NAME}(?:\([^()]*\)|<[\w:, ]*>|\.|->|\w)*)$", mask[begin:i - 1]) if i > begin else None
        close = closing(mask, i - 1) if i > begin else -1
        if not callee or close < 0 or m.group(a) == m.group(b) or re.match(r"(if|for|while|switch|return|TENON_\w+)$", callee.group(1)):
            continue
        start = begin + callee.start(1)
        swapped = text[start:m.start()] + m.group(b) + ", " + m.group(a) + text[m.end():close + 1]
        add("call", Change(f"swap `{m.group(a)}` and `{m.group(b)}`", [(start, start, f"(TENON_MUTANT(N) ? {flat(swapped)} : "), (close + 1, close + 1, ")")], [(m.start(), m.end(), f"{m.group(b)}, {m.group(a)}")]))
    for m in each(r'"([^"\n]*)"(?!_a\b|\w)'):
        words = text[m.start():m.end()]
        beside = (mask[:m.start()].rstrip()[-1:] == '"') or mask[m.end():].lstrip()[:1] == '"'
        schema = re.search(r"->|\w::\w|\bTensor |Tensor\(", words)
        if len(re.findall("[A-Za-z]", words)) >= 4 and not schema:
            add("text", Change(f"{words[:40]} -> \"mutant\"", [] if beside else [(m.start(), m.end(), f'(TENON_MUTANT(N) ? "mutant" : {words})')], [(m.start(), m.end(), '"mutant"')]))
    s = source.strip()
    before = mask[:begin].rstrip()[-1:]
    following = mask[end:].lstrip()
    if s.endswith(";") and before in list(";{})") and STATEMENT.match(s) and not NO_STATEMENT.match(s) and not following.startswith("else"):
        if s.count("(") == s.count(")") and s.count("{") == s.count("}") and not re.match(rf"{NAME}(<.*>)?[&*]* {NAME}\b", s):
            first, last = begin + source.index(s), begin + source.index(s) + len(s)
            declared = s.startswith("TENON_") and not s.startswith("TENON_CHECK")  # may stand outside of functions
            add("statement", Change("drop the statement", [] if declared else [(first, first, "{ if (!TENON_MUTANT(N)) { "), (last, last, " } }")], [(first, last, ";")]))
    m = re.match(r"\s*return ([^;]+);$", source)
    if m and not kinds and m.group(1) not in ("{}", "*this"):
        at = begin + m.start(1) - len("return ")
        add("result", Change("return {}", [(at, at, "{ if (TENON_MUTANT(N)) return {}; "), (begin + m.end(), begin + m.end(), " }")], [(begin + m.start(1), begin + m.end(1), "{}")]))
    return [kinds[k] for k in sorted(kinds)]


def apply(text, edits):
    for start, end, new in sorted(edits, key=lambda e: (e[0], e[1]), reverse=True):
        text = text[:start] + new + text[end:]
    return text
