#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# debian_programs.sh BIN [--quick | --suite [FOLDER…]]: MPI programs that Debian packages carry, built unchanged by the wrappers in
# BIN (psim-cc, …) and run by BIN/psim. Nothing of the packages stays.
#   (nothing)  the examples of MPICH from the installable package mpich-doc: built and run under Open MPI, too; what both print is
#              compared, line by line sorted, without what takes time or names hosts.
#   --quick    only a sample of them, some seconds: the test mpi.debian.
#   --suite    the MPICH test suite from the source package, folders of its test/mpi (attr coll comm datatype errhan group info
#              init io pt2pt rma topo f77/coll errors/coll …; default: attr comm errhan group info init topo f77/attr f77/coll
#              f77/pt2pt): each program must say "No Errors". Needs make, and minutes a folder. SECONDS_EACH (60): time of a program.
# A package that is not installed is downloaded by apt-get, for which `apt-get update` must have run; sources are looked up by way of
# the configured archives, whether these have deb-src or not. The last line counts: same, differing, unsupported (does not link: what
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

# What differs from run to run: times, names of hosts and processors.
varies='[Ww]all|[Tt]ime|seconds|\bProcess .* on |is on |^ *$|running on'

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

unpack_sources() {
  mkdir -p state/lists/partial state/cache/archives/partial state/sources
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -e "$list" ] && sed -n 's/^deb \(.*\)/deb \1\ndeb-src \1/p' "$list" >> state/sources/all.list
  done
  for list in /etc/apt/sources.list.d/*.sources; do
    [ -e "$list" ] && sed 's/^Types:.*/Types: deb-src/' "$list" > "state/sources/$(basename "$list")"
  done
  local options=(-o "Dir::Etc::SourceList=/dev/null" -o "Dir::Etc::SourceParts=$work/state/sources" -o
    "Dir::State::Lists=$work/state/lists" -o "Dir::Cache=$work/state/cache")
  { apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only mpich; } > apt.log 2>&1 || { tail -3 apt.log; exit 77; }
  tar xf mpich_*.orig.tar.* --wildcards '*/test/mpi/*'
}

suite() {
  local suite program ranks rest word words expected said status folder list
  unpack_sources
  suite=$(echo "$work"/mpich-*/test/mpi)
  mkdir build
  cd build
  "$suite/configure" --srcdir="$suite" --disable-spawn CC=psim-cc CXX=psim-cxx F77=psim-f90 FC=psim-f90 MPICC=psim-cc \
    MPICXX=psim-cxx MPIF77=psim-f90 MPIFC=psim-f90 FFLAGS=-fallow-argument-mismatch FCFLAGS=-fallow-argument-mismatch > ../configure.log 2>&1 ||
    { tail -3 ../configure.log; exit 1; }
  { make -C dtpools && make -C util; } > ../make.log 2>&1 || { tail -3 ../make.log; exit 1; }
  for folder in "$@"; do
    list=$folder/testlist
    [ -e "$list" ] || list=$suite/$list  # some need no configuring
    while read -r program ranks rest; do
      case $program in '' | '#'* | '!'*) continue ;; esac
      words=()
      expected=0
      for word in $rest; do
        case $word in arg=*) words+=("${word#arg=}") ;; resultTest=TestErrFatal | resultTest=TestStatus*) expected=1 ;; esac
      done
      if [ ! -e "$folder/$program" ] && ! make -C "$folder" "$program" CFLAGS=-O0 > ../make.log 2>&1; then
        unsupported=$((unsupported + 1))
        echo "$folder/$program: not built: $(lacking ../make.log)"
        continue
      fi
      said=$(cd "$folder" && timeout -k 10 "$limit" psim net -n "$ranks" --quiet "./$program" ${words[@]+"${words[@]}"} 2>&1 < /dev/null) && status=0 || status=1
      if { [ $expected = 0 ] && [ $status = 0 ] && [[ $said == *"No Errors"* ]]; } || { [ $expected = 1 ] && [ $status = 1 ]; }; then
        same=$((same + 1))
      else
        echo "$folder/$program -n $ranks ${words[*]-}: $(head -n 2 <<< "$said" | tr '\n' ' ')"
        differing=$((differing + 1))
      fi
    done < "$list"
  done
}

case $what in
  all | --quick) examples ;;
  --suite)
    [ $# -gt 0 ] || set -- attr comm errhan group info init topo f77/attr f77/coll f77/pt2pt
    suite "$@" ;;
  *) echo "debian_programs.sh: $what: expected --quick or --suite" >&2; exit 2 ;;
esac
summary
