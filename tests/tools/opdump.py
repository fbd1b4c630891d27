"""What opdump says of operators, held against the kernels that it lists, PyTorch's facts and the methods. Usage: opdump.py OPDUMP."""
import json
import re
import subprocess
import sys

import facts
from checks import INCLUDE, Count

# Where PyTorch's forms of one operator differ in what they say of devices, all of ours do as the functional form.
DEVICES_BY_FAMILY = {"_index_put_impl_", "arctan2.out", "argmax.out", "argmin.out", "clamp.Tensor_out", "clamp_max.Tensor_out", "clamp_min.Tensor_out",
                     "cumprod_", "cumsum_", "empty.out", "glu.out", "mvlgamma.out", "square.out"}

count = Count()
operators = json.loads(subprocess.run([sys.argv[1], "--json"], capture_output=True, text=True, check=True).stdout)
count.check(len(operators) > 100, f"expected a full program's operators, got {len(operators)}")
composites = [op for op in operators if op["composite"]]
count.check(composites, "expected composites among the operators")
recorded = facts.recorded()
named, families = {}, set()
for op in operators:
    own = any(key in op["kernels"] for key in ("FuncTorchBatched", "FuncTorchBatchedDecomposition"))
    count.check(op["batch_rule"] or not own, f"{op['name']}: batch_rule is {op['batch_rule']}; kernels: {list(op['kernels'])}")
    namespace, _, name = op["name"].partition("::")
    base = name.partition(".")[0]
    named.setdefault(base, set()).update(op["variants"])
    if namespace != "aten" or op["schema"] is None:
        continue
    tags, variants, device = recorded.get(name, facts.PLAIN)
    arguments = op["schema"][:op["schema"].rindex("->")]
    written = re.search(r"\(\w+!", arguments) is not None
    implied = {"pt2_compliant_tag"}
    if written:
        implied |= {"out"} if re.search(r"\*,.*\(\w+!", arguments) else {"inplace"} if base.endswith("_") else set()
    count.check(set(op["tags"]) == tags | implied, f"{name}: tags are {op['tags']}, PyTorch's {sorted(tags | implied)}")
    count.check(set(op["variants"]) == variants, f"{name}: variants are {op['variants']}, PyTorch's {sorted(variants)}")
    ours = {word for word, on in (("NoCheck", op["device_check"]), ("NoGuard", op["device_guard"])) if not on}
    if "generated" in tags:
        continue  # PyTorch's list does not say
    if ours != device:
        families.add(name)
        count.check(name in DEVICES_BY_FAMILY, f"{name}: device facts are {sorted(ours)}, PyTorch's {sorted(device)}")
for name in sorted(DEVICES_BY_FAMILY - families):
    count.check(name not in {op["name"][6:] for op in operators}, f"{name}: its device facts are PyTorch's; it is no exception")

with_dtypes = json.loads(subprocess.run([sys.argv[1], "--json", "--dtypes"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout)
dtypes = {op["name"]: op["dtypes"] for op in with_dtypes}
floating, whole = {"float16", "bfloat16", "float32", "float64"}, {"uint8", "int8", "int16", "int32", "int64"}
found = sum(bool(d) for d in dtypes.values())
count.check(found >= 0.83 * len(dtypes), f"dtypes are found for {found} of {len(dtypes)} operators; calls of tenon/testing/samples.hpp find them")
for name, least, none in [("add.Tensor", floating | whole | {"bool", "complex64"}, {"float8_e4m3fn"}), ("bitwise_and.Tensor", whole | {"bool"}, floating | {"complex64"}),
                          ("floor", floating | whole, {"complex64"}), ("mm", floating | {"complex64", "int64"}, {"bool"}), ("zeros", floating | whole | {"bool", "complex128"}, set()),
                          ("linalg_eigh", {"float32", "float64", "complex64", "complex128"}, whole | {"float16", "bfloat16"}), ("cat", floating | whole | {"bool"}, set())]:
    has = set(dtypes["aten::" + name])
    count.check(least <= has and not none & has, f"{name}: dtypes are {sorted(has)}")


def lacking(key):
    return subprocess.run([sys.argv[1], "--lacks=" + key], capture_output=True, text=True)


count.check(lacking("CPU").stdout == "", "the CPU lacks what it has")
looping = subprocess.run([sys.argv[1], "--loops"], capture_output=True, text=True, check=True).stdout.split()
count.check("aten::_unique" in looping and "aten::add.Tensor" not in looping, "--loops lists what vmap runs once for each example")
count.check(set(looping) <= set(dtypes), "--loops lists operators of the registry")
for op in operators:
    count.check(not (op["batch_rule"] and op["name"] in looping), f"{op['name']}: vmap has a rule for it and runs it once for each example")
count.check("aten::linalg_qr\n" in lacking("CUDA").stdout, "linalg_qr is missing among what CUDA lacks")
count.check("aten::linear\n" not in lacking("CUDA").stdout, "a composite serves every back end")
count.check(lacking("Nothing").returncode == 2 and "could not parse dispatch key: Nothing" in lacking("Nothing").stderr, "a key that is none is named")

listed = set(re.findall(r"X\((\w+)\)", (INCLUDE / "tenon/tensor/methods.hpp").read_text()))
for name in sorted(listed - facts.PYTHON_METHODS):
    count.check("method" in named.get(name, ()), f"Tensor has a method {name}, and no operator of that name says that it is one")
for name, variants in sorted(named.items()):
    if "method" in variants:
        count.check(name in listed | facts.handwritten() | facts.NO_METHODS, f"operator {name} says that it is a method, and Tensor has none; run ./dev lists")
count.finish()
