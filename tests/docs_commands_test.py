#!/usr/bin/env python3
"""What the pages tell users to type works:  docs_commands_test.py PROGRAM [PAGE]...

The pages are README.md, CONTRIBUTING.md and docs/*.md. In them

- blocks marked `sh` are run, in the order of the page, in a copy of the tree's documents and scenes that has PROGRAM as
  `bulwark` in PATH and as build/release/bin/bulwark. Each page has a copy of its own; what a block writes is there
  for the next one;
- blocks marked `console` are not run: they need root, the network, a build or a person. Each stands in NOT_RUN, with the
  reason;
- `bulwark ...` anywhere else (usage lines, text) must name a command, and options, that PROGRAM has;
- blocks marked `json` that are whole scenes must be valid;
- blocks marked `cpp` after a comment `from FILE` must stand in that file; a line `// ..` in them leaves something out.

docs/python.md is left to tests/python/test_documents.py, which runs its blocks.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_TO_OTHERS = {"docs/python.md"}
# Runs flush every file to the disk; in memory that costs nothing, however busy the disk is.
FOLDER = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
COMMAND_LIMIT = 300  # s; only so that a hanging command ends

# The first line of each block marked `console`, and why it is not run.
NOT_RUN = {
    "./quickstart": "installs packages as root and builds everything",
    "cmake --install build/release --prefix ~/bulwark": "needs the whole build; tests/install_test.sh does it",
    "scripts/install-packages --with-tests": "installs packages as root",
    "scripts/install-packages": "installs packages as root; the build takes minutes",
    "cpack --config build/release/CPackConfig.cmake": "needs root to install; tests/deb_test.sh makes and uses it",
    "pip install .": "builds everything; tests/pip_test.sh does it",
    "./run-tests": "builds and runs all tests",
    "bulwark view out/first": "serves until it is stopped",
    "bulwark view out/quickstart": "serves until it is stopped",
    "scripts/build-docs": "tests/docs_site_test.py does it",
    "bulwark bench stiff": "takes minutes",
    "bulwark bench flexible": "takes minutes",
    "scripts/validation": "takes minutes",
    "scripts/stiff_runs.py rigid-ipc/fixtures/3D": "needs the files of rigid-ipc; takes half an hour",
    "cmake --build --preset release --target test_stencils test_terms": "builds",
}

block_pattern = re.compile(r"^(?:<!-- from (?P<file>\S+) -->\n)?```(?P<language>\w*)\n(?P<code>.*?)^```$", re.M | re.S)
option_pattern = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def first_line(code):
    return re.sub(r"\s+#.*", "", code.strip().splitlines()[0]).strip()


class Program:
    """What `bulwark --help` and the help of its commands say."""

    def __init__(self, path):
        self.path, self.helps = path, {}
        self.commands = set(re.findall(r"^  (\w+)  ", self.help_of(None).split("Subcommands:")[1], re.M))

    def help_of(self, command):
        if command not in self.helps:
            arguments = [self.path, *([command] if command else []), "--help"]
            self.helps[command] = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
        return self.helps[command]

    def problem_with(self, line):
        """Of a line or piece of code that begins with `bulwark`."""
        words = line.split()
        if len(words) < 2 or words[1].startswith("-") or words[1] == "COMMAND":
            return None
        if words[1] not in self.commands:
            return f"there is no command '{words[1]}'"
        known = set(option_pattern.findall(self.help_of(words[1])))
        for option in option_pattern.findall(line):
            if option not in known:
                return f"'{words[1]}' has no option {option}"
        return None


def unfenced(text):
    return block_pattern.sub("", text)


def usage_problems(page, text, program):
    for block in block_pattern.finditer(text):
        if block["language"] in ("sh", "python"):
            continue
        for line in block["code"].splitlines():
            if re.match(r"(build/release/bin/)?bulwark ", line) and (problem := program.problem_with(line)):
                yield f"{page}: '{line}': {problem}"
    for line in re.findall(r"^    (?:build/release/bin/)?(bulwark .*)$", unfenced(text), re.M):
        yield f"{page}: '{line}' is an indented block: mark it as sh, console or text"
    for code in re.findall(r"`(bulwark [^`]*)`", unfenced(text)):
        if problem := program.problem_with(code.replace("\n", " ")):
            yield f"{page}: `{code}`: {problem}"


def excerpt_problems(page, text):
    for block in block_pattern.finditer(text):
        if not block["file"]:
            continue
        file = ROOT / block["file"]
        whole = file.read_text(encoding="utf-8") if file.is_file() else ""
        for part in re.split(r"^\s*// \.\.\n", block["code"], flags=re.M):
            if part not in whole:
                yield f"{page}: this is not in {block['file']} (any more):\n{part}"


def copy_of_tree(folder, program):
    for name in ("README.md", "docs", "examples", "scenes", "scripts"):
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    for place in ("bin", "build/release/bin"):
        (folder / place).mkdir(parents=True)
        (folder / place / "bulwark").symlink_to(program)


def run_problems(page, text, program, folder):
    copy_of_tree(folder, program.path)
    environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", NO_COLOR="1", HOME=str(folder))
    for block in block_pattern.finditer(text):
        code, language = block["code"], block["language"]
        if language == "console" and first_line(code) not in NOT_RUN:
            yield f"{page}: the block of '{first_line(code)}' is not run, and tests/docs_commands_test.py has no reason for that"
        if language == "json" and '"bulwark": 1' in code:
            (folder / "of_page.json").write_text(code)
            code, language = "bulwark validate of_page.json", "sh"
        if language != "sh":
            continue
        try:
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", code], cwd=folder, env=environment, capture_output=True,
                                  text=True, timeout=COMMAND_LIMIT, stdin=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            yield f"{page}: this did not end:\n{code}"
            continue
        if done.returncode != 0:
            yield f"{page}: exit code {done.returncode} of\n{code}{done.stdout[-1000:]}{done.stderr[-2000:]}"


def main():
    program = Program(pathlib.Path(sys.argv[1]).resolve())
    pages = sys.argv[2:] or ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
    problems, seen = [], set()
    for page in pages:
        text = (ROOT / page).read_text(encoding="utf-8")
        problems += usage_problems(page, text, program)
        problems += excerpt_problems(page, text)
        blocks = list(block_pattern.finditer(text))
        seen |= {first_line(block["code"]) for block in blocks if block["language"] == "console"}
        if page in LEFT_TO_OTHERS:
            continue
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            problems += run_problems(page, text, program, pathlib.Path(folder))
        count = sum(block["language"] == "sh" for block in blocks)
        if count:
            print(f"{page}: {count} blocks run", flush=True)
    if len(sys.argv) == 2:
        problems += [f"tests/docs_commands_test.py: no page has the block '{line}' any more" for line in NOT_RUN if line not in seen]
    print("\n".join(problems) or "every command works")
    sys.exit(1 if problems else 0)


main()
