#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completes command lines in real shells with the scripts of `psim completion`: check_completion.py PSIM

zsh and fish are left out where they are not installed.
"""
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import time

psim = pathlib.Path(sys.argv[1]).resolve()
os.environ["PATH"] = f"{psim.parent}:{os.environ['PATH']}"
os.environ["LC_ALL"] = "C.UTF-8"

# A command line, and the words that complete its last word. "+": others may be offered too.
CASES = [
    ("psim ru", ["run"]),
    ("psim config sh", ["show"]),
    ("psim run --ka", ["--kanata"]),
    ("psim run --fma fu", ["fused"]),
    ("psim net --network an", ["analytic"]),
    ("psim net --machine torus", ["torus3d"]),
    ("psim run --set core.window.commit_w", ["core.window.commit_width"]),
    ("psim net --set link.sleep.pol", ["link.sleep.policy"]),
    ("psim run --quiet --machine simd16 --energ", ["--energy"]),
    ("psim reproduce blue", ["bluegene-alltoall"]),
    ("psim completion z", ["zsh"]),
    ("psim config explain memory.laten", ["memory.latency"]),
    ("psim run --json prog", ["program.file"]),
    ("psim run prog", ["program.file"]),
    ("psim run program.file --js", []),  # options after the program are the program's
    ("psim run program.file prog", ["program.file"]),
    ("psim net --table tab --traffi", ["--traffic"]),
]


def in_bash(script, line):
    """The words that bash offers; names of files are its own default."""
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    code = f"""source '{script}'
COMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1}
_psim
((${{#COMPREPLY[@]}})) || [[ {words[-1]} == -* ]] || COMPREPLY=($(compgen -f -- '{words[-1]}'))
printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "--norc", "-c", code], text=True, capture_output=True, timeout=60)
    assert not done.stderr, done.stderr
    return done.stdout.split()


def in_fish(script, line):
    done = subprocess.run(["fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'"], text=True,
                          capture_output=True, timeout=60)
    assert not done.stderr, done.stderr
    return [one.split("\t")[0] for one in done.stdout.splitlines()]


class Zsh:
    """An interactive zsh on a terminal of its own: a key completes the line and writes it to a file."""

    def __init__(self, script, answer):
        self.answer = answer
        setup = script.with_name("setup.zsh")
        setup.write_text(f"""PS1='' ; unsetopt beep auto_menu list_ambiguous
autoload -Uz compinit && compinit -D -u
source '{script}'
answer() {{ zle complete-word; print -r -- "$BUFFER" > '{answer}.part'; mv '{answer}.part' '{answer}'; BUFFER='' }}
zle -N answer && bindkey '^T' answer
print ready > '{answer}'
""")
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ["TERM"] = "dumb"
            os.execvp("zsh", ["zsh", "-f", "-i"])
        os.write(self.terminal, f"source '{setup}'\n".encode())
        self.wait()

    def wait(self):
        os.set_blocking(self.terminal, False)
        for _ in range(3000):
            try:
                os.read(self.terminal, 65536)
            except (BlockingIOError, OSError):
                pass
            if self.answer.exists():
                text = self.answer.read_text()
                self.answer.unlink()
                return text
            time.sleep(0.01)
        raise SystemExit("zsh did not answer within 30 s")

    def complete(self, line):
        os.write(self.terminal, f"{line}\x14".encode())
        after = self.wait().rstrip("\n")
        if after == line:
            return []
        return [after.split(" ")[len(line.split(" ")) - 1].rstrip("=")]

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.process, 0)


def has_terminals():
    try:
        for descriptor in os.openpty():
            os.close(descriptor)
    except OSError:
        return False
    return True


failures = checks = 0
with tempfile.TemporaryDirectory(prefix="psim-completion-") as scratch:
    scratch = pathlib.Path(scratch)
    os.chdir(scratch)
    pathlib.Path("program.file").touch()
    # zsh completes in a terminal only, which a bare root may lack.
    shells = [shell for shell in ("bash", "zsh", "fish")
              if shutil.which(shell) and (shell != "zsh" or has_terminals())]
    for shell in shells:
        script = scratch / f"script.{shell}"
        script.write_text(subprocess.run([psim, "completion", shell], text=True, check=True, capture_output=True).stdout)
        zsh = Zsh(script, scratch / "answer") if shell == "zsh" else None
        for line, expected in CASES:
            if shell == "zsh":
                offered = zsh.complete(line)
            else:
                offered = (in_bash if shell == "bash" else in_fish)(script, line)
            checks += 1
            if offered != expected:
                failures += 1
                print(f"{shell}: {line}: offered {offered}, expected {expected}")
        if zsh:
            zsh.end()
print(f"{', '.join(shells)}: {checks} lines, {failures} failures")
sys.exit(1 if failures or "bash" not in shells else 0)
