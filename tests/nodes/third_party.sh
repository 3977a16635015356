#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# third_party.sh BIN SOURCES [NAME…]: builds MPI programs of others with the wrappers in BIN (psim-cc, psim-sparc-cc, …), runs each
# with `psim net` and on cycle-level nodes with `psim cosim`, and compares their output without times. The tests do not run it.
# SOURCES is a folder with the sources, which psim does not contain; a program whose sources are missing is skipped:
#   hpcc_*.orig.tar.gz, lapack_*.orig.tar.gz     apt-get source --download-only hpcc lapack: hpl, ring
#   simgrid_*.orig.tar.xz                        apt-get source --download-only simgrid: is, ep
#   NPB*-MPI/                                    NAS Parallel Benchmarks 3.3 or 3.4: cg, mg
#   osu-micro-benchmarks-*/                      OSU micro-benchmarks 5: latency, bw
# NAME: hpl ring is ep cg mg latency bw (all). RANKS (4 8 16): of all but latency and bw. MACHINE (simd16), NETWORK (torus3d).
# SECONDS_EACH (1800): time limit of each run. The last line counts runs: same, differing, skipped. Exits with 1 if a run differs.
set -eu
bin=$(readlink -f "$1")
sources=$(readlink -f "$2")
shift 2
[ $# -gt 0 ] || set -- hpl ring is ep cg mg latency bw
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
same=0 differing=0 skipped=0
limit=${SECONDS_EACH:-1800}
legacy="-std=legacy -w -fallow-argument-mismatch -fallow-invalid-boz"

# wrapper WHERE LANGUAGE: prints the name of the compiler for net or node.
wrapper() { case $1 in net) echo "$bin/psim-$2" ;; node) echo "$bin/psim-sparc-$2" ;; esac; }

# found PATTERN: prints the archive or folder of $sources; without one, returns 1.
found() { find -L "$sources" -maxdepth 1 -name "$1" | sort | head -n 1 | grep . || { echo "$name: no $1 in $sources" >&2; return 1; }; }

# unpack ARCHIVE FOLDER: unpacks it, once.
unpack() { [ -d "$2" ] || { mkdir "$2" && tar -xf "$1" --strip-components=1 -C "$2"; }; }

not_built() {
  differing=$((differing + 1))
  echo "$name: not built"
}

# compare NAME RANKS FILTER WORDS…: runs ./NAME.net and ./NAME.node with WORDS, passes both outputs through FILTER, and compares them.
# `$proof`, a regular expression, must match the output.
compare() {
  local name=$1 ranks=$2 filter=$3 status_net=0 status_node=0 begin=$SECONDS
  shift 3
  for where in net node; do
    rm -rf "run.$where"
    mkdir "run.$where"
    [ ! -f input ] || cp input "run.$where/hpccinf.txt"
  done
  (cd run.net && timeout -k 10 "$limit" "$bin/psim" net --quiet -n "$ranks" ../"$name.net" "$@") > net.out 2> net.err || status_net=$?
  (cd run.node && timeout -k 10 "$limit" "$bin/psim" cosim -n "$ranks" --machine "${MACHINE:-simd16}" --network "${NETWORK:-torus3d}" \
    ../"$name.node" "$@") > node.out 2> node.err || status_node=$?
  for where in net node; do
    [ ! -f "run.$where/hpccoutf.txt" ] || cat "run.$where/hpccoutf.txt" >> $where.out
    $filter < $where.out > $where.seen
  done
  if [ $status_net = $status_node ] && cmp -s net.seen node.seen && grep -qE "$proof" node.seen; then
    same=$((same + 1))
    echo "$name -n $ranks $*: same, $(wc -l < node.seen) lines, \"$(grep -m 1 -oE "$proof" node.seen)\"; $((SECONDS - begin)) s; $(tail -n 1 node.err)"
  else
    differing=$((differing + 1))
    echo "$name -n $ranks $*: status $status_net under psim net, $status_node on nodes; $((SECONDS - begin)) s"
    diff net.seen node.seen | head -n 10 || true
    tail -n 5 node.err
  fi
}

# Lines with times, rates and the date leave; residuals below 1e-10, which are rounding, are alike.
no_times() {
  grep -vE '[Tt]ime|[Ss]econds|Mop/s|date|Date|Gflop|host|/s\b|^(Gaussian pairs|Random numbers):' | sed -E 's/[0-9.]+[EeD]-(1[0-9]|[2-9][0-9])\b/tiny/g'
}

# hpcc ARCHIVE ARCHIVE: builds HPCC with the reference BLAS, for HPL and the random ring.
hpcc() {
  local where routine flag choice=''
  for flag in StarDGEMM SingleDGEMM PTRANS StarStream SingleStream MPIRandomAccess_LCG StarRandomAccess_LCG SingleRandomAccess_LCG \
    MPIRandomAccess StarRandomAccess SingleRandomAccess StarFFT SingleFFT MPIFFT; do choice+=" params.Run$flag = 0;"; done
  choice+=" params.RunHPL = argc > 1; params.RunLatencyBandwidth = argc == 1;"
  unpack "$1" hpcc
  unpack "$2" lapack
  for where in net node; do
    [ ! -d hpcc.$where ] || continue
    cp -r hpcc hpcc.$where
    for routine in dgemm dtrsm dger dgemv dtrsv dcopy daxpy dscal idamax dswap ddot xerbla lsame; do
      "$(wrapper $where f90)" -O2 -c -o hpcc.$where/$routine.o lapack/BLAS/SRC/$routine.f
    done
    # The library of a makefile of HPL, without its archive: objects of the routines.
    cat > hpcc.$where/hpl/Make.psim << END
SHELL = /bin/sh
CD = cd
CP = cp
LN_S = ln -s
MKDIR = mkdir
RM = rm -f
TOUCH = touch
ARCH = psim
TOPdir = ../../..
INCdir = \$(TOPdir)/include
BINdir = \$(TOPdir)/bin/\$(ARCH)
LIBdir = \$(TOPdir)/lib/\$(ARCH)
HPLlib = \$(LIBdir)/libhpl.a
HPL_INCLUDES = -I\$(INCdir) -I\$(INCdir)/\$(ARCH)
HPL_LIBS = \$(HPLlib) $(echo "$work/hpcc.$where"/*.o) -lm
HPL_DEFS = -DAdd_ -DF77_INTEGER=int -DStringSunStyle \$(HPL_INCLUDES)
CC = $(wrapper $where cc)
CCNOOPT = \$(HPL_DEFS)
CCFLAGS = \$(HPL_DEFS) -O2 -fno-strict-aliasing -w
LINKER = $(wrapper $where f90)
LINKFLAGS = -O2
ARCHIVER = $(case $where in net) echo ar ;; node) echo sparc64-linux-gnu-ar ;; esac)
ARFLAGS = r
RANLIB = echo
END
    # HPCC's main program measures everything: an argument chooses HPL or the latencies and bandwidths alone.
    sed -i "/HPCC_Init( &params/,/goto/ s/goto hpcc_end;/& $choice/" hpcc.$where/src/hpcc.c
    (cd hpcc.$where && make arch=psim > make.log 2>&1) || { tail -n 5 hpcc.$where/make.log; return 1; }
    cp hpcc.$where/hpcc hpcc.$where.program
  done
  mv hpcc.net.program hpl.net; mv hpcc.node.program hpl.node
  cp hpl.net ring.net; cp hpl.node ring.node
}

# hpccinf P Q: writes the input of HPCC for a grid of P x Q ranks: one problem of N = 64 in blocks of 8.
hpccinf() {
  local line
  for line in "HPLinpack benchmark input file" "" "HPL.out" "8" "1" "64" "1" "8" "0" "1" "$1" "$2" "16.0" "1" "2" "1" "4" "1" "2" "1" "1" "1" \
    "1" "1" "1" "2" "64" "0" "0" "1" "8" "" "0" "64" "0" "8"; do echo "$line"; done > input
}

# nas NAME FOLDER: builds the benchmark of NPB's tree for class S and N ranks, by its own makefile.
nas() {
  local name=$1 ranks=$2 folder=$3 where
  for where in net node; do
    [ -d npb.$where ] || cp -rL "$folder" npb.$where
    mkdir -p npb.$where/bin
    {
      for fortran in MPIF77 MPIFC FLINK; do echo "$fortran = $(wrapper $where f90) $legacy"; done
      for c in MPICC CLINK; do echo "$c = $(wrapper $where cc)"; done
      for flags in FFLAGS FLINKFLAGS CFLAGS CLINKFLAGS; do echo "$flags = -O2"; done
      for none in FMPI_LIB FMPI_INC CMPI_LIB CMPI_INC; do echo "$none ="; done
      printf 'UCC = cc\nCC = cc -g\nBINDIR = ../bin\nRAND = randi8\n'
    } > npb.$where/config/make.def
    make -C npb.$where/${name^^} CLASS=S NPROCS=$ranks > make.log 2>&1 || { tail -n 5 make.log; return 1; }
    cp npb.$where/bin/$name.S.$ranks $name.$where
  done
}

# smpi NAME ARCHIVE: builds a benchmark of SimGrid's copy of NAS; macros replace what SimGrid adds.
smpi() {
  local where
  unpack "$2" simgrid
  mkdir -p smpi/smpi smpi/simgrid
  printf '#include <mpi.h>\n#define SMPI_SHARED_MALLOC malloc\n#define SMPI_SHARED_FREE free\n' > smpi/smpi/mpi.h
  echo '#define SMPI_SAMPLE_GLOBAL(a, b, c, n, t) for (a; b; c)' >> smpi/smpi/mpi.h
  echo '#define TRACE_smpi_set_category(x) ((void)(x))' > smpi/simgrid/instr.h
  for where in net node; do
    "$(wrapper $where cc)" -O2 -w -Ismpi -o "$1.$where" simgrid/examples/smpi/NAS/"$1.c" simgrid/examples/smpi/NAS/nas_common.c -lm || return 1
  done
}

# osu NAME FOLDER
osu() {
  local where
  for where in net node; do
    "$(wrapper $where cc)" -O2 -w -I "$2/mpi/pt2pt" -o "$1.$where" "$2/mpi/pt2pt/osu_$1.c" "$2/mpi/pt2pt/osu_pt2pt.c" || return 1
  done
}

first_words() { awk '{ print $1 }'; }
# Norms of HPL are rounding; the verdict is not.
verdicts() { no_times | grep -E 'PASSED|FAILED|tests|^W[RC]|^(N|NB|P|Q) ' | sed -E 's/=? +[0-9.]+ \.+ / /; s/(W[RC].*) [0-9.]+ +[0-9.e+-]+$/\1/'; }
# The lines of a summary: a value, 0 or not.
measured() { grep -E '^(Random|Natural|M[ai][xn]Ping|AvgPing).*=' | sed -E 's/=0*\.?0*[1-9].*/=positive/'; }

for name in "$@"; do
  case $name in
    hpl | ring)
      { archive=$(found 'hpcc_*.orig.tar.*') && blas=$(found 'lapack_*.orig.tar.*'); } || { skipped=$((skipped + 1)); continue; }
      [ -e hpl.node ] || hpcc "$archive" "$blas" || { not_built; continue; }
      for ranks in ${RANKS:-4 8 16}; do
        case $ranks in 4) hpccinf 2 2 ;; 8) hpccinf 2 4 ;; 16) hpccinf 4 4 ;; *) hpccinf 1 "$ranks" ;; esac
        if [ $name = hpl ]; then
          proof="1 tests completed and passed residual checks" compare hpl "$ranks" verdicts hpl
        else
          proof="RandomlyOrderedRingBandwidth_GBytes=positive" compare ring "$ranks" measured
        fi
      done
      rm -f input
      ;;
    is | ep)
      archive=$(found 'simgrid_*.orig.tar.*') || { skipped=$((skipped + 1)); continue; }
      smpi $name "$archive" || { not_built; continue; }
      for ranks in ${RANKS:-4 8 16}; do proof="[Vv]erification.*[Ss]uccess[a-z]*|SUCCESSFUL" compare $name "$ranks" no_times "$ranks" S; done
      ;;
    cg | mg)
      folder=$(found 'NPB*-MPI') || { skipped=$((skipped + 1)); continue; }
      for ranks in ${RANKS:-4 8 16}; do
        nas $name "$ranks" "$folder" || { not_built; continue; }
        proof="VERIFICATION SUCCESSFUL" compare $name "$ranks" no_times
      done
      ;;
    latency | bw)
      folder=$(found 'osu-micro-benchmarks*') || { skipped=$((skipped + 1)); continue; }
      osu $name "$folder" || { not_built; continue; }
      # Few repetitions, since all are alike. bw sends 64 messages of each size, half a gigabyte.
      case $name in latency) repetitions="-x 1 -i 2" ;; bw) repetitions="-x 0 -i 1" ;; esac
      proof="^4194304" compare $name 2 first_words $repetitions
      cat node.out
      ;;
    *) echo "third_party.sh: $name: expected hpl, ring, is, ep, cg, mg, latency or bw" >&2; exit 2 ;;
  esac
done
echo "$same same, $differing differing, $skipped skipped"
[ $differing -eq 0 ]
