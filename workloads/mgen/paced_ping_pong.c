/* SPDX-License-Identifier: Apache-2.0
   A ping-pong with pauses, as paper 002 (TraceRP), 3.4, checked sleeping links: a message goes from rank 0 to rank 1 and back,
   and then both pause. Sizes only; no data.

       psim-cc -O2 -o paced_ping_pong paced_ping_pong.c
       psim net -n 2 ./paced_ping_pong 2000 700 100        # bytes, pause in us, round trips
*/
#include <mgen.h>
#include <stdio.h>
#include <stdlib.h>

int MGEN_Main(int argc, char** argv) {
  MGEN_Init(&argc, &argv);
  int rank, ranks;
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  const int bytes = argc > 1 ? atoi(argv[1]) : 2000, trips = argc > 3 ? atoi(argv[3]) : 100;
  const double pause = argc > 2 ? 1e-6 * atof(argv[2]) : 1e-3;
  if (ranks != 2 || bytes < 1 || pause < 0 || trips < 2) {
    if (rank == 0) fprintf(stderr, "paced_ping_pong: needs two ranks, a size, a pause and two round trips\n");
    MGEN_Abort(MGEN_COMM_WORLD, 2);
  }
  double begin = 0, passing = 0;
  for (int trip = 0; trip < trips; ++trip) {
    MGEN_Comp(pause);
    const double start = MGEN_Wtime();
    if (trip == 1) begin = start, passing = 0; /* the first one starts with links that are awake */
    if (rank == 0) {
      MGEN_Send(NULL, bytes, MGEN_BYTE, 1, 0, MGEN_COMM_WORLD);
      MGEN_Recv(NULL, bytes, MGEN_BYTE, 1, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    } else {
      MGEN_Recv(NULL, bytes, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
      MGEN_Send(NULL, bytes, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD);
    }
    passing += MGEN_Wtime() - start;
  }
  if (rank == 0)
    printf("period %.6f us, round trip %.6f us\n", 1e6 * (MGEN_Wtime() - begin + pause) / (trips - 1), 1e6 * passing / (trips - 1));
  MGEN_Finalize();
  return 0;
}
