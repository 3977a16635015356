#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# debian_programs.sh BIN [--quick]: builds the MPI programs of Debian packages unchanged with the wrappers in BIN (psim-cc, …) and
# runs them with BIN/psim. Removes the packages' files at the end.
#   (nothing)  the examples of MPICH from the installable package mpich-doc, built and run under Open MPI too. Compares the sorted
#              lines of both outputs, without times and host names.
#   --quick    only a sample of them, which takes some seconds: the test mpi.debian.
# A package that is not installed is downloaded by apt-get, after `apt-get update`. SECONDS_EACH (60): time limit of each program.
# mpich_suite.sh runs the test suite of MPICH's source package. The last line counts programs: same, differing, unsupported (these
# do not link; the missing name is printed). Exits with 1 if a program differs, 77 if no package is available.
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

# lacking LOG: prints the name that the compiler or the linker misses.
lacking() { grep -m1 -oE "undefined reference to .*|error: .*|Error: .*" "$1" || head -n 1 "$1"; }

# compare NAME RANKS WORDS…: compares the output of $NAME.here (psim's) and $NAME.there (Open MPI's), with the file "input" as
# standard input.
compare() {
  local name=$1 ranks=$2 status=0
  shift 2
  local digits='s/([0-9]\.[0-9]{12})[0-9]+/\1/g'  # sums have another order
  (timeout -s KILL "$limit" mpirun --oversubscribe --mca orte_tmpdir_base "$work" --mca pml ob1 --mca btl self,vader --mca osc ^ucx -n "$ranks" "./$name.there" "$@" < input; echo "status $?") 2>&1 |
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

# Lines that differ between runs: times, names of hosts and processors, and Open MPI's messages on a host without /sys.
varies='^\[hwloc/|[Ww]all|[Tt]ime|seconds|\bProcess .* on |is on |^ *$|running on'

examples() {
  local folder=/usr/share/doc/mpich/examples source name log
  if [ ! -d $folder ]; then
    timeout 60 apt-get download -qq mpich-doc > apt.log 2>&1 || { echo "mpich-doc is neither installed nor available"; exit 77; }
    dpkg-deb -x mpich-doc_*.deb unpacked
    folder=$work/unpacked$folder
  fi
  printf '1000\n0\n' > input  # for programs that read a resolution
  command -v mpicc > /dev/null && command -v mpirun > /dev/null || { echo "Open MPI is not installed"; exit 77; }
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
