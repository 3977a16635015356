/* SPDX-License-Identifier: Apache-2.0
   The sample of paper 000 (NSIM-ACE), section 3.2, mended: each rank gets from its left neighbour and puts to its right
   one, and with rdma.put_ack = "program" acknowledges the put that it received. nsim_ace_printed.c is the sample to the
   letter; it compiles, but its size is never set.

       psim-cc -O2 -o nsim_ace_sample nsim_ace_sample.c
       psim net --machine infiniband_qdr -n 4 ./nsim_ace_sample 4        # bytes
*/
#include <mgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int MGEN_Main(int argc, char** argv) {
  int rank, size;
  const int bytes = argc > 1 ? atoi(argv[1]) : 4;
  MGEN_Request request;
  MGEN_Status status;
  t_NsimRoutingInfo info;
  memset(&info, 0, sizeof info);
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &size);
  const int right = (rank + 1) % size, left = (rank - 1 + size) % size;

  const double begin = MGEN_Wtime();
  MGEN_acp_handle handle = MGEN_acp_copy(left, rank, bytes);
  MGEN_acp_complete(handle);
  const double got = MGEN_Wtime();

  handle = MGEN_acp_copy(rank, right, bytes);
  MGEN_Recv(NULL, bytes, MGEN_BYTE, left, ACP_PUT_TAG, MGEN_COMM_WORLD, &status);
  LMGEN_Isend_acp_put_ctrl(left, MGEN_COMM_WORLD, &request, 0, &info);
  MGEN_acp_complete(handle);
  LMGEN_Wait_ctrl(&request, &status);
  const double put = MGEN_Wtime();
  if (rank == 0)
    printf("%d ranks, %d bytes: get %.6f us, put %.6f us\n", size, bytes, (got - begin) * 1e6, (put - got) * 1e6);
  return 0;
}
