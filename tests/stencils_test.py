#!/usr/bin/env python3
"""Checks that physics is written once and is tested where it is written. Every host/device function of stencils/ must be called

- outside of tests, by the code of the other layers;
- in the tests that stencils register in, tests/stencils/registered_*_test.cpp;
- in the comparison of host and device, tests/cuda/stencils.cu;

itself, or through other functions of stencils/ that are.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STENCILS = ROOT / "src/bulwark/stencils"

declaration = re.compile(r"\bBULWARK_HD\b[^;{}()]*?\b(\w+)\s*\(")
word = re.compile(r"\b[A-Za-z_]\w*\b")


def code_of(path):
    """The text of a file without its comments and strings."""
    return re.sub(r'//[^\n]*|"[^"\n]*"', " ", path.read_text())


def body_of(text, start):
    """What stands between the braces that open next, or nothing if the declaration ends before."""
    depth, opened = 0, None
    for at in range(start, len(text)):
        if text[at] == "(":
            depth += 1
        elif text[at] == ")":
            depth -= 1
        elif text[at] == ";" and depth == 0:
            return ""
        elif text[at] == "{" and depth == 0:
            opened = at
            break
    if opened is None:
        return ""
    depth = 0
    for at in range(opened, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[opened:at]
    return text[opened:]


def stencil_functions():
    """Of each host/device function: the file it is in, and the words in its body."""
    found = {}
    for path in sorted(STENCILS.glob("*.hpp")):
        text = code_of(path)
        for match in declaration.finditer(text):
            name = match.group(1)
            if name == "operator":
                continue
            words = set(word.findall(body_of(text, match.end() - 1)))
            files, known = found.setdefault(name, (set(), set()))
            files.add(path.name)
            known |= words
    return found


def reached(functions, paths):
    """The functions that are called in some files, by themselves or through others."""
    words = set().union(*(word.findall(code_of(path)) for path in paths))
    open_ones = [name for name in functions if name in words]
    seen = set(open_ones)
    while open_ones:
        for name in functions[open_ones.pop()][1] & functions.keys() - seen:
            seen.add(name)
            open_ones.append(name)
    return seen


def problems():
    functions = stencil_functions()
    if len(functions) < 50:
        yield f"only {len(functions)} functions were found in {STENCILS}: this test does not read it rightly"
    source = [p for folder in ("src", "apps", "python") for p in (ROOT / folder).rglob("*.[ch]pp") if STENCILS not in p.parents]
    places = [
        (source, "is called by tests alone: remove it, or have the code call it in place of what it computes itself"),
        (sorted((ROOT / "tests/stencils").glob("registered_*_test.cpp")), "is in no tests/stencils/registered_*_test.cpp: register it there"),
        ([ROOT / "tests/cuda/stencils.cu"], "is not called in tests/cuda/stencils.cu: add it to the comparison of host and device"),
    ]
    for paths, complaint in places:
        for name in sorted(functions.keys() - reached(functions, paths)):
            yield f"stencils/{', '.join(sorted(functions[name][0]))}: {name} {complaint}"


found = list(problems())
print("\n".join(found) or f"all {len(stencil_functions())} functions of stencils/ are used and registered")
sys.exit(1 if found else 0)
