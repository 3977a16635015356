#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# compare.sh PROGRAM RANKS INCLUDE LIB RUNNER [runner options]: builds PROGRAM for Open MPI and for psim, runs both, and
# compares their output with sorted lines. Exits with 77 (skipped) without Open MPI. With PSIM_NET set, RUNNER is
# psim: the program is built by psim-cc, psim-cxx or psim-f90 and run by `psim net`.
set -u
source=$1 ranks=$2 include=$3 lib=$4 runner=$5
shift 5
command -v mpicc > /dev/null && command -v mpirun > /dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1  # for files that programs write
options=(-O1)
case $source in
  *.c) cc=gcc mpicc=mpicc ;;
  *.cpp) cc=g++ mpicc=mpicxx options+=(-std=c++20) ;;
  *.f90 | *.f) cc=gfortran mpicc=mpif90 ;;
esac
"$mpicc" "${options[@]}" "$source" -o "$work/reference" || exit 1
if [ -n "${PSIM_NET:-}" ]; then
  case $cc in gcc) wrapper=psim-cc ;; g++) wrapper=psim-cxx ;; gfortran) wrapper=psim-f90 ;; esac
  (cd "$work" && "$lib/../../bin/$wrapper" "${options[@]}" "$source" -o "$work/program.so") || exit 1
  command=("$runner" net --quiet -n "$ranks" "$@" "$work/program.so")
else
  fortran=()
  [ "$cc" = gfortran ] && fortran=(-frecursive -J "$work" -lpsim_mpi_fortran)
  "$cc" "${options[@]}" -fPIC -shared ${CFLAGS_MPI:-} -I"$include" "$source" -o "$work/program.so" -L"$lib" ${fortran[@]+"${fortran[@]}"} -lpsim_mpi \
    "-Wl,-rpath,$lib" -Wl,-z,defs || exit 1
  command=("$runner" -n "$ranks" "$@" "$work/program.so")
fi
# Open MPI 4.1's osc/rdma crashes in MPI_Compare_and_swap on a rank's own memory; osc/pt2pt does not.
# Its ompio hangs in shared file pointers; ROMIO does not.
# UCX writes to standard output if /sys is not mounted, and is not needed on one machine.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 UCX_LOG_LEVEL=fatal
# One file per rank: simultaneous output of several ranks, not always in complete lines, would mix.
if ! mpirun --oversubscribe --mca orte_tmpdir_base "$work" --mca io ^ompio --mca pml ob1 --mca osc ^rdma,ucx --output-filename "$work/printed:nojobid,nocopy" \
  -n "$ranks" stdbuf -oL "$work/reference" 2> "$work/reference.err"; then
  cat "$work/reference.err" "$work"/printed/rank.*/stderr
  exit 1
fi
sort "$work"/printed/rank.*/stdout > "$work/wanted"
"${command[@]}" | sort > "$work/got"
status=${PIPESTATUS[0]}
[ "$status" -eq 0 ] || { echo "psim: status $status"; exit 1; }
[ -s "$work/wanted" ] || { echo "nothing printed"; exit 1; }
diff "$work/wanted" "$work/got" | head -20
cmp -s "$work/wanted" "$work/got" && echo "$(wc -l < "$work/got") equal lines"
