#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# debian_programs.sh BIN [--quick]: MPI programs that Debian packages carry, built unchanged by the wrappers in
# BIN (psim-cc, …) and run by BIN/psim. Nothing of the packages stays.
#   (nothing)  the examples of MPICH from the installable package mpich-doc: built and run under Open MPI, too; what both print is
#              compared, line by line sorted, without what takes time or names hosts.
#   --quick    only a sample of them, some seconds: the test mpi.debian.
# A package that is not installed is downloaded by apt-get, for which `apt-get update` must have run. SECONDS_EACH (60): time of a
# program. mpich_suite.sh runs the test suite of MPICH's source package. The last line counts: same, differing, unsupported (does not link: what
# it lacks is named). Ends with 1 if something differs, 77 if there is nothing to be had.
set -eu
bin=$(readlink -f "$1")
what=${2:-all}
shift $(($# < 2 ? $# : 2))
export PATH=$bin:$PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 UCX_LOG_LEVEL=fatal
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
same=0 differing=0 unsupported=0
limit=${SECONDS_EACH:-60}

summary() {
  echo "$same same, $differing differing, $unsupported unsupported"
  [ $differing -eq 0 ]
}

# lacking LOG: what the compiler or the linker misses.
lacking() { grep -m1 -oE "undefined reference to .*|error: .*|Error: .*" "$1" || head -n 1 "$1"; }

# compare NAME RANKS WORDS…: with the file "input" as standard input, $NAME.here (ours) and $NAME.there (Open MPI's) print the same.
compare() {
  local name=$1 ranks=$2 status=0
  shift 2
  local digits='s/([0-9]\.[0-9]{12})[0-9]+/\1/g'  # sums come in another order
  (timeout -s KILL "$limit" mpirun --oversubscribe --mca pml ob1 --mca btl self,vader --mca osc ^ucx -n "$ranks" "./$name.there" "$@" < input; echo "status $?") 2>&1 |
    grep -vE "$varies" | sed -E "$digits" | sort > wanted || true
  (timeout -k 10 "$limit" psim net --quiet -n "$ranks" "./$name.here" "$@" < input; echo "status $?") 2>&1 |
    grep -vE "$varies" | sed -E "$digits" | sort > got || true
  if cmp -s wanted got; then
    same=$((same + 1))
  else
    differing=$((differing + 1))
    echo "$name -n $ranks $*:"
    diff wanted got | head -6
  fi
}

# What differs from run to run: times, names of hosts and processors; and what Open MPI says of a host without /sys.
varies='^\[hwloc/|[Ww]all|[Tt]ime|seconds|\bProcess .* on |is on |^ *$|running on'

examples() {
  local folder=/usr/share/doc/mpich/examples source name log
  if [ ! -d $folder ]; then
    timeout 60 apt-get download -qq mpich-doc > apt.log 2>&1 || { echo "mpich-doc is neither installed nor to be had"; exit 77; }
    dpkg-deb -x mpich-doc_*.deb unpacked
    folder=$work/unpacked$folder
  fi
  printf '1000\n0\n' > input  # for those that ask how finely to compute
  command -v mpicc > /dev/null && command -v mpirun > /dev/null || { echo "no Open MPI to compare with"; exit 77; }
  for source in "$folder"/*.c "$folder"/f77/*.f "$folder"/f90/*.f90 "$folder"/cxx/*.cxx; do
    name=$(basename "$source")
    case $name in child.c | parent.c | spawn_* | pmandel*) continue ;; esac  # several programs, services, servers
    [ "$what" = --quick ] && case $name in cpi.c | fpi.f | srtest.c) ;; *) continue ;; esac
    case $name in *.c) set -- psim-cc mpicc ;; *.cxx) set -- psim-cxx mpicxx ;; *) set -- psim-f90 mpif90 ;; esac
    log=$name.log
    if ! "$1" -O1 "$source" -o "$name.here" -lm > "$log" 2>&1; then
      unsupported=$((unsupported + 1))
      echo "$name: not built: $(lacking "$log")"
      continue
    fi
    if ! "$2" -O1 "$source" -o "$name.there" -lm > "$log" 2>&1; then
      unsupported=$((unsupported + 1))
      echo "$name: Open MPI does not build it: $(lacking "$log")"
      continue
    fi
    compare "$name" 4
  done
}

case $what in
  all | --quick) examples ;;
  *) echo "debian_programs.sh: $what: expected --quick" >&2; exit 2 ;;
esac
summary
