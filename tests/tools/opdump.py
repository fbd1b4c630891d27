"""What opdump says of operators, held against the kernels that it lists. Usage: opdump.py OPDUMP."""
import json
import subprocess
import sys

from checks import Count

count = Count()
operators = json.loads(subprocess.run([sys.argv[1], "--json"], capture_output=True, text=True, check=True).stdout)
count.check(len(operators) > 100, f"expected a full program's operators, got {len(operators)}")
composites = [op for op in operators if op["composite"]]
count.check(composites, "expected composites among the operators")
for op in operators:
    own = any(key in op["kernels"] for key in ("FuncTorchBatched", "FuncTorchBatchedDecomposition"))
    count.check(op["batch_rule"] == own, f"{op['name']}: batch_rule is {op['batch_rule']}; kernels: {list(op['kernels'])}")
count.finish()
