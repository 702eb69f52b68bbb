"""What is written for users runs: the page docs/python.md, the examples, docstrings and type stubs."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bulwark
from bulwark import _bulwark

SOURCE = Path(__file__).resolve().parents[2]


def blocks(page):
    return re.findall(r"^```(\w*)\n(.*?)^```$", (SOURCE / page).read_text(encoding="utf-8"), re.M | re.S)


def test_every_block_of_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    for language, code in blocks("docs/python.md"):
        assert language in ("python", "sh")
        if language == "python":
            exec(compile(code, "docs/python.md", "exec"), names)
    assert (tmp_path / "out" / "run.pvd").exists()


def test_every_shell_command_of_the_page_is_tried_by_a_test():
    tests = "".join(path.read_text() for path in (SOURCE / "tests").glob("*_test.sh"))
    for language, code in blocks("docs/python.md"):
        if language == "sh":
            assert f"# docs/python.md: {code.strip()}" in tests


@pytest.mark.parametrize("example", sorted(path.name for path in (SOURCE / "examples").glob("*.py")))
def test_the_example_runs(example, tmp_path):
    done = subprocess.run([sys.executable, SOURCE / "examples" / example, "--short"], cwd=tmp_path, capture_output=True,
                          text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_everything_public_has_a_docstring():
    for name in bulwark.__all__:
        thing = getattr(bulwark, name)
        if not callable(thing):
            continue
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                    assert inspect.getdoc(value), f"{name}.{member}"


def test_the_stubs_name_what_the_module_has():
    tree = ast.parse((SOURCE / "python/bulwark/_bulwark.pyi").read_text())

    def names_of(body):
        return {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}

    def public(thing):
        return {name for name in vars(thing) if not name.startswith("_")}

    assert names_of(tree.body) | {"version", "source_scenes"} == public(_bulwark)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            assert names_of(node.body) - {"__init__"} == public(getattr(_bulwark, node.name)), node.name
