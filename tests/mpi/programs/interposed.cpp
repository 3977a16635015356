// SPDX-License-Identifier: Apache-2.0
// A C++ program that interposes its own MPI_Send and MPI_Barrier (the profiling interface),
// throws across blocking calls, and keeps its state in globals.
#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static int sends, barriers;
static std::vector<int> kept;

extern "C" int MPI_Send(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  ++sends;
  return PMPI_Send(buffer, count, type, dest, tag, comm);
}
extern "C" int MPI_Barrier(MPI_Comm comm) {
  ++barriers;
  return PMPI_Barrier(comm);
}

static void meet(int me, int size) {
  int value = me, other = -1;
  if (me % 2 == 0 && me + 1 < size) MPI_Send(&value, 1, MPI_INT, me + 1, 0, MPI_COMM_WORLD);
  if (me % 2 == 1) MPI_Recv(&other, 1, MPI_INT, me - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  kept.push_back(other);
  throw std::runtime_error("rank " + std::to_string(me));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < 3; ++round) {
    try {
      meet(me, size);
    } catch (const std::exception& error) {
      MPI_Barrier(MPI_COMM_WORLD);
      std::printf("%d caught %s\n", me, error.what());
    }
  }
  std::printf("%d sends %d barriers %d kept %d %d\n", me, sends, barriers, (int)kept.size(), kept[0]);
  MPI_Finalize();
  return 0;
}
