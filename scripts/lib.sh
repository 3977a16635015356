# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of this folder: the root of the source tree, and packages.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc)

say() { printf '\n== %s\n' "$*"; }

# need GROUP…: installs what is missing of these groups of scripts/packages, or says what to install.
need() {
  local group missing=() package
  for group; do
    while read -r package; do
      dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done < <(sed -n "/^\[$group\]/,/^\[/{/^[a-z]/p}" "$root/scripts/packages")
  done
  ((${#missing[@]})) || return 0
  local install=(apt-get install -y -qq --no-install-recommends "${missing[@]}")
  if ((EUID == 0)) && command -v apt-get >/dev/null; then
    say "installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    "${install[@]}" >/dev/null
  else
    printf 'These Debian 12 packages are missing; install them and try again:\n  sudo apt-get install %s\n' "${missing[*]}" >&2
    return 1
  fi
}
