#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command that `psim --help` lists explains itself, with examples; mistakes end with 2: check_help.sh PSIM
set -euo pipefail
psim=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "$*"; exit 1; }
mapfile -t commands < <("$psim" --help | sed -n 's/^  \([a-z]\+\) .*/\1/p')
((${#commands[@]} >= 17)) || fail "psim --help lists ${commands[*]}"
for command in "${commands[@]}"; do
  "$psim" "$command" --help >help.txt || fail "psim $command --help failed"
  grep -q '^Usage: psim' help.txt || fail "psim $command --help has no usage"
  grep -q '^Examples:' help.txt && grep -q "^  .*psim $command" help.txt || fail "psim $command --help has no examples"
done
expect() {  # STATUS TEXT COMMAND…
  local status=0 wanted=$1 text=$2
  shift 2
  "$@" >out.txt 2>&1 </dev/null || status=$?
  ((status == wanted)) || { cat out.txt; fail "$*: status $status, expected $wanted"; }
  grep -qF -- "$text" out.txt || { cat out.txt; fail "$*: expected '$text'"; }
}
expect 2 "psim: unknown command confg; did you mean psim config?" "$psim" confg
expect 2 "psim: config show: unknown option --machin; did you mean --machine?" "$psim" config show --machin x
expect 2 "psim: config show: unknown argument b; see" "$psim" config show b
expect 2 "psim:" "$psim"
expect 2 "psim: --set x: expected key=value" "$psim" config show --set x
expect 2 "psim: --globals: copy not in {automatic,copies,swapped,remapped,shared}" "$psim" net --globals copy -n 2 x
expect 2 "psim: --stacks: 1 not in {own,swapped}" "$psim" net --stacks 1 -n 2 x
expect 2 "did you mean sparc64v?" "$psim" config show --machine sparc64
expect 2 "did you mean core.window.commit_width?" "$psim" config show --set core.window.comit_width=4
expect 0 "psim " "$psim" --version
echo "${#commands[@]} commands"
