"""On a processor that lacks instructions, the import fails with one line that says so."""
import subprocess
import sys

IMPORT = """
import sys, types
processor = types.ModuleType("bulwark._processor")
processor.missing_instructions = lambda: "this processor lacks AVX2 instructions"
sys.modules["bulwark._processor"] = processor
import bulwark
"""


def test_the_import_says_what_the_processor_lacks():
    done = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "ImportError: this processor lacks AVX2 instructions"
