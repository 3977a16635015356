# SPDX-License-Identifier: Apache-2.0
"""A strict reader of Callgrind files, by the grammar in the Callgrind Format Specification of Valgrind's manual.

It accepts what the grammar allows and psim may write: one part, absolute or relative positions, compressed names. Every other
line, an unknown name number, and costs that do not match `events`, `positions` or `totals` raise BadCallgrindFile."""
import re

NUMBER = r"(?:0x[0-9a-f]+|[0-9]+)"
POSITION = re.compile(rf"({NUMBER}|[+-]{NUMBER}|\*)$")
HEADER = [re.compile(pattern) for pattern in (
    r"version: 1$", r"creator: ?.*$", r"cmd: ?.*$", rf"(pid|thread|part): *{NUMBER}$", r"desc: *[^:]+:.*$",
    r"event: *[A-Za-z]\w* *(=[^:]*)?(:.*)?$", r"events: *[A-Za-z]\w*( +[A-Za-z]\w*)*$", r"positions: *(instr)? *(line)?$",
    rf"summary: *{NUMBER}( +{NUMBER})*$")]
NAME = re.compile(r"(ob|fl|fi|fe|fn|cob|cfi|cfl|cfn)= *(?:\(([0-9]+)\))?(?: *(.*))?$")
CALLS = re.compile(rf"calls= *({NUMBER}) +(.*)$")


class BadCallgrindFile(Exception):
    pass


class Function:
    def __init__(self, events):
        self.own = [0] * events
        self.called = [0] * events  # by its calls, inclusive
        self.calls = {}             # callee's name -> number


class CallgrindFile:
    """events, functions (name -> Function) and totals of a file."""

    def __init__(self, path):
        self.path, self.number = path, 0
        self.events, self.functions, self.totals, self.summary = [], {}, None, None
        self.positions = ["line"]
        self.last = None
        self.names = {}
        self.function = self.callee = self.pending = None
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        if lines.pop() != "":
            self.fail("the last line has no end")
        in_header = True
        for self.number, line in enumerate(lines, 1):
            if self.totals is not None:
                self.fail("a line after totals")
            if in_header and not re.match(r"(ob|fl|fn)=", line):
                self.header(line)
            else:
                if in_header:
                    self.begin_body()
                in_header = False
                self.body(line)
        if in_header or self.pending is not None or self.totals is None:
            self.fail("it ends too early")
        sums = [sum(column) for column in zip(*(f.own for f in self.functions.values()))]
        if sums != self.totals or self.summary not in (None, sums):
            self.fail(f"the costs sum to {sums}, totals are {self.totals}, the summary is {self.summary}")

    def fail(self, why):
        raise BadCallgrindFile(f"{self.path}:{self.number}: {why}")

    def header(self, line):
        if self.number == 1 and line == "# callgrind format":
            return
        if line == "" or line.startswith("#"):
            return
        if not any(pattern.match(line) for pattern in HEADER):
            self.fail(f"no header line: {line!r}")
        key, value = line.split(":", 1)
        if key == "events":
            self.events = value.split()
        elif key == "positions":
            self.positions = value.split()
        elif key == "summary":
            self.summary = [int(word, 0) for word in value.split()]

    def begin_body(self):
        if not self.events or len(set(self.events)) != len(self.events):
            self.fail("no events, or one of them twice")
        self.last = [0] * len(self.positions)

    def name(self, kind, number, text):
        """Resolves a compressed name; functions, files and objects have numbers of their own."""
        if number is None:
            return text or self.fail("a name is empty")
        space = self.names.setdefault({"ob": "ob", "fn": "fn"}.get(kind.lstrip("c"), "file"), {})
        if text:
            if number in space:
                self.fail(f"the name of {number} is given twice")
            space[number] = text
        elif number not in space:
            self.fail(f"{number} has no name")
        return space[number]

    def costs(self, words):
        """Reads positions and costs; missing costs at the end are 0."""
        positions = words[:len(self.positions)]
        if len(positions) < len(self.positions) or len(words) > len(self.positions) + len(self.events):
            self.fail("too few positions, or too many costs")
        for i, word in enumerate(positions):
            if not POSITION.match(word):
                self.fail(f"no position: {word!r}")
            relative = word == "*" or word[0] in "+-"
            self.last[i] = (self.last[i] if relative else 0) + (0 if word == "*" else int(word, 0))
        numbers = words[len(self.positions):]
        if not all(re.fullmatch(NUMBER, word) for word in numbers):
            self.fail(f"no costs: {numbers}")
        return [int(word, 0) for word in numbers] + [0] * (len(self.events) - len(numbers))

    def body(self, line):
        if self.pending is not None:  # the cost line of a call
            costs, calls = self.costs(line.split()), self.pending
            self.function.called = [a + b for a, b in zip(self.function.called, costs)]
            self.function.calls[self.callee] = self.function.calls.get(self.callee, 0) + calls
            self.pending = self.callee = None
        elif line == "" or line.startswith("#"):
            return
        elif line.startswith("totals:"):
            self.totals = [int(word, 0) for word in line.split()[1:]]
        elif found := NAME.match(line):
            kind, number, text = found.groups()
            name = self.name(kind, number, text)
            if kind == "fn":
                self.function = self.functions.setdefault(name, Function(len(self.events)))
            elif kind == "cfn":
                self.callee = name
        elif found := CALLS.match(line):
            if self.function is None or self.callee is None:
                self.fail("a call without caller or callee")
            target = found.group(2).split()
            if len(target) != len(self.positions) or not all(POSITION.match(word) for word in target):
                self.fail(f"no target: {target}")
            self.pending = int(found.group(1), 0)
        elif re.match(r"[0-9+*-]", line):
            if self.function is None:
                self.fail("costs without a function")
            self.function.own = [a + b for a, b in zip(self.function.own, self.costs(line.split()))]
        else:
            self.fail(f"no body line: {line!r}")

    def inclusive(self, name):
        """Own costs and those of its calls, as KCachegrind adds them up."""
        return [a + b for a, b in zip(self.functions[name].own, self.functions[name].called)]
