"""Writes tenon.natvis beside it, for Visual Studio and VS Code, from the description that tenon_printers.py gives to gdb and lldb:
the types it shows and the elements of every dtype. Usage: natvis.py; a test compares the file with what this would write."""
import html
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import tenon_printers

ELEMENTS = {"B": "unsigned char", "b": "signed char", "h": "short", "i": "int", "q": "__int64", "f": "float", "d": "double", "?": "bool",
            "H": "unsigned short", "I": "unsigned int", "Q": "unsigned __int64"}
OWN = {"ff": "tenon::Complex<float>", "dd": "tenon::Complex<double>", "ee": "tenon::Complex<tenon::Half>", "e": "tenon::Half"}
PLACES = {"DerivativeNode": "autograd::", "FunctionSchema": "schema::", "SchemaView": "schema::"}
GENERIC = {"ArrayRef": "&lt;*&gt;", "SmallVector": "&lt;*,*&gt;", "intrusive_ptr": "&lt;*&gt;"}
MOST_DIMENSIONS = 6


def shown(text, condition=None):
    return f"    <DisplayString{condition and f' Condition={chr(34)}{condition}{chr(34)}' or ''}>{text}</DisplayString>"


def item(name, expression, condition=None):
    return f"      <Item Name=\"{name}\"{condition and f' Condition={chr(34)}{condition}{chr(34)}' or ''}>{expression}</Item>"


def expand(*lines):
    return ["    <Expand>", *lines, "    </Expand>"]


def tensor_impl():
    lines = [shown("{dtype_,en} of symbolic shape, {dim_} dimensions", "symbolic_")]
    for dim in range(MOST_DIMENSIONS + 1):
        lines.append(shown("{dtype_,en}[" + ", ".join(f"{{extents_[{d}]}}" for d in range(dim)) + "]", f"dim_ == {dim}"))
    items = [item("sizes", "extents_,[dim_]"), item("strides", "(extents_ + dim_),[dim_]"), item("offset", "offset_"), item("device", "device_"),
             item("keys", "keys_"), item("autograd", "*autograd_", "autograd_ != nullptr")]
    for enumerator, (name, form) in tenon_printers.DTYPES.items():
        element = OWN.get(form) or (f"tenon::{enumerator}" if form is None else ELEMENTS[form])
        items.append(item(name, f"(({html.escape(element)}*)storage_.object_-&gt;data_ + offset_),[numel_]", f"dtype_ == tenon::ScalarType::{enumerator} &amp;&amp; contiguous_"))
    return [*lines, shown("{dtype_,en} of {dim_} dimensions"), *expand(*items)]


def value():
    members = {"Tensor": "tensor_", "Int": "int_", "UInt": "int_,u", "Double": "double_", "Bool": "int_ != 0"}
    objects = " || ".join(f"kind_ == tenon::ValueKind::{k}" for k in ("List", "Tuple", "String", "Dict"))
    return [*(shown(f"{kind} {{{member}}}", f"kind_ == tenon::ValueKind::{kind}") for kind, member in members.items()), shown("{kind_,en}"),
            *expand(item("tensor", "tensor_", "kind_ == tenon::ValueKind::Tensor"), item("object", "*object_", objects))]


def range_of_items():
    return [shown("{{size={size_}}}"), *expand("      <ArrayItems>", "        <Size>size_</Size>", "        <ValuePointer>data_</ValuePointer>", "      </ArrayItems>")]


def node():
    return [shown("sequence {sequence_}, {n_results_} results, {n_edges_} edges"),
            *expand(item("results", "n_results_"), item("first result", "first_result_", "n_results_ != 0"), item("edges", "edges_,[n_edges_]"), item("sequence", "sequence_"))]


BODIES = {
    "Tensor": lambda: [shown("undefined", "impl_.object_ == nullptr"), shown("{*impl_.object_}"),
                       *expand('      <ExpandedItem Condition="impl_.object_ != nullptr">*impl_.object_</ExpandedItem>')],
    "TensorImpl": tensor_impl,
    "Device": lambda: [shown("{type,en}", "index &lt; 0"), shown("{type,en}:{(int)index}")],
    "SymInt": lambda: [shown("symbol", "((unsigned __int64)bits_ &gt;&gt; 48) == 0x9a5d"), shown("{bits_}")],
    "Scalar": lambda: [shown("{bits_}", "kind_ == tenon::Scalar::Kind::Int"), shown("{(unsigned __int64)bits_}", "kind_ == tenon::Scalar::Kind::UInt"), shown("{bits_ != 0}", "kind_ == tenon::Scalar::Kind::Bool"),
                       shown("{re_}", "kind_ == tenon::Scalar::Kind::Double"), shown("{re_}+{im_}j")],
    "ArrayRef": range_of_items,
    "SmallVector": range_of_items,
    "Stack": range_of_items,
    "KeySet": lambda: [shown("{bits_,x}")],
    "Value": value,
    "SchemaView": lambda: [shown("{text}")],
    "FunctionSchema": lambda: [shown("none", "data_.object_ == nullptr"), shown("{data_.object_->view->text}".replace(">", "&gt;"))],
    "OperatorEntry": lambda: [shown("{name_}")],
    "OperatorHandle": lambda: [shown("none", "entry_ == nullptr"), shown("{entry_-&gt;name_}")],
    "Node": node,
    "DerivativeNode": lambda: [shown("backward of {table_-&gt;op_name}, sequence {sequence_}"), *expand("      <ExpandedItem>*(tenon::Node*)this,nd</ExpandedItem>")],
    "intrusive_ptr": lambda: ['    <SmartPointer Usage="Minimal">object_</SmartPointer>', shown("null", "object_ == nullptr"), shown("{*object_}")],
    "Half": lambda: [shown("{bits,x}")],
    "BFloat16": lambda: [shown("{bits,x}")],
}


def text():
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!-- Visual Studio and VS Code: what tenon_printers.py shows in gdb and lldb. Written by natvis.py. -->",
             '<AutoVisualizer xmlns="http://schemas.microsoft.com/vstudio/debugger/natvis/2010">']
    for kind in tenon_printers.TYPES:
        lines += [f'  <Type Name="tenon::{PLACES.get(kind, "")}{kind}{GENERIC.get(kind, "")}"' + (' Inheritable="true"' if kind in ("TensorImpl", "Node") else "") + ">", *BODIES[kind](), "  </Type>"]
    return "\n".join([*lines, "</AutoVisualizer>", ""])


if __name__ == "__main__":
    (HERE / "tenon.natvis").write_text(text())
