/* SPDX-License-Identifier: Apache-2.0
   Ping-pong as an MGEN program: rank 0 and the last rank send a message back and forth, for sizes that double. Half the
   round trip is latency + size / bandwidth. Sizes only; no data.

       psim-cc -O2 -o ping_pong ping_pong.c
       psim net -n 2 ./ping_pong 1 1048576 10        # smallest and largest size in bytes, round trips of each
*/
#include <mgen.h>
#include <stdio.h>
#include <stdlib.h>

int MGEN_Main(int argc, char** argv) {
  MGEN_Init(&argc, &argv);
  int rank, ranks;
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  const int smallest = argc > 1 ? atoi(argv[1]) : 1, largest = argc > 2 ? atoi(argv[2]) : 1 << 20;
  const int trips = argc > 3 ? atoi(argv[3]) : 10;
  const int last = ranks - 1;
  if (ranks < 2 || smallest < 1 || trips < 1) {
    if (rank == 0) fprintf(stderr, "ping_pong: needs two ranks, a size and a round trip\n");
    MGEN_Abort(MGEN_COMM_WORLD, 2);
  }
  if (rank == 0) printf("ping-pong of ranks 0 and %d, %d round trips\n    bytes    us one way      MB/s\n", last, trips);
  for (long bytes = smallest; bytes <= largest; bytes *= 2) {
    const int size = (int)bytes;
    MGEN_Barrier(MGEN_COMM_WORLD);
    const double begin = MGEN_Wtime();
    for (int i = 0; i < trips; ++i) {
      if (rank == 0) {
        MGEN_Send(NULL, size, MGEN_BYTE, last, 0, MGEN_COMM_WORLD);
        MGEN_Recv(NULL, size, MGEN_BYTE, last, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
      } else if (rank == last) {
        MGEN_Recv(NULL, size, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
        MGEN_Send(NULL, size, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD);
      }
    }
    const double one_way = (MGEN_Wtime() - begin) / (2 * trips);
    if (rank == 0) printf("%9d %13.6f %9.1f\n", size, one_way * 1e6, size / one_way * 1e-6);
  }
  MGEN_Finalize();
  return 0;
}
