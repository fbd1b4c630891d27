"""Shows tenon's types in gdb and lldb: tensors with their elements, boxed values, key sets, symbolic integers, schemas, nodes of graphs.
gdb:  source tools/debuggers/tenon_printers.py          lldb: command script import tools/debuggers/tenon_printers.py
Reads memory alone and calls nothing in the program, so that it serves core dumps too. What both debuggers show is
described once, over the few questions that class Gdb and class Lldb answer."""
import re
import struct

try:
    import gdb
except ImportError:
    gdb = None
try:
    import lldb
except ImportError:
    lldb = None

MOST_ELEMENTS = 64

# By enumerator of ScalarType: the name, and how struct reads an element (None: see FLOAT).
DTYPES = {
    "Byte": ("uint8", "B"), "Char": ("int8", "b"), "Short": ("int16", "h"), "Int": ("int32", "i"), "Long": ("int64", "q"),
    "Half": ("float16", "e"), "Float": ("float32", "f"), "Double": ("float64", "d"), "ComplexHalf": ("complex32", "ee"),
    "ComplexFloat": ("complex64", "ff"), "ComplexDouble": ("complex128", "dd"), "Bool": ("bool", "?"), "BFloat16": ("bfloat16", None),
    "Float8_e5m2": ("float8_e5m2", None), "Float8_e4m3fn": ("float8_e4m3fn", None), "UInt16": ("uint16", "H"),
    "UInt32": ("uint32", "I"), "UInt64": ("uint64", "Q"),
}


def small_float(name, raw):
    """The number in the bytes of one of the floating types that struct does not know."""
    if name == "BFloat16":
        return struct.unpack("<f", b"\0\0" + raw)[0]
    if name == "Float8_e5m2":
        return struct.unpack("<e", b"\0" + raw)[0]
    bits = raw[0]
    sign, exponent, fraction = -1.0 if bits & 0x80 else 1.0, bits >> 3 & 15, bits & 7
    if bits & 0x7F == 0x7F:
        return float("nan")
    return sign * (fraction / 8 * 2.0**-6 if exponent == 0 else (1 + fraction / 8) * 2.0 ** (exponent - 7))


SIZES = {"BFloat16": 2, "Float8_e5m2": 1, "Float8_e4m3fn": 1}


def number_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def element_text(name, raw):
    form = DTYPES[name][1]
    parts = [small_float(name, raw)] if form is None else struct.unpack("<" + form, raw)
    if len(parts) == 2:
        return f"{number_text(parts[0])}{'' if str(parts[1]).startswith('-') else '+'}{number_text(parts[1])}j"
    return number_text(parts[0])


class Describer:
    """The texts, by the type's name without `tenon::`. A value answers: field(name), integer(), enumerator(), address(),
    target() of a pointer, text() of a string of the standard library, items() of a vector, most_derived() of a pointer."""

    def describe(self, v, kind):
        kind = re.sub(r"<.*", "", kind)
        return getattr(self, "of_" + kind)(v)

    def of_Tensor(self, v):
        impl = v.field("impl_").field("object_")
        return "undefined" if impl.integer() == 0 else self.of_TensorImpl(impl.target())

    def ints(self, v, address, count):
        return list(struct.unpack(f"<{count}q", v.memory(address, 8 * count))) if count else []

    def of_TensorImpl(self, v):
        dtype = v.field("dtype_").enumerator()
        dim = v.field("dim_").integer()
        extents = self.ints(v, v.field("extents_").integer(), 2 * dim)
        sizes, strides = extents[:dim], extents[dim:]
        name = DTYPES[dtype][0] if dtype in DTYPES else dtype
        shape = [self.sym_int(bits) for bits in sizes]
        head = f"{name}[{', '.join(shape)}]"
        device = self.of_Device(v.field("device_"))
        if device != "cpu":
            head += " on " + device
        if v.field("symbolic_").integer() or dtype not in DTYPES:
            return head
        storage = v.field("storage_").field("object_")
        data = storage.integer() and storage.target().field("data_").integer()
        if not data or not device.startswith("cpu"):
            return head
        size = SIZES.get(dtype) or struct.calcsize("<" + DTYPES[dtype][1])
        data += v.field("offset_").integer() * size
        left = [MOST_ELEMENTS]

        def part(d, at):
            if d == dim:
                left[0] -= 1
                return element_text(dtype, v.memory(at, size))
            texts = []
            for i in range(sizes[d]):
                if left[0] <= 0:
                    texts.append("...")
                    break
                texts.append(part(d + 1, at + i * strides[d] * size))
            return "{" + ", ".join(texts) + "}"

        return head + " " + part(0, data)

    def of_Device(self, v):
        index = v.field("index").integer()
        index -= 256 if index > 127 else 0
        return v.field("type").enumerator().lower() + ("" if index < 0 else f":{index}")

    def sym_int(self, bits):
        if (bits >> 48) & 0xFFFF == 0x9A5D:
            return f"symbol@{bits & (1 << 48) - 1:#x}"
        return str(bits)

    def of_SymInt(self, v):
        return self.sym_int(v.field("bits_").integer())

    def of_Scalar(self, v):
        kind = v.field("kind_").enumerator()
        if kind == "Bool":
            return "true" if v.field("bits_").integer() else "false"
        if kind in ("Int", "UInt"):
            bits = v.field("bits_").integer()
            return str(bits & (1 << 64) - 1 if kind == "UInt" else bits)
        re_ = number_text(v.field("re_").real())
        return re_ if kind == "Double" else f"{re_}+{number_text(v.field('im_').real())}j"

    def of_ArrayRef(self, v):
        count = v.field("size_").integer()
        return "[" + ", ".join(v.element_texts(v.field("data_"), min(count, MOST_ELEMENTS))) + (", ..." if count > MOST_ELEMENTS else "") + "]"

    def of_SmallVector(self, v):
        return self.of_ArrayRef(v)

    def of_Stack(self, v):
        return self.of_ArrayRef(v)

    def of_KeySet(self, v):
        bits = v.field("bits_").integer() & (1 << 64) - 1
        keys, backends = v.enum("DispatchKey"), v.enum("BackendComponent")
        by_value = {}
        for name, value in keys.items():
            by_value.setdefault(value, name)
        names = []
        for bit in range(16, 64):
            if not bits >> bit & 1:
                continue
            name = by_value.get(bit - 15, f"key {bit - 15}")
            block = keys.get(f"StartOf{name}Backends")
            if block is None:
                names.append(name)
                continue
            names += [by_value[block + value] for value in sorted(set(backends.values())) if value and bits >> (value - 1) & 1]
        return "DispatchKeySet(" + ", ".join(names) + ")"

    def of_Value(self, v):
        kind = v.field("kind_").enumerator()
        if kind in ("None", "Uninitialized"):
            return kind
        if kind == "Tensor":
            return "Tensor " + self.of_Tensor(v.field("tensor_"))
        if kind == "Double":
            return "Double " + number_text(v.field("double_").real())
        bits = v.field("int_").integer()
        if kind in ("Int", "UInt"):
            return f"{kind} {bits & (1 << 64) - 1 if kind == 'UInt' else bits}"
        if kind == "Bool":
            return "Bool " + ("true" if bits else "false")
        if kind == "Device":
            names = {value: name.lower() for name, value in v.enum("DeviceType").items()}
            index = bits & 0xFF
            return f"Device {names.get(bits >> 8, bits >> 8)}" + ("" if index > 127 else f":{index}")
        try:
            if kind == "String":
                return "String " + v.field("object_").most_derived("detail::StringObject").field("text").string()
            if kind in ("List", "Tuple"):
                items = v.field("object_").most_derived("detail::ListObject").field("items").items(MOST_ELEMENTS)
                return f"{kind} [" + ", ".join(self.of_Value(item) for item in items) + "]"
        except KeyError:  # the library was compiled without debugging data
            pass
        return f"{kind} object"

    def of_SchemaView(self, v):
        return v.field("text").string()

    def of_FunctionSchema(self, v):
        data = v.field("data_").field("object_")
        return "none" if data.integer() == 0 else self.of_SchemaView(data.target().field("view").target())

    def of_OperatorEntry(self, v):
        schema = v.field("schema_").field("value_")
        return v.field("name_").string() if schema.integer() == 0 else self.of_SchemaView(schema.target())

    def of_OperatorHandle(self, v):
        entry = v.field("entry_")
        return "none" if entry.integer() == 0 else self.of_OperatorEntry(entry.target())

    def node_name(self, v):
        """Of a pointer to a node: what it is, and for a derivative the operator whose."""
        if v.integer() == 0:
            return "none"
        found = re.search(r"vtable for ([\w:()<> ]+?)(?: \+ \d+| in section|$)", v.vtable())
        kind = found.group(1) if found else "tenon::Node"
        if kind.endswith("::DerivativeNode"):
            try:
                return "backward of " + v.most_derived("autograd::DerivativeNode").field("table_").target().field("op_name").string()
            except KeyError:  # the library was compiled without debugging data
                pass
        return kind.rsplit("::", 1)[-1]

    def result_text(self, v):
        dtype = v.field("dtype").enumerator()
        return (DTYPES[dtype][0] if dtype in DTYPES else dtype) + self.of_ArrayRef(v.field("sizes"))

    def of_Node(self, v):
        v = v.base("Node")
        results, edges = v.field("n_results_").integer(), v.field("edges_").items_at(v.field("n_edges_").integer(), MOST_ELEMENTS)
        text = f"{self.node_name(v.pointer())}, sequence {v.field('sequence_').integer()}"
        if results:
            text += f", of {self.result_text(v.field('first_result_'))}" + (f" and {results - 1} more" if results > 1 else "")
        to = []
        for edge in edges:
            index = edge.field("index").integer()
            to.append(self.node_name(edge.field("node").field("object_")) + (f" at {index}" if index else ""))
        return text + (" -> " + ", ".join(to) if to else "")

    def of_DerivativeNode(self, v):
        return self.of_Node(v)

    def of_intrusive_ptr(self, v):
        pointer = v.field("object_")
        if pointer.integer() == 0:
            return "null"
        is_node = any(pointer.points_to(name) for name in ("Node", "autograd::DerivativeNode"))
        return self.of_Node(pointer.target()) if is_node else pointer.pointer_text()

    def half(self, name, v):
        return number_text(struct.unpack("<e", struct.pack("<H", v.field("bits").integer()))[0] if name == "Half" else small_float(name, struct.pack("<H", v.field("bits").integer())))

    def of_Half(self, v):
        return self.half("Half", v)

    def of_BFloat16(self, v):
        return self.half("BFloat16", v)


TYPES = [name[3:] for name in vars(Describer) if name.startswith("of_")]
PATTERN = r"^(const )?tenon::(schema::|autograd::)?(%s)(<.*>)?$" % "|".join(TYPES)


def kind_of(type_name):
    match = re.match(PATTERN, type_name)
    return match and match.group(3)


class Gdb:
    """A value of gdb."""

    def __init__(self, value):
        self.value = value

    def field(self, name):
        return Gdb(self.value[name])

    def integer(self):
        return int(self.value)

    def real(self):
        return float(self.value)

    def enumerator(self):
        return str(self.value).rsplit("::", 1)[-1]

    def target(self):
        return Gdb(self.value.dereference())

    def memory(self, address, size):
        return bytes(gdb.selected_inferior().read_memory(address, size))

    def enum(self, name):
        return {f.name.rsplit("::", 1)[-1]: f.enumval for f in gdb.lookup_type("tenon::" + name).fields()}

    def element_texts(self, pointer, count):
        return [str(pointer.value[i]) for i in range(count)]

    def string(self):
        """A std::string or std::string_view, quoted only if it is owned text."""
        v = self.value
        if "basic_string_view" in str(v.type.strip_typedefs()):
            return bytes(gdb.selected_inferior().read_memory(int(v["_M_str"]), int(v["_M_len"]))).decode(errors="replace") if int(v["_M_len"]) else ""
        size = int(v["_M_string_length"])
        return '"' + (bytes(gdb.selected_inferior().read_memory(int(v["_M_dataplus"]["_M_p"]), size)).decode(errors="replace") if size else "") + '"'

    def items(self, most):
        start, end = self.value["_M_impl"]["_M_start"], self.value["_M_impl"]["_M_finish"]
        return [Gdb(start[i]) for i in range(min(int(end - start), most))]

    def most_derived(self, name):
        try:
            return Gdb(self.value.cast(gdb.lookup_type("tenon::" + name).pointer()).dereference())
        except gdb.error as error:
            raise KeyError(name) from error

    def pointer_text(self):
        return f"({self.value.dynamic_type}) {int(self.value):#x}"

    def vtable(self):
        """The symbol of the object's table of virtual functions: it is there without debugging data, too."""
        word = int.from_bytes(self.memory(int(self.value), 8), "little")
        return gdb.execute(f"info symbol {word}", to_string=True)

    def points_to(self, name):
        return str(self.value.type.strip_typedefs().target().unqualified()) == "tenon::" + name

    def pointer(self):
        return Gdb(self.value.address)

    def base(self, name):
        return Gdb(self.value.cast(gdb.lookup_type("tenon::" + name)))

    def items_at(self, count, most):
        return [Gdb(self.value[i]) for i in range(min(count, most))]


if gdb:

    class Printer:
        def __init__(self, value, kind):
            self.value, self.kind = value, kind

        def to_string(self):
            try:
                return Describer().describe(Gdb(self.value), self.kind)
            except (gdb.error, KeyError, struct.error, UnicodeError) as error:
                return f"<unreadable: {error}>"

    def lookup(value):
        kind = kind_of(str(value.type.strip_typedefs().unqualified()))
        return Printer(value, kind) if kind else None

    lookup.name = "tenon"
    place = gdb.current_objfile() or gdb.selected_inferior().progspace
    place.pretty_printers = [lookup] + [p for p in place.pretty_printers if getattr(p, "name", None) != "tenon"]


class Lldb:
    """A value of lldb."""

    vtables = {}  # by process: name by address

    def __init__(self, value):
        self.value = value.GetNonSyntheticValue()

    def field(self, name):
        child = self.value.GetChildMemberWithName(name)
        if not child.IsValid():  # a member of an unnamed union
            for i in range(self.value.GetNumChildren()):
                inner = self.value.GetChildAtIndex(i)
                if not inner.GetName() and inner.GetChildMemberWithName(name).IsValid():
                    child = inner.GetChildMemberWithName(name)
        if not child.IsValid():
            raise KeyError(name)
        return Lldb(child)

    def integer(self):
        signed = self.value.GetType().GetCanonicalType().GetTypeFlags() & lldb.eTypeIsSigned
        return self.value.GetValueAsSigned() if signed else self.value.GetValueAsUnsigned()

    def real(self):
        return self.value.GetData().GetDouble(lldb.SBError(), 0)

    def enumerator(self):
        return self.value.GetValue().rsplit("::", 1)[-1]

    def target(self):
        return Lldb(self.value.Dereference())

    def memory(self, address, size):
        error = lldb.SBError()
        raw = self.value.GetProcess().ReadMemory(address, size, error)
        if not error.Success():
            raise KeyError(str(error))
        return raw

    def enum(self, name):
        members = self.value.GetTarget().FindFirstType("tenon::" + name).GetEnumMembers()
        return {m.GetName(): m.GetValueAsUnsigned() for m in (members.GetTypeEnumMemberAtIndex(i) for i in range(members.GetSize()))}

    def element(self, pointer, i):
        kind = pointer.GetType().GetPointeeType()
        return pointer.CreateValueFromAddress(f"[{i}]", pointer.GetValueAsUnsigned() + i * kind.GetByteSize(), kind)

    def element_texts(self, pointer, count):
        items = [self.element(pointer.value, i) for i in range(count)]
        return [item.GetSummary() or item.GetValue() or "?" for item in items]

    def string(self):
        names = self.value.GetType().GetCanonicalType().GetName()
        if "basic_string_view" in names:
            size, start = self.field("_M_len").integer(), self.field("_M_str").integer()
            return self.memory(start, size).decode(errors="replace") if size else ""
        size, start = self.field("_M_string_length").integer(), self.field("_M_dataplus").field("_M_p").integer()
        return '"' + (self.memory(start, size).decode(errors="replace") if size else "") + '"'

    def items(self, most):
        data = self.field("_M_impl")
        start, end = data.field("_M_start"), data.field("_M_finish").integer()
        size = start.value.GetType().GetPointeeType().GetByteSize()
        return [Lldb(self.element(start.value, i)) for i in range(min((end - start.integer()) // size, most))]

    def most_derived(self, name):
        kind = self.value.GetTarget().FindFirstType("tenon::" + name)
        if not kind.IsValid():
            raise KeyError(name)
        return Lldb(self.value.CreateValueFromAddress(name, self.value.GetValueAsUnsigned(), kind))

    def pointer_text(self):
        return f"({self.value.GetType().GetName()}) {self.integer():#x}"

    def vtable(self):
        word, target = int.from_bytes(self.memory(self.integer(), 8), "little"), self.value.GetTarget()
        name = lldb.SBAddress(word, target).GetSymbol().GetName()
        if name:
            return name
        # lldb finds no symbol at an address that the segment of thread-local data seems to cover.
        known = Lldb.vtables.setdefault(target.GetProcess().GetUniqueID(), {})
        if not known:
            for module in target.module_iter():
                for symbol in module:
                    if (symbol.GetName() or "").startswith("vtable for "):
                        known[symbol.GetStartAddress().GetLoadAddress(target) + 16] = symbol.GetName()
        return known.get(word, "")

    def points_to(self, name):
        return self.value.GetType().GetPointeeType().GetUnqualifiedType().GetName() == "tenon::" + name

    def pointer(self):
        return Lldb(self.value.AddressOf())

    def base(self, name):
        kind = self.value.GetTarget().FindFirstType("tenon::" + name)
        return Lldb(self.value.CreateValueFromAddress(name, self.value.GetLoadAddress(), kind)) if kind.IsValid() else self

    def items_at(self, count, most):
        return [Lldb(self.element(self.value, i)) for i in range(min(count, most))]


def lldb_summary(value, _):
    name = value.GetType().GetCanonicalType().GetUnqualifiedType().GetName()
    kind = kind_of(name)
    if not kind:
        return None
    try:
        return Describer().describe(Lldb(value), kind)
    except (KeyError, struct.error, UnicodeError) as error:
        return f"<unreadable: {error}>"


def __lldb_init_module(debugger, _):
    debugger.HandleCommand(f'type summary add --python-function {__name__}.lldb_summary --category tenon -x "{PATTERN}"')
    debugger.HandleCommand("type category enable tenon")
