/* SPDX-License-Identifier: Apache-2.0
 * Calls whose numbers are known, for the statistics of MPI calls. Three sums over all ranks; rank 0 sends five messages, which
 * wait unexpected at rank 1 while it computes; it receives the last first, each in one test, and polls for a sixth. */
#include <mgen.h>

int main(int argc, char **argv) {
  char text[100] = "";
  MGEN_Init(&argc, &argv);
  int rank;
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  double mine = rank, sum;
  for (int i = 0; i < 3; ++i) MGEN_Allreduce(&mine, &sum, 1, MGEN_DOUBLE, MGEN_SUM, MGEN_COMM_WORLD);
  if (rank == 0) {
    for (int i = 0; i < 5; ++i) MGEN_Send(text, 100, MGEN_CHAR, 1, i, MGEN_COMM_WORLD);
    MGEN_Comp(0.0001);
    MGEN_Send(text, 0, MGEN_CHAR, 1, 9, MGEN_COMM_WORLD);
  }
  if (rank == 1) {
    MGEN_Request request, more[3];
    int flag;
    MGEN_Comp(0.00005);
    for (int i = 4; i >= 0; --i) {
      MGEN_Irecv(text, 100, MGEN_CHAR, 0, i, MGEN_COMM_WORLD, &request);
      MGEN_Test(&request, &flag, MGEN_STATUS_IGNORE);
    }
    for (int i = 0; i < 3; ++i) MGEN_Irecv(text, 100, MGEN_CHAR, 0, 9, MGEN_COMM_SELF, &more[i]);
    MGEN_Irecv(text, 0, MGEN_CHAR, 0, 9, MGEN_COMM_WORLD, &request);
    for (flag = 0; !flag;) MGEN_Test(&request, &flag, MGEN_STATUS_IGNORE);
    for (int i = 0; i < 3; ++i) MGEN_Send(text, 7, MGEN_CHAR, 0, 9, MGEN_COMM_SELF);
    MGEN_Waitall(3, more, MGEN_STATUSES_IGNORE);
  }
  MGEN_Finalize();
  return 0;
}
