#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the build into an empty place, moves it, and uses it from there: check_install.sh CMAKE BUILD_DIR
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" --install "$2" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/moved"
cd "$scratch"
psim=$scratch/moved/bin/psim
"$psim" --version
"$psim" config show --machine sparc64v >shown.toml
grep -q "\[$scratch/moved/share/psim/machines/sparc64v.toml:" shown.toml || { echo "the installed machine was not the one read:"; cat shown.toml; exit 1; }
# The shown text is a machine file.
"$psim" config check ./shown.toml
# The kernels that were built with it go along.
"$psim" reproduce | grep -q '^table2 ' || { echo "psim reproduce lists nothing"; exit 1; }
if [[ -d $2/share/psim/kernels/paper ]]; then
  (cd "$2/share/psim/kernels" && find . -type f | sort) >built.txt
  (cd moved/share/psim/kernels && find . -type f | sort) >installed.txt
  diff built.txt installed.txt || { echo "not all kernels are installed"; exit 1; }
  "$psim" run --quiet --machine simd16 moved/share/psim/kernels/paper/dgemm simd 64 | grep -q wrong=0
fi
for file in share/doc/psim/README.md share/doc/psim/docs/configuration.md share/psim/include/psim.h share/man/man1/psim-run.1 \
  share/psim/schemas/{core,network,scenario,jobs,fit,models,result,messages}.schema.json share/bash-completion/completions/psim \
  share/zsh/vendor-completions/_psim share/fish/vendor_completions.d/psim.fish; do
  [[ -s moved/$file ]] || { echo "$file is not installed"; exit 1; }
done
# Links of the documentation lead to files and folders that are there.
links=0
while IFS=: read -r page link; do
  [[ $link != *://* ]] || continue
  links=$((links + 1))
  [[ -e $(dirname "$page")/$link ]] || { echo "$page: link to $link, which is not installed"; exit 1; }
done < <(grep -roP --include='*.md' '\]\(\K[^)#\s]+(?=[)#]|\s+")' moved/share/doc/psim)
((links > 50)) || { echo "only $links links found in the documentation"; exit 1; }
# The shipped programs of ranks find the library next to them, not only in the build's folder.
library=$(cd "$2" && pwd)/lib/psim
LC_ALL=C sed "s|$library|${library//?/x}|" moved/share/psim/mgen/alltoall >moved/share/psim/mgen/elsewhere
chmod +x moved/share/psim/mgen/elsewhere
grep -q "$library" moved/share/psim/mgen/alltoall && ! grep -q "$library" moved/share/psim/mgen/elsewhere
"$psim" net --quiet -n 4 moved/share/psim/mgen/elsewhere
# Programs of ranks are built and run from there, in C and in Fortran.
cat >ranks.c <<'EOF'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int me = 0, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf("sum %d\n", sum);
  MPI_Finalize();
}
EOF
cat >ranks.f90 <<'EOF'
program ranks
  use mpi
  integer :: me, total, code
  call mpi_init(code)
  call mpi_comm_rank(mpi_comm_world, me, code)
  call mpi_allreduce(me, total, 1, mpi_integer, mpi_sum, mpi_comm_world, code)
  if (me == 0) print '(a,i0)', "sum ", total
  call mpi_finalize(code)
end program
EOF
moved/bin/psim-cc -o in_c ranks.c
if command -v gfortran >/dev/null; then moved/lib/psim/mpi/mpifort -o in_fortran ranks.f90; fi
for program in in_c in_fortran; do
  [[ ! -e $program ]] || moved/bin/psim-mpirun -n 4 ./$program 2>/dev/null | grep -qx "sum 6" || { echo "$program does not run"; exit 1; }
done
# Programs of cores are also built from there, with loops for the SIMD-PEs.
cat >pes.f90 <<'EOF'
program pes
  use psim
  real(8) :: x(100) = 1
  integer :: i
  call psim_region_begin("all")
  !$omp target teams distribute parallel do map(tofrom: x)
  do i = 1, 100
    x(i) = x(i) + 1.5d0
  end do
  call psim_region_end("all")
  print '(f5.1)', sum(x)
end program
EOF
if [[ -e $2/lib/psim/sparc64/psim_omp_plugin.so && -e $2/lib/psim/sparc64/libpsim_fortran.a ]]; then
  moved/bin/psim-sparc-f90 -O3 -fopenmp -o pes pes.f90
  ! moved/bin/psim-sparc-f90 --show -fopenmp pes.f90 | grep -F "$2" || { echo "the installed psim-sparc-f90 uses the build tree"; exit 1; }
  "$psim" run --quiet --machine simd16 --env PSIM_OMP_LOOPS=pes ./pes >pes.txt 2>&1
  grep -qx "250.0" pes.txt && (($(wc -l <pes.txt) == 1)) || { echo "a program of psim-sparc-f90 printed:"; cat pes.txt; exit 1; }
fi
