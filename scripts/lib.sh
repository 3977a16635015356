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

# build PRESET TARGET…: builds the targets and shows the progress with an estimate of the time left: on a terminal in one line, elsewhere
# every 30 seconds. Other output, such as errors, appears as it is.
build() {
  local preset=$1 line last=-30 done all left
  local began=$SECONDS
  shift
  NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" -j "$jobs" --target "$@" 2>&1 | {
    while IFS= read -r line; do
      if [[ ! $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
        printf '%s\n' "$line"
        continue
      fi
      done=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
      ((done)) || continue
      left=$(((SECONDS - began) * (all - done) / done))
      line=$(printf '%d of %d steps, %d:%02d min; about %d:%02d min left' "$done" "$all" $(((SECONDS - began) / 60)) \
        $(((SECONDS - began) % 60)) $((left / 60)) $((left % 60)))
      if [[ -t 1 ]]; then
        printf '\r   %s\033[K' "$line"
      elif ((SECONDS - last >= 30)); then
        printf '   %s\n' "$line"
        last=$SECONDS
      fi
    done
    [[ ! -t 1 ]] || printf '\r\033[K'
  }
}
