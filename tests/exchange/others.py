"""The interpreter that has others' libraries, and those libraries."""
import os
import subprocess
import sys


def by_named_interpreter():
    """Runs the script again by the interpreter that PYTHON names, and ends with its status; once."""
    if os.environ.get("PYTHON") and os.environ.get("TENON_EXCHANGE") is None:
        sys.exit(subprocess.call([os.environ["PYTHON"], *sys.argv], env=dict(os.environ, TENON_EXCHANGE="1")))


def there(module, package):
    """The module, or None, said visibly, where the interpreter lacks it."""
    try:
        return __import__(module, fromlist=["x"])
    except ImportError:
        print(f"SKIPPED: {sys.executable} has no {module} (PyPI {package}); name one that has it by PYTHON")
        return None
