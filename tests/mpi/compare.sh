#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# compare.sh PROGRAM INCLUDE BIN RUNNER RUN…: builds PROGRAM for Open MPI and for psim, runs both, and compares their output with
# sorted lines. A RUN is "RANKS host OPTION…" for RUNNER, which is psim_mpi_run, or "RANKS net OPTION…" for `psim net` of BIN, where
# psim-cc, psim-cxx or psim-f90 builds the program. Exits with 77 (skipped) without Open MPI.
set -u
source=$1 include=$2 bin=$3 runner=$4
shift 4
command -v mpicc > /dev/null && command -v mpirun > /dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1  # for files that programs write
options=(-O1) libraries=(-lpsim_mpi)
case $source in
  *.c) cc=gcc mpicc=mpicc wrapper=psim-cc ;;
  *.cpp) cc=g++ mpicc=mpicxx wrapper=psim-cxx options+=(-std=c++20) ;;
  *.f90 | *.f) cc=gfortran mpicc=mpif90 wrapper=psim-f90 libraries=(-frecursive -J "$work" -lpsim_mpi_fortran -lpsim_mpi) ;;
esac
"$mpicc" "${options[@]}" "$source" -o reference || exit 1

build_host() {
  local lib=$bin/../lib/psim
  "$cc" "${options[@]}" -fPIC -shared ${CFLAGS_MPI:-} -I"$include" "$source" -o host.so -L"$lib" "${libraries[@]}" "-Wl,-rpath,$lib" -Wl,-z,defs
}
build_net() { "$bin/$wrapper" "${options[@]}" "$source" -o net.so; }

# Open MPI 4.1's osc/rdma crashes in MPI_Compare_and_swap on a rank's own memory; osc/pt2pt does not.
# Its ompio hangs in shared file pointers; ROMIO does not.
# UCX writes to standard output if /sys is not mounted, and is not needed on one machine.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 UCX_LOG_LEVEL=fatal
# One file per rank: simultaneous output of several ranks, not always in complete lines, would mix.
run_reference() {
  mpirun --oversubscribe --mca orte_tmpdir_base "$work" --mca io ^ompio --mca pml ob1 --mca osc ^rdma,ucx --output-filename "$work/printed.$1:nojobid,nocopy" \
    -n "$1" stdbuf -oL "$work/reference" 2> reference.err || { cat reference.err "printed.$1"/rank.*/stderr; return 1; }
  sort "printed.$1"/rank.*/stdout > "wanted.$1"
  [ -s "wanted.$1" ] || { echo "nothing printed"; return 1; }
}

failures=0
for run; do
  read -ra words <<< "$run"
  ranks=${words[0]} kind=${words[1]} more=("${words[@]:2}")
  [ -e "$kind.so" ] || "build_$kind" || exit 1
  [ -e "wanted.$ranks" ] || run_reference "$ranks" || exit 1
  case $kind in
    host) command=("$runner" -n "$ranks" "${more[@]}" "$work/host.so") ;;
    net) command=("$bin/psim" net --quiet -n "$ranks" "${more[@]}" "$work/net.so") ;;
  esac
  "${command[@]}" | sort > got
  status=${PIPESTATUS[0]}
  if [ "$status" -ne 0 ]; then
    echo "$run: status $status"
    failures=1
  elif ! cmp -s "wanted.$ranks" got; then
    echo "$run: other lines"
    diff "wanted.$ranks" got | head -20
    failures=1
  else
    echo "$run: $(wc -l < got) equal lines"
  fi
done
exit "$failures"
