// SPDX-License-Identifier: Apache-2.0
// Throws across blocking calls. With an argument, makes an error that a sanitizer finds: "overrun" on rank 2,
// "shift".
#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int me, size;

int deep(int level) {
  volatile char frame[2000];
  frame[level] = 1;
  if (level > 0) return deep(level - 1) + frame[level];
  int sum = 0;
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  throw std::runtime_error("on the way back");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string what = argc > 1 ? argv[1] : "";
  std::vector<int> values(10);
  int caught = 0, all = 0;
  for (int i = 0; i < 15; ++i) try {
      deep(i);
    } catch (const std::exception&) {
      MPI_Barrier(MPI_COMM_WORLD);
      ++caught;
    }
  volatile int at = what == "overrun" && me == 2 ? 10 : 9;
  values.data()[at] = 1 << (what == "shift" ? 40 + me : 3);
  MPI_Reduce(&caught, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) std::printf("%d ranks, %d exceptions\n", size, all);
  MPI_Finalize();
}
