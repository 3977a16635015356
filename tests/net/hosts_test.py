# SPDX-License-Identifier: Apache-2.0
"""hosts_test.py PSIM SOURCE PART: one run on several host processes that wait for each other, and on two hosts."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from runs import at, build, expect, OPEN_MPI, part, place, psim, result, write

if not shutil.which("mpirun"):
    sys.exit(77)
os.environ.update(OPEN_MPI)
NETWORK = "10.213.77"  # addresses of the two hosts' link; it ends in their namespaces


class TwoHosts:
    """Two network namespaces that a veth pair joins, in the role of two hosts. Names of hosts and addresses are theirs alone."""

    def __init__(self):
        self.names = [f"psim-{os.getpid()}-{i}" for i in range(2)]
        made = [subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True) for name in self.names]
        if any(done.returncode for done in made):
            self.remove()
            print(made[0].stderr)
            sys.exit(77)
        try:
            first, second = self.names
            self.ip("-n", first, "link", "add", "psim0", "type", "veth", "peer", "name", "psim0", "netns", second)
            for i, name in enumerate(self.names):
                self.ip("-n", name, "address", "add", f"{NETWORK}.{i + 1}/24", "dev", "psim0")
                self.ip("-n", name, "link", "set", "lo", "up")
                self.ip("-n", name, "link", "set", "psim0", "up")
        except subprocess.CalledProcessError as error:
            self.remove()
            print(error.stderr)
            sys.exit(77)
        # mpirun calls this instead of ssh, with the host and the words of the command.
        self.agent = write("agent", f"#!/bin/sh\nshift\nexec {' '.join(self.inside(1))} sh -c \"$*\"\n")
        os.chmod(self.agent, 0o755)
        self.hosts = write("hosts", "".join(f"{NETWORK}.{i + 1} slots=2\n" for i in range(2)))

    def remove(self):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)

    @staticmethod
    def ip(*words):
        subprocess.run(["ip", *words], check=True, capture_output=True, text=True)

    def inside(self, host):
        """The words before a command that runs on this host."""
        name = self.names[host]
        return ["ip", "netns", "exec", name, "unshare", "--uts", "sh", "-c", f"'hostname {name}; exec \"$0\" \"$@\"'"]

    def mpirun(self, count, *words):
        """Runs a command on `count` processes, half of them on each host."""
        here = [word.strip("'") for word in self.inside(0)]
        options = {"plm_rsh_agent": self.agent, "btl": "self,vader,tcp", "btl_tcp_if_include": f"{NETWORK}.0/24",
                   "oob_tcp_if_include": f"{NETWORK}.0/24"}
        return place.call(*here, "mpirun", "--hostfile", self.hosts, "--map-by", f"ppr:{count // 2}:node", "-n", count,
                          *[word for key, value in options.items() for word in ("--mca", key, value)], *words)


def hosts():
    """A run on two hosts, which TCP connects, has the output and the hash of a run in one process."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        print("needs root and iproute2")
        sys.exit(77)
    ring, data = build("workloads/mgen/random_ring.c"), build("tests/net/programs/far_data.c")
    two = TwoHosts()
    try:
        # Both processes of the agent's host see that host's name and address.
        names = two.mpirun(2, "hostname").stdout.split()
        expect(sorted(names) == two.names, names)
        for words in [("-n", 27, ring, 65536, 2), ("-n", 8, data)]:
            alone = result(*words)
            output = place.call(psim, "net", "--quiet", *words).stdout
            for count in (2, 4):
                path = at("shared.json")
                shared = two.mpirun(count, psim, "net", "--quiet", "--json", path, *words).stdout
                expect(shared == output and output, words, count, output, shared)
                with open(path) as file:
                    json_ = json.load(file)
                expect(json_["host"]["processes"] == count, json_["host"])
                expect(json_["result_hash"] == alone["result_hash"], words, count)
    finally:
        two.remove()


def waiting():
    """A process that waits for another one leaves the processor to it."""
    ring = build("workloads/mgen/random_ring.c")
    words = [psim, "net", "--quiet", "-n", "64", ring, "65536", "1000000"]
    for network in ("self,vader", "self,tcp"):
        running = subprocess.Popen(["mpirun", "--oversubscribe", "--mca", "btl", network, "-n", "2", *words],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            pair = []
            while len(pair) < 2:
                expect(running.poll() is None, "mpirun ended")
                time.sleep(0.1)
                pair = children(running.pid)
            while not all(spent(process) > 0.5 for process in pair):  # past their start, where they wait for each other, too
                time.sleep(0.1)
            os.kill(pair[1], signal.SIGSTOP)
            time.sleep(0.5)  # until the other one has come to the end of its window
            before = spent(pair[0])
            time.sleep(1)
            used = spent(pair[0]) - before
            os.kill(pair[1], signal.SIGCONT)
            expect(used < 0.2, network, used)
        finally:
            os.killpg(running.pid, signal.SIGTERM)
            running.wait(timeout=60)


def children(parent):
    """The processes that `parent` has started, by their numbers."""
    with open(f"/proc/{parent}/task/{parent}/children") as file:
        return [int(word) for word in file.read().split()]


def spent(process):
    """CPU time of a process, s."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


globals()[part]()
