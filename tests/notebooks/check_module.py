#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python module without pandas and matplotlib: check_module.py ROOT PSIM"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

root, program = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
sys.path.insert(0, str(root / "python"))
os.environ["PSIM"] = str(program)
import psim  # noqa: E402


class Module(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="psim-module-")
        self.addCleanup(scratch.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(scratch.name)
        subprocess.run([program.parent / "psim-cc", "-O1", "-o", "ring", root / "workloads/mgen/random_ring.c"], check=True)

    def test_a_run_returns_the_result_with_the_programs_output(self):
        result = psim.net(["./ring", 1000, 1], n=4, set={"link.bandwidth": "1 GB/s"}, json="kept.json")
        self.assertEqual(result["machine"]["link"]["bandwidth"], "1 GB/s")
        self.assertTrue(result.output.startswith("random ring of 4 ranks"))
        with self.assertRaisesRegex(KeyError, "cpi_stack: not in a result of psim net"):
            result["cpi_stack"]
        self.assertIsNone(result.get("cpi_stack"))
        self.assertEqual(psim.load("kept.json")["result_hash"], result["result_hash"])
        self.assertEqual(psim.net(["./ring", 1000, 1], n=4, set={"link.bandwidth": "1 GB/s"})["result_hash"], result["result_hash"])

    def test_progress_does_not_change_the_result(self):
        with_line = psim.net(["./ring", 1000, 1], n=4)
        subprocess.run([program, "net", "--quiet", "-n", "4", "--json", "plain.json", "./ring", "1000", "1"], check=True,
                       stdout=subprocess.DEVNULL)
        self.assertEqual(with_line["result_hash"], psim.load("plain.json")["result_hash"])

    def test_options_are_words_of_the_command_line(self):
        words = psim.commands._options({"n": 4, "quiet": True, "energy": False, "set": {"a.b": 1}, "sweep": ["x=1", "y=2"],
                                        "max_instructions": 5, "report": None})
        self.assertEqual(words, ["-n", "4", "--quiet", "--set", "a.b=1", "--sweep", "x=1", "--sweep", "y=2",
                                 "--max-instructions", "5"])

    def test_a_mistake_raises_the_message_of_psim(self):
        with self.assertRaisesRegex(psim.Error, "did you mean link.bandwidth"):
            psim.net(["./ring"], n=4, set={"link.bandwith": "1 GB/s"})
        with self.assertRaisesRegex(psim.Error, "No such file"):
            psim.net(["./nothing"], n=4, json="old.json")

    def test_a_result_of_an_earlier_run_is_not_that_of_a_failed_one(self):
        psim.net(["./ring", 1000, 1], n=4, json="kept.json")
        with self.assertRaises(psim.Error):
            psim.net(["./nothing"], n=4, json="kept.json")

    def test_other_files_are_no_results(self):
        pathlib.Path("other.json").write_text("[1]")
        with self.assertRaisesRegex(ValueError, "is no result"):
            psim.load("other.json")
        for data in (b"\x89PNG\r\n", b'{"schema": 2, "a"'):
            pathlib.Path("other.json").write_bytes(data)
            with self.assertRaisesRegex(ValueError, "other.json: not JSON: "):
                psim.load("other.json")

    def test_rooflines_take_results_and_files(self):
        bare = psim.roofline(machine="sx9", counting="both")
        self.assertEqual({line["name"]: line.get("ridge_flops_per_byte") for line in bare["lines"]}["IXS"], 6.55)
        subprocess.run([program.parent / "psim-cc", "-O1", f"-I{root}/workloads/include", "-o", "products",
                        root / "workloads/roofline/products.c"], check=True)
        pathlib.Path("model.toml").write_text('format = 1\n[region.product]\nparameters = "n"\nseconds = "1e-12 * n^3"\n')
        words, how = ["./products", 64, 1, 1000, 2], {"n": 2, "machine": "sx9", "skeleton": True, "compute": "model:model.toml"}
        with_file, without = psim.net(words, json="kept.json", **how), psim.net(words, **how)
        for results in (with_file, without, "kept.json", [without]):
            points = psim.roofline(results, machine="sx9")["points"]
            self.assertTrue(points and all(point["flops_per_second"] > 0 for point in points), results)
        with self.assertRaisesRegex(psim.Error, "did you mean sx9"):
            psim.roofline(machine="sx8")

    def test_a_module_in_a_folder_near_the_root_finds_psim_in_path(self):
        # An installed module is five folders below the prefix in which it looks for psim first.
        with tempfile.TemporaryDirectory(prefix="psim-module-", dir="/tmp") as place:
            shutil.copytree(root / "python/psim", pathlib.Path(place) / "psim", ignore=shutil.ignore_patterns("__pycache__"))
            environment = {name: value for name, value in os.environ.items() if name != "PSIM"}
            environment |= {"PATH": f"{program.parent}:{os.environ['PATH']}", "PYTHONPATH": place, "PYTHONDONTWRITEBYTECODE": "1"}
            found = subprocess.run([sys.executable, "-c", "import psim; print(psim.commands.program())"], env=environment,
                                   check=True, capture_output=True, text=True).stdout
        self.assertEqual(pathlib.Path(found.strip()).resolve(), program)

    def test_lines_of_progress_reach_the_caller(self):
        # Runs grow until one takes longer than the first line of progress.
        for loops in (100, 1000, 10000, 100000):
            lines = []
            psim.net(["./ring", 1000, loops], n=16, progress=lines.append)
            if lines:
                break
        self.assertRegex(lines[0], r"\d")


unittest.main(argv=sys.argv[:1])
