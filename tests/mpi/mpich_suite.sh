#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mpich_suite.sh BIN [FOLDER…]: the test suite of MPICH, from Debian's source package, built unchanged by the wrappers in BIN
# (psim-cc, …) and run by BIN/psim with the ranks that its lists give. Each program must say "No Errors" (a few must fail instead).
# Prints what is not good and what is not built, with the first thing said, then a table by folder. Ends with 1 if a program is not
# good, 77 if there is no source package to be had.
#   FOLDER        of test/mpi (coll, errors/coll, f90/pt2pt, …); default: all but those of what psim has not: spawn, part (MPI-4),
#                 mpi_t, impls, ft, ckpoint, cxx (bindings that MPI-3 removed), f08 with descriptors
#   SECONDS_EACH  time of a program: 60
#   JOBS          programs at a time: 2
#   WORK          a directory to keep what is unpacked and built, for another run; else nothing stays
# What needs more than 4 GiB of memory is left out. Lines that differ in environment variables of MPICH's only count once.
set -eu
bin=$(readlink -f "$1")
shift
export PATH=$bin:$PATH SECONDS_EACH=${SECONDS_EACH:-60}
if [ -n "${WORK:-}" ]; then
  work=$(mkdir -p "$WORK" && readlink -f "$WORK")
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
cd "$work"

[ $# -gt 0 ] || set -- attr basic coll comm datatype errhan group info init io perf pt2pt rma threads/{coll,comm,init,pt2pt,rma} topo \
  errors/{attr,basic,coll,comm,datatype,group,io,pt2pt,rma,topo,f77/io,f90/io} \
  f77/{attr,coll,comm,datatype,ext,info,init,io,pt2pt,rma,topo} \
  f90/{attr,coll,comm,datatype,ext,f90types,info,init,io,misc,pt2pt,rma,timer,topo}

# Sources are looked up by way of the configured archives, whether these have deb-src or not.
unpack() {
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

[ -d mpich-* ] 2> /dev/null || unpack
suite=$(echo "$work"/mpich-*/test/mpi)
if [ ! -e build/.ready ]; then
  mkdir -p build
  cd build
  "$suite/configure" --srcdir="$suite" --disable-spawn --enable-strictmpi CC=psim-cc CXX=psim-cxx F77=psim-f90 FC=psim-f90 MPICC=psim-cc \
    MPICXX=psim-cxx MPIF77=psim-f90 MPIFC=psim-f90 FFLAGS=-fallow-argument-mismatch FCFLAGS=-fallow-argument-mismatch > ../configure.log 2>&1 ||
    { tail -3 ../configure.log; exit 1; }
  { make -C dtpools && make -C util; } > ../make.log 2>&1 || { tail -3 ../make.log; exit 1; }
  touch .ready
  cd ..
fi
cd build

# What the compiler or the linker misses.
lacking() { grep -m1 -oE "undefined reference to .*|error: .*|Error: .*|No rule to make .*" "$1" || head -n 1 "$1"; }

# one FOLDER PROGRAM RANKS MUST_FAIL WORDS…: a line of folder, outcome, command and what was said, between tabs.
one() {
  local folder=$1 program=$2 ranks=$3 must_fail=$4 said status=0 outcome=bad
  shift 4
  if [ ! -e "$folder/$program" ]; then
    printf '%s\tunbuilt\t%s\t%s\n' "$folder" "$program" "$(lacking "$folder/$program.make.log")"
    return
  fi
  local here=$PWD/$folder apart  # files of several have one name
  apart=$(mktemp -d)
  said=$(cd "$apart" && timeout -k 10 "$SECONDS_EACH" psim net -n "$ranks" --quiet "$here/$program" "$@" 2>&1 < /dev/null | head -c 20000; exit "${PIPESTATUS[0]}") ||
    status=$?
  rm -r "$apart"
  if [ "$must_fail" = 1 ]; then
    [ $status -ne 0 ] && [ $status -lt 124 ] && outcome=good
  elif [ $status -eq 0 ] && grep -qi "no errors" <<< "$said"; then
    outcome=good
  fi
  [ $status -eq 124 ] && said="not over after $SECONDS_EACH s: $said"
  printf '%s\t%s\t%s\t%s\n' "$folder" $outcome "$program -n $ranks $*" "$(grep -v '^ *$' <<< "$said" | head -n 3 | tr '\t\n' '  ' | tr -dc '[:print:]')"
}
export -f one lacking

: > ../jobs
for folder in "$@"; do
  list=$folder/testlist
  [ -e "$list" ] || list=$suite/$list  # some need no configuring
  [ -e "$list" ] || continue
  declare -A seen=()
  programs=()
  while read -r program ranks rest; do
    case $program in '' | '#'* | '!'* | *[@/]*) continue ;; esac
    [ "$folder/$program" = init/timeout ] && continue  # who starts programs must end it
    [[ $ranks =~ ^[0-9]+$ ]] || ranks=1
    words=() must_fail=0 large=0
    for word in $rest; do
      case $word in
        arg=*) words+=("${word#arg=}") ;;
        resultTest=*) must_fail=1 ;;
        mem=*) [ "${word#mem=}" = 1.4 ] || large=1 ;;
      esac
    done
    job="$folder $program $ranks $must_fail${words[*]+ ${words[*]}}"
    [ $large = 1 ] || [ -n "${seen[$job]-}" ] && continue
    seen[$job]=1
    [ -e "$folder/$program" ] || [ -n "${seen[=$program]-}" ] || programs+=("$program")
    seen[=$program]=1
    echo "$job" >> ../jobs
  done < "$list"
  [ ${#programs[@]} -eq 0 ] ||
    printf '%s\n' "${programs[@]}" |
    xargs -P "${JOBS:-2}" -I{} sh -c "make -C $folder {} CFLAGS=-O0 CXXFLAGS=-O0 > $folder/{}.make.log 2>&1 < /dev/null || true"
done

xargs -P "${JOBS:-2}" -L1 bash -c 'one "$@"' one < ../jobs > ../results
sort ../results | awk -F'\t' '
  $2 != "good" { print $1 "/" $3 ": " ($2 == "unbuilt" ? "not built: " : "") $4 }
  !($1 in seen) { seen[$1] = 1; order[++count] = $1 }
  { ++n[$1, $2]; ++all[$2] }
  END {
    print "| folder | good | not good | not built |\n|---|---|---|---|"
    for (i = 1; i <= count; ++i) printf "| %s | %d | %d | %d |\n", order[i], n[order[i], "good"], n[order[i], "bad"], n[order[i], "unbuilt"]
    printf "| all | %d | %d | %d |\n", all["good"], all["bad"], all["unbuilt"]
  }'
! grep -q "	bad	" ../results
