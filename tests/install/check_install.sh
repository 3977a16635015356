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
for file in share/doc/psim/README.md share/doc/psim/docs/configuration.md share/psim/include/psim.h; do
  [[ -s moved/$file ]] || { echo "$file is not installed"; exit 1; }
done
