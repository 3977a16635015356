#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the build into an empty place, moves it, and uses it from there: check_install.sh CMAKE BUILD_DIR
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" --install "$2" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/moved"
cd "$scratch"
psim=$scratch/moved/bin/psim
"$psim" --version
"$psim" config show --machine sparc64v >shown.toml
grep -q "\[$scratch/moved/share/psim/machines/sparc64v.toml:" shown.toml || { echo "the installed machine was not the one read:"; cat shown.toml; exit 1; }
# What was shown is a machine file.
"$psim" config check ./shown.toml
# The kernels that were built with it go along.
"$psim" reproduce | grep -q '^table2 ' || { echo "psim reproduce lists nothing"; exit 1; }
if [[ -d $2/share/psim/kernels/paper ]]; then
  (cd "$2/share/psim/kernels" && find . -type f | sort) >built.txt
  (cd moved/share/psim/kernels && find . -type f | sort) >installed.txt
  diff built.txt installed.txt || { echo "not all kernels are installed"; exit 1; }
  "$psim" run --quiet --machine simd16 moved/share/psim/kernels/paper/dgemm simd 64 | grep -q wrong=0
fi
for file in share/doc/psim/README.md share/doc/psim/docs/configuration.md share/psim/include/psim.h; do
  [[ -s moved/$file ]] || { echo "$file is not installed"; exit 1; }
done
