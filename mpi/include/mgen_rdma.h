/* SPDX-License-Identifier: Apache-2.0
 * Remote direct memory access in MGEN programs, after paper 000 (NSIM-ACE), section 3.2. The copies have sizes but
 * move no memory. Part of mgen.h.
 */
#ifndef PSIM_MGEN_RDMA_H
#define PSIM_MGEN_RDMA_H

#include "mpi.h"

typedef uint64_t MGEN_acp_handle;

/** Tag of MGEN_Recv, MGEN_Irecv and MGEN_Recv_init for receiving the notice of a put into this rank's memory. */
#define ACP_PUT_TAG (-4)

/** Routing of a packet, which NSIM-ACE programs can set. Here the configuration sets it: all zero. */
typedef struct {
  int psim_reserved[16];
} t_NsimRoutingInfo;

#ifdef __cplusplus
extern "C" {
#endif
/** Copies data_size bytes from the memory of one rank to that of another and returns at once: a put if the caller
    is src_rank, a get if it is dest_rank. Between two other ranks it makes src_rank put. */
MGEN_acp_handle MGEN_acp_copy(int src_rank, int dest_rank, int data_size);
/** Waits until this copy is complete. */
void MGEN_acp_complete(MGEN_acp_handle handle);
/** Sends rank dest the control packet of its oldest put that is under way to the caller, with rdma.put_ack =
    "program". Otherwise the network interface has sent it already, and nothing is sent. `zero` is 0, `info` all zero. */
int LMGEN_Isend_acp_put_ctrl(int dest, MPI_Comm comm, MPI_Request *request, int zero, t_NsimRoutingInfo *info);
/** Waits until the control packet is sent. */
int LMGEN_Wait_ctrl(MPI_Request *request, MPI_Status *status);
#ifdef __cplusplus
}
#endif

#ifdef PSIM_MGEN_H
/* The paper's sample omits the communicator: six arguments mean MGEN_COMM_WORLD. */
static inline int psim_recv_of_world(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Status *status) {
  return MGEN_Recv(buffer, count, type, source, tag, MPI_COMM_WORLD, status);
}
#define PSIM_EIGHTH(a, b, c, d, e, f, g, h, ...) h
#define MGEN_Recv(...)                                                                                    \
  PSIM_EIGHTH(__VA_ARGS__, MGEN_Recv, psim_recv_of_world, MGEN_Recv, MGEN_Recv, MGEN_Recv, MGEN_Recv, \
              MGEN_Recv, MGEN_Recv)                                                                       \
  (__VA_ARGS__)
#endif
#endif
