#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/check_words finds words in lines that a change adds, and only there. words_test.py SOURCE_DIR"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

source = sys.argv.pop(1)


class CheckWords(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = os.path.join(self.folder.name, "tree")
        os.makedirs(os.path.join(self.root, "scripts"))
        for name in ("check_words", "words.txt"):
            shutil.copy(os.path.join(source, "scripts", name), os.path.join(self.root, "scripts"))

    def git(self, *arguments):
        environment = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=self.root, check=True,
                       env=environment, stdout=subprocess.DEVNULL)

    def write(self, name, text):
        with open(os.path.join(self.root, name), "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self, **files):
        if not os.path.isdir(os.path.join(self.root, ".git")):
            self.git("init", "-q", "-b", "main")
        for name, text in files.items():
            self.write(name.replace("_dot_", "."), text)
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-m", "files")

    def check(self, *arguments):
        done = subprocess.run([os.path.join(self.root, "scripts/check_words"), *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def found(self, name, text):
        """The lines of a file in which the check finds something."""
        self.write(name, text)
        lines = self.check(os.path.join(self.root, name))[1].split("\n")
        return [int(line.split(":")[1]) for line in lines if line.startswith(name + ":")]

    def test_a_line_of_the_last_commit_is_checked_and_an_older_one_is_not(self):
        self.commit(a_dot_cpp="// What came is lost.\n")
        self.commit(a_dot_cpp="// What came is lost.\n\n// Whoever waits is woken.\n")
        status, text = self.check()
        self.assertEqual(status, 1)
        self.assertIn("a.cpp:3: Whoever: write the thing", text)
        self.assertNotIn("a.cpp:1:", text)

    def test_changes_that_are_not_committed_and_new_files_are_checked(self):
        self.commit(a_dot_cpp="int a;\n")
        self.commit(b_dot_cpp="int b;\n")
        self.assertEqual(self.check()[0], 0)
        self.write("a.cpp", "int a;  // 5 packets a second\n")
        self.write("new.md", "It asks for a packet.\n")
        status, text = self.check()
        self.assertEqual(status, 1)
        self.assertIn("a.cpp:1: packets a second: write per second", text)
        self.assertIn("new.md:1: asks for: write request", text)

    def test_a_branch_is_compared_with_the_commit_where_it_left_main(self):
        self.commit(a_dot_cpp="int a;\n")
        self.git("checkout", "-q", "-b", "topic")
        self.commit(a_dot_cpp="int a;  // for want of a name\n")
        self.commit(b_dot_cpp="int b;\n")
        self.assertIn("a.cpp:1: for want of", self.check()[1])

    def test_a_moved_file_has_no_added_lines(self):
        self.commit(a_dot_cpp="// Whether it is over.\n" + "int a;\n" * 20)
        self.git("mv", "a.cpp", "moved.cpp")
        self.commit()
        self.assertEqual(self.check()[0], 0)

    def test_outside_a_checkout_and_without_a_parent_nothing_is_checked_and_a_line_says_so(self):
        self.write("a.cpp", "// What came is lost.\n")
        self.assertEqual(self.check(), (0, "not a git checkout: words are not checked\n"))
        self.commit()
        self.assertEqual(self.check(), (0, "HEAD has no parent here: words are not checked\n"))

    def test_an_unknown_base_is_refused(self):
        self.commit(a_dot_cpp="int a;\n")
        status, text = self.check("--base", "nowhere")
        self.assertEqual(status, 1)
        self.assertIn("--base nowhere: there is no such commit", text)

    def test_the_whole_tree_is_counted_by_folder(self):
        self.commit(a_dot_cpp="// What came is lost.\n")
        status, text = self.check("--all")
        self.assertEqual(status, 0)
        self.assertRegex(text, r" 1 \.\n")

    def test_comments_and_strings_are_read_and_code_is_not(self):
        self.assertEqual(self.found("a.cpp", 'int nobody = 1;\nauto s = "it wants more";\n/* as\n * many ranks */\n'), [2, 3])
        self.assertEqual(self.found("a.py", 'nobody = 1\n"""Text.\n\nWhat came is lost."""\nx = 1  # is told\n'), [4, 5])
        self.assertEqual(self.found("a.toml", 'nobody = "4"  # anew\n'), [1])

    def test_a_sentence_may_be_broken_over_lines(self):
        self.assertEqual(self.found("a.cpp", "// It names the router for\n// want of a port.\n"), [1])

    def test_markdown_is_read_without_code_and_headings(self):
        self.assertEqual(self.found("a.md", "# What runs\n\nIt `asks for` more.\n\n```\nis told\n```\n\n| cell | is told |\n"), [9])

    def test_plain_sentences_pass(self):
        plain = """\
// Returns true once the operation has completed.
// A packet in a router's buffer; 5 GB/s per link, 100 ns per hop, as many as 4 packets.
// What if a link sleeps?
// Waits a second time, after a second attempt; tells the two apart by their port.
// The sums are over all PEs. As long as credits are left, the output is granted.
// The whole trace, in so far as it is known. You want a report: add --report FILE.
"""
        self.assertEqual(self.found("a.cpp", plain), [])


unittest.main()
