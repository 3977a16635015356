# SPDX-License-Identifier: Apache-2.0
"""mistakes_test.py PSIM SOURCE PART: programs on cycle-level nodes that fail, and programs of another library."""
import os
import shutil

from node_runs import expect, part, place, psim, run, source, tools


def ends(ranks, status, *arguments):
    """Runs bad.c, which must end with this status; returns its messages."""
    return run(psim, "cosim", "--quiet", "-n", ranks, "./bad", *arguments, status=status).stderr


def bad_programs():
    file = os.path.join(source, "programs/bad.c")
    run(os.path.join(tools, "psim-sparc-cc"), "-O1", "-g", "-o", "bad", file)
    with open(file) as text:
        lines = {line.split("// ")[1].strip(): number for number, line in enumerate(text, 1) if "// here: " in line}
    several = run(psim, "cosim", "--quiet", "--energy", "--set", "node.cores=2", "-n", 2, "./bad", "deadlock", status=2).stderr
    expect("psim: deadlock at " in several, several)
    said = ends(2, 2, "deadlock")
    for words in ("psim: deadlock at ", "psim: node 0: waits at PC ", "psim: node 1: waits at PC ", ", on core 0; network interface: ",
                  f"bad.c:{lines['here: deadlock']}", "rank 0 waits in MPI_Recv(rank 1, tag 7, MPI_COMM_WORLD)",
                  "rank 1 waits in MPI_Recv(rank 0, tag 7, MPI_COMM_WORLD)"):
        expect(words in said, words, said)
    said = ends(2, 2, "leave")
    for words in ("psim: node 1: has ended with exit status 0 at core 0, PC 0x", f"bad.c:{lines['here: leave']}", "rank 0 waits in MPI_Recv(rank 1, tag 7, MPI_COMM_WORLD)"):
        expect(words in said, words, said)
    # Without MPI_Finalize: as on ranks of psim net, in the same words.
    run(os.path.join(tools, "psim-cc"), "-O1", "-o", "bad.net", file)
    for mode, status, words in (("leave", None, "psim: rank 1 ended with status 0 without MPI_Finalize\n"),
                                ("fail", 3, "psim: rank 1 ended with status 3 without MPI_Finalize\n"),
                                ("return", 0, "psim: warning: ranks 0-1 ended without MPI_Finalize\n")):
        for command, program, deadlock in (("net", "./bad.net", 1), ("cosim", "./bad", 2)):
            ended = deadlock if status is None else status
            said = run(psim, command, "--quiet", "-n", 2, "--json", "left.json", program, mode, status=ended).stderr
            expect(said == words if status is not None else words in said, command, mode, said)
            result = place.result("left.json")
            expect(result.get("warnings") == (["ranks 0-1 ended without MPI_Finalize"] if mode == "return" else None), result.get("warnings"))
    said = ends(2, 139, "crash")
    for words in ("SIGSEGV: store to unmapped address", f"bad.c:{lines['here: crash']}", "psim: node 1: the program was ended by SIGSEGV on core 0, PC 0x"):
        expect(words in said, words, said)
    said = ends(2, 5, "abort")
    expect("rank 1: MPI_Abort, status 5" in said, said)
    # Of an aborted run the hash does not depend on the number of host processes, although the counts may.
    hashes = set()
    for launcher in [[]] + ([["mpirun", "--oversubscribe", "-n", 2]] if shutil.which("mpirun") else []):
        run(*launcher, psim, "cosim", "--quiet", "-n", 4, "--json", "abort.json", "./bad", "abort", status=5)
        expect(place.result("abort.json")["partial"] == "aborted")
        hashes.add(place.result("abort.json")["result_hash"])
    expect(len(hashes) == 1, hashes)
    said = run(psim, "cosim", "-n", 2, "--netwrk", "tofu", "./bad", status=2).stderr
    expect("--netwrk" in said, said)
    said = run(psim, "cosim", "-n", 2, "./none", status=2).stderr
    expect("./none" in said, said)


def stamp():
    """A program for another version of the library or of the interface is refused before it starts."""
    run(os.path.join(tools, "psim-sparc-cc"), "-O1", "-s", "-o", "good", os.path.join(source, "programs/bad.c"))
    with open(place.at("good"), "rb") as file:
        good = file.read()
    head = b"\0\0\0\x05\0\0\0\x20\0\0\0\x01psim\0\0\0\0"
    expect(good.count(head) == 1, good.count(head))
    at = good.index(head) + len(head)
    version = good[at + 4:at + 32].rstrip(b"\0").decode()
    expect(run(psim, "--version").stdout.split()[1] == version, version)
    for patched, words in ((good[:at] + b"\0\0\0\x63" + good[at + 4:], f"./patched: linked with the MPI library of psim {version} for version 99 of "
                            "the network interface; expected"),
                           (good[:at + 4] + b"0.0.9\0" + good[at + 10:], f"psim 0.0.9 for version {good[at + 3]} of the network interface; expected "
                            f"the one of this psim, {version}, for version {good[at + 3]}: link the program again")):
        with open(place.at("patched"), "wb") as file:
            file.write(patched)
        os.chmod(place.at("patched"), 0o755)
        said = run(psim, "cosim", "-n", 2, "./patched", status=2).stderr
        expect(words in said, words, said)


globals()[part]()
