# SPDX-License-Identifier: Apache-2.0
"""Functions that tests of commands share: a temporary folder, commands that run in it, and expectations.

A test imports it so:

    sys.path.insert(0, TESTS)
    from commands import Place, expect
"""
import json
import os
import subprocess
import sys
import tempfile

# Environment of mpirun: root may run it, and its own traffic stays in memory. UCX writes to standard output if /sys is not mounted.
# Each test has its own folder of sessions: two runs that begin at once may both make the shared one, and then one of them fails.
SESSIONS = tempfile.TemporaryDirectory(prefix="psim-sessions-")
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "UCX_LOG_LEVEL": "fatal",
            "OMPI_MCA_pml": "ob1", "OMPI_MCA_osc": "^ucx", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_orte_tmpdir_base": SESSIONS.name}


def expect(condition, *what):
    """Ends the test with what was found, unless the condition holds."""
    if not condition:
        sys.exit(f"not so: {what}")


class Place(tempfile.TemporaryDirectory):
    """The temporary folder of a test; its commands run there. `name` is its path."""

    def __init__(self, test, timeout=250):
        """test: a short name for the folder; timeout: seconds that a command may take."""
        super().__init__(prefix=f"psim-{test}-")
        self.timeout = timeout

    def at(self, name):
        """The path of a file in the folder."""
        return os.path.join(self.name, name)

    def call(self, *words, status=0, **more):
        """Runs a command, which must end with this status; `more` goes to subprocess.run. Standard input is empty unless given."""
        if "input" not in more:
            more.setdefault("stdin", subprocess.DEVNULL)
        done = subprocess.run(list(map(str, words)), **{"capture_output": True, "text": True, "timeout": self.timeout, "cwd": self.name,
                                                        **more})
        if done.returncode != status:
            sys.exit(f"{words}: status {done.returncode}, expected {status}\n{done.stdout}\n{done.stderr}")
        return done

    def write(self, name, text):
        """Writes a file in the folder; returns its name."""
        with open(self.at(name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def read(self, name):
        """The text of a file in the folder."""
        with open(self.at(name), encoding="utf-8") as file:
            return file.read()

    def result(self, name):
        """The document of a JSON file in the folder."""
        return json.loads(self.read(name))
