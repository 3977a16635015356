#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates results by the JSON schema of `psim schema result`: validation.py PSIM RESULT.json…

Ends with 1 after a line for each place that the schema refuses. Needs Debian's python3-jsonschema; without it nothing is
validated (77).
"""
import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    sys.path.append("/usr/lib/python3/dist-packages")  # where the python3 of PATH is not Debian's
    try:
        import jsonschema
    except ImportError:
        print("python3-jsonschema is not installed")
        sys.exit(77)


def validator(psim, subject):
    """The validator of `psim schema SUBJECT`, which is a valid schema itself."""
    done = subprocess.run([psim, "schema", subject], text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=200)
    assert done.returncode == 0, f"psim schema {subject}: {done.stderr}"
    schema = json.loads(done.stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def problems(by, document):
    """A line for each place of the document that the schema refuses."""
    return [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:300]}" for error in by.iter_errors(document)]


if __name__ == "__main__":
    result = validator(sys.argv[1], "result")
    refused = [f"{name}: {line}" for name in sys.argv[2:] for line in problems(result, json.loads(pathlib.Path(name).read_text()))]
    print("\n".join(refused[:20]))
    sys.exit(1 if refused else 0)
