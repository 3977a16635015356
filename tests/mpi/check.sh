#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check.sh PROGRAM INCLUDE BIN RUNNER RUN…: as compare.sh, for programs of functions that Open MPI 4.1 lacks. Each line that such a
# program prints ends with 1 if what it says holds, and with 0 otherwise. If MPICH is installed under Debian's names (mpicc.mpich), it
# must print the same lines; programs whose names begin with mpi41 are not compared: they use functions that MPICH 4.0.2 lacks, or do not
# end well with it (docs/records/mpi.md).
set -u
source=$1 include=$2 bin=$3 runner=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
lib=$bin/../lib/psim
options=(-O1 -pthread)
case $source in
  *.c) cc=gcc mpicc=mpicc.mpich wrapper=psim-cc libraries=(-lpsim_mpi) ;;
  *.f90) cc=gfortran mpicc=mpif90.mpich wrapper=psim-f90 libraries=(-frecursive -J "$work" -lpsim_mpi_fortran -lpsim_mpi) ;;
esac
failures=0
for run; do
  read -ra words <<< "$run"
  ranks=${words[0]} kind=${words[1]} more=("${words[@]:2}")
  case $kind in
    host)
      [ -e host.so ] || "$cc" "${options[@]}" -fPIC -shared ${CFLAGS_MPI:-} -I"$include" "$source" -o host.so -L"$lib" "${libraries[@]}" \
        "-Wl,-rpath,$lib" -Wl,-z,defs || exit 1
      command=("$runner" -n "$ranks" "${more[@]}" "$work/host.so")
      ;;
    net)
      [ -e net.so ] || "$bin/$wrapper" "${options[@]}" "$source" -o net.so || exit 1
      command=("$bin/psim" net --quiet -n "$ranks" "${more[@]}" "$work/net.so")
      ;;
  esac
  "${command[@]}" | sort > got
  status=${PIPESTATUS[0]}
  if [ "$status" -ne 0 ] || ! [ -s got ] || grep -qv ': 1$' got; then
    echo "$run: status $status"
    grep -v ': 1$' got | head -20
    failures=1
    continue
  fi
  echo "$run: $(wc -l < got) lines hold"
  [[ $(basename "$source") == mpi41* ]] || ! command -v "$mpicc" > /dev/null && continue
  [ -e reference ] || "$mpicc" "${options[@]}" "$source" -o reference || exit 1
  [ -e "wanted.$ranks" ] || mpiexec.mpich -n "$ranks" ./reference | sort > "wanted.$ranks"
  cmp "wanted.$ranks" got || failures=1
done
exit "$failures"
