#!/usr/bin/env python3
"""Completes commands, options and names of scenes in the shells that are installed:  completion_test.py BULWARK

zsh has no way to ask for completions but its line editor: it gets a terminal, and the tabulator key.
"""

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

program = Path(sys.argv[1]).absolute()
environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "TERM": "dumb"}

# What is typed, and what of it the shell must offer or complete.
CASES = [("bulwark ren", "render"), ("bulwark render --siz", "--size"), ("bulwark run multibody/triple",
         "multibody/triple-pendulum"), ("bulwark completion zs", "zsh")]


def bash(line):
    words = line.split()
    script = (f"source <(bulwark completion bash); COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _bulwark; "
              'printf "%s\\n" "${COMPREPLY[@]}"')
    return subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True).stdout


def fish(line):
    script = f"bulwark completion fish | source; complete -C '{line}'"
    return subprocess.run(["fish", "--no-config", "-c", script], env=environment, capture_output=True, text=True,
                          check=True).stdout


def zsh(line):
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], environment)

    def read_until(mark, seconds=30):
        text, end = "", time.monotonic() + seconds
        while mark not in text and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                text += os.read(terminal, 4096).decode(errors="replace")
        return text

    try:
        os.write(terminal, b"PS1=; autoload -Uz compinit && compinit -u -D && "
                           b"source <(bulwark completion zsh) && print rea''dy\n")
        read_until("ready")
        os.write(terminal, line.encode() + b"\t")
        wanted = next(word for typed, word in CASES if typed == line)
        return read_until(wanted)
    finally:
        os.close(terminal)
        os.waitpid(child, 0)


failures = []
for shell in (bash, zsh, fish):
    name = shell.__name__
    if not shutil.which(name):
        print(f"{name}: not installed, so its completion was not tried (apt-get install {name})")
        continue
    for line, wanted in CASES:
        offered = shell(line)
        good = wanted in offered
        print(f"{name}: {line!r} {'completes to' if good else 'does NOT complete to'} {wanted!r}")
        if not good:
            failures.append(f"{name}: {line!r}: {offered!r}")
if failures:
    sys.exit("\n".join(failures))
