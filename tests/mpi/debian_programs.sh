#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# debian_programs.sh BIN [FOLDER…]: the MPICH test suite, from Debian's source package, built unchanged by the wrappers in BIN
# (psim-cc, …) and run by BIN/psim. FOLDERs are those of its test/mpi (attr, basic, coll, comm, datatype, errhan, group, info,
# init, io, pt2pt, rma, topo, f77, f90); default: attr comm errhan group info init topo. Needs apt-get with deb-src entries
# (not among the default ones), make and an hour for all. Prints the programs that do not say "No Errors"; ends with 1 if any.
# Nothing of the package stays. Known differences: docs/mpi.md; programs of MPI-4 do not link, by name.
set -eu
bin=$(readlink -f "$1")
shift
[ $# -gt 0 ] || set -- attr comm errhan group info init topo
export PATH=$bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get source --download-only mpich > apt.log 2>&1 || { cat apt.log; exit 77; }
tar xf mpich_*.orig.tar.*
suite=$(echo "$work"/mpich-*/test/mpi)
mkdir build
cd build
"$suite/configure" --srcdir="$suite" --disable-spawn CC=psim-cc CXX=psim-cxx F77=psim-f90 FC=psim-f90 MPICC=psim-cc MPICXX=psim-cxx \
  MPIF77=psim-f90 MPIFC=psim-f90 FFLAGS=-fallow-argument-mismatch FCFLAGS=-fallow-argument-mismatch > ../configure.log 2>&1
make -C dtpools > ../make.log 2>&1
make -C util >> ../make.log 2>&1
good=0 bad=0
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
    if ! make -C "$folder" "$program" CFLAGS=-O0 > ../make.log 2>&1; then
      echo "$folder/$program: not built: $(grep -m1 -o "undefined reference.*\|error:.*" ../make.log)"
      bad=$((bad + 1))
      continue
    fi
    said=$(cd "$folder" && timeout -s KILL 120 psim net -n "$ranks" --quiet "./$program" ${words[@]+"${words[@]}"} 2>&1 < /dev/null) && status=0 || status=1
    if { [ $expected = 0 ] && [ $status = 0 ] && [[ $said == *"No Errors"* ]]; } || { [ $expected = 1 ] && [ $status = 1 ]; }; then
      good=$((good + 1))
    else
      echo "$folder/$program -n $ranks ${words[*]-}: $(head -n 2 <<< "$said" | tr '\n' ' ')"
      bad=$((bad + 1))
    fi
  done < "$list"
done
echo "$good as they should be, $bad not"
[ $bad -eq 0 ]
