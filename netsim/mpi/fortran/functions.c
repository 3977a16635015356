/* SPDX-License-Identifier: Apache-2.0
 * Written by generate.py from mpi_functions.h. */
#include "netsim/mpi/fortran/binding.h"

FORTRAN(void, send, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error)) { answer(MPI_Send(buffer(a0), *a1, *a2, *a3, *a4, *a5), error); }
FORTRAN(void, recv, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Status *a6, MPI_Fint *error)) { answer(MPI_Recv(buffer(a0), *a1, *a2, *a3, *a4, *a5, status(a6)), error); }
FORTRAN(void, get_count, (const MPI_Status *a0, MPI_Datatype *a1, int *a2, MPI_Fint *error)) { answer(MPI_Get_count(a0, *a1, a2), error); }
FORTRAN(void, bsend, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error)) { answer(MPI_Bsend(buffer(a0), *a1, *a2, *a3, *a4, *a5), error); }
FORTRAN(void, ssend, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error)) { answer(MPI_Ssend(buffer(a0), *a1, *a2, *a3, *a4, *a5), error); }
FORTRAN(void, rsend, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error)) { answer(MPI_Rsend(buffer(a0), *a1, *a2, *a3, *a4, *a5), error); }
FORTRAN(void, buffer_attach, (void *a0, int *a1, MPI_Fint *error)) { answer(MPI_Buffer_attach(buffer(a0), *a1), error); }
FORTRAN(void, isend, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Isend(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, ibsend, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Ibsend(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, issend, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Issend(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, irsend, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Irsend(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, irecv, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Irecv(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, wait, (MPI_Request *a0, MPI_Status *a1, MPI_Fint *error)) { answer(MPI_Wait(a0, status(a1)), error); }
FORTRAN(void, test, (MPI_Request *a0, int *a1, MPI_Status *a2, MPI_Fint *error)) { answer(MPI_Test(a0, a1, status(a2)), error); }
FORTRAN(void, request_free, (MPI_Request *a0, MPI_Fint *error)) { answer(MPI_Request_free(a0), error); }
FORTRAN(void, waitall, (int *a0, MPI_Request *a1, MPI_Status *a2, MPI_Fint *error)) { answer(MPI_Waitall(*a0, a1, status(a2)), error); }
FORTRAN(void, testall, (int *a0, MPI_Request *a1, int *a2, MPI_Status *a3, MPI_Fint *error)) { answer(MPI_Testall(*a0, a1, a2, status(a3)), error); }
FORTRAN(void, request_get_status, (MPI_Request *a0, int *a1, MPI_Status *a2, MPI_Fint *error)) { answer(MPI_Request_get_status(*a0, a1, status(a2)), error); }
FORTRAN(void, iprobe, (int *a0, int *a1, MPI_Comm *a2, int *a3, MPI_Status *a4, MPI_Fint *error)) { answer(MPI_Iprobe(*a0, *a1, *a2, a3, status(a4)), error); }
FORTRAN(void, probe, (int *a0, int *a1, MPI_Comm *a2, MPI_Status *a3, MPI_Fint *error)) { answer(MPI_Probe(*a0, *a1, *a2, status(a3)), error); }
FORTRAN(void, improbe, (int *a0, int *a1, MPI_Comm *a2, int *a3, MPI_Message *a4, MPI_Status *a5, MPI_Fint *error)) { answer(MPI_Improbe(*a0, *a1, *a2, a3, a4, status(a5)), error); }
FORTRAN(void, mprobe, (int *a0, int *a1, MPI_Comm *a2, MPI_Message *a3, MPI_Status *a4, MPI_Fint *error)) { answer(MPI_Mprobe(*a0, *a1, *a2, a3, status(a4)), error); }
FORTRAN(void, imrecv, (void *a0, int *a1, MPI_Datatype *a2, MPI_Message *a3, MPI_Request *a4, MPI_Fint *error)) { answer(MPI_Imrecv(buffer(a0), *a1, *a2, a3, a4), error); }
FORTRAN(void, mrecv, (void *a0, int *a1, MPI_Datatype *a2, MPI_Message *a3, MPI_Status *a4, MPI_Fint *error)) { answer(MPI_Mrecv(buffer(a0), *a1, *a2, a3, status(a4)), error); }
FORTRAN(void, cancel, (MPI_Request *a0, MPI_Fint *error)) { answer(MPI_Cancel(a0), error); }
FORTRAN(void, test_cancelled, (const MPI_Status *a0, int *a1, MPI_Fint *error)) { answer(MPI_Test_cancelled(a0, a1), error); }
FORTRAN(void, send_init, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Send_init(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, bsend_init, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Bsend_init(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, ssend_init, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Ssend_init(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, rsend_init, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Rsend_init(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, recv_init, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Recv_init(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, start, (MPI_Request *a0, MPI_Fint *error)) { answer(MPI_Start(a0), error); }
FORTRAN(void, startall, (int *a0, MPI_Request *a1, MPI_Fint *error)) { answer(MPI_Startall(*a0, a1), error); }
FORTRAN(void, sendrecv, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, void *a5, int *a6, MPI_Datatype *a7, int *a8, int *a9, MPI_Comm *a10, MPI_Status *a11, MPI_Fint *error)) { answer(MPI_Sendrecv(buffer(a0), *a1, *a2, *a3, *a4, buffer(a5), *a6, *a7, *a8, *a9, *a10, status(a11)), error); }
FORTRAN(void, sendrecv_replace, (void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, int *a5, int *a6, MPI_Comm *a7, MPI_Status *a8, MPI_Fint *error)) { answer(MPI_Sendrecv_replace(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7, status(a8)), error); }
FORTRAN(void, type_contiguous, (int *a0, MPI_Datatype *a1, MPI_Datatype *a2, MPI_Fint *error)) { answer(MPI_Type_contiguous(*a0, *a1, a2), error); }
FORTRAN(void, type_vector, (int *a0, int *a1, int *a2, MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error)) { answer(MPI_Type_vector(*a0, *a1, *a2, *a3, a4), error); }
FORTRAN(void, type_create_hvector, (int *a0, int *a1, MPI_Aint *a2, MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error)) { answer(MPI_Type_create_hvector(*a0, *a1, *a2, *a3, a4), error); }
FORTRAN(void, type_indexed, (int *a0, const int *a1, const int *a2, MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error)) { answer(MPI_Type_indexed(*a0, a1, a2, *a3, a4), error); }
FORTRAN(void, type_create_hindexed, (int *a0, const int *a1, const MPI_Aint *a2, MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error)) { answer(MPI_Type_create_hindexed(*a0, a1, a2, *a3, a4), error); }
FORTRAN(void, type_create_indexed_block, (int *a0, int *a1, const int *a2, MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error)) { answer(MPI_Type_create_indexed_block(*a0, *a1, a2, *a3, a4), error); }
FORTRAN(void, type_create_hindexed_block, (int *a0, int *a1, const MPI_Aint *a2, MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error)) { answer(MPI_Type_create_hindexed_block(*a0, *a1, a2, *a3, a4), error); }
FORTRAN(void, type_create_struct, (int *a0, const int *a1, const MPI_Aint *a2, const MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error)) { answer(MPI_Type_create_struct(*a0, a1, a2, a3, a4), error); }
FORTRAN(void, type_create_subarray, (int *a0, const int *a1, const int *a2, const int *a3, int *a4, MPI_Datatype *a5, MPI_Datatype *a6, MPI_Fint *error)) { answer(MPI_Type_create_subarray(*a0, a1, a2, a3, *a4, *a5, a6), error); }
FORTRAN(void, type_create_darray, (int *a0, int *a1, int *a2, const int *a3, const int *a4, const int *a5, const int *a6, int *a7, MPI_Datatype *a8, MPI_Datatype *a9, MPI_Fint *error)) { answer(MPI_Type_create_darray(*a0, *a1, *a2, a3, a4, a5, a6, *a7, *a8, a9), error); }
FORTRAN(void, get_address, (void *a0, MPI_Aint *a1, MPI_Fint *error)) { answer(MPI_Get_address(buffer(a0), a1), error); }
FORTRAN(MPI_Aint, aint_add, (MPI_Aint *a0, MPI_Aint *a1)) { return MPI_Aint_add(*a0, *a1); }
FORTRAN(MPI_Aint, aint_diff, (MPI_Aint *a0, MPI_Aint *a1)) { return MPI_Aint_diff(*a0, *a1); }
FORTRAN(void, type_size, (MPI_Datatype *a0, int *a1, MPI_Fint *error)) { answer(MPI_Type_size(*a0, a1), error); }
FORTRAN(void, type_size_x, (MPI_Datatype *a0, MPI_Count *a1, MPI_Fint *error)) { answer(MPI_Type_size_x(*a0, a1), error); }
FORTRAN(void, type_get_extent, (MPI_Datatype *a0, MPI_Aint *a1, MPI_Aint *a2, MPI_Fint *error)) { answer(MPI_Type_get_extent(*a0, a1, a2), error); }
FORTRAN(void, type_get_extent_x, (MPI_Datatype *a0, MPI_Count *a1, MPI_Count *a2, MPI_Fint *error)) { answer(MPI_Type_get_extent_x(*a0, a1, a2), error); }
FORTRAN(void, type_create_resized, (MPI_Datatype *a0, MPI_Aint *a1, MPI_Aint *a2, MPI_Datatype *a3, MPI_Fint *error)) { answer(MPI_Type_create_resized(*a0, *a1, *a2, a3), error); }
FORTRAN(void, type_get_true_extent, (MPI_Datatype *a0, MPI_Aint *a1, MPI_Aint *a2, MPI_Fint *error)) { answer(MPI_Type_get_true_extent(*a0, a1, a2), error); }
FORTRAN(void, type_get_true_extent_x, (MPI_Datatype *a0, MPI_Count *a1, MPI_Count *a2, MPI_Fint *error)) { answer(MPI_Type_get_true_extent_x(*a0, a1, a2), error); }
FORTRAN(void, type_commit, (MPI_Datatype *a0, MPI_Fint *error)) { answer(MPI_Type_commit(a0), error); }
FORTRAN(void, type_free, (MPI_Datatype *a0, MPI_Fint *error)) { answer(MPI_Type_free(a0), error); }
FORTRAN(void, type_dup, (MPI_Datatype *a0, MPI_Datatype *a1, MPI_Fint *error)) { answer(MPI_Type_dup(*a0, a1), error); }
FORTRAN(void, get_elements, (const MPI_Status *a0, MPI_Datatype *a1, int *a2, MPI_Fint *error)) { answer(MPI_Get_elements(a0, *a1, a2), error); }
FORTRAN(void, get_elements_x, (const MPI_Status *a0, MPI_Datatype *a1, MPI_Count *a2, MPI_Fint *error)) { answer(MPI_Get_elements_x(a0, *a1, a2), error); }
FORTRAN(void, type_get_envelope, (MPI_Datatype *a0, int *a1, int *a2, int *a3, int *a4, MPI_Fint *error)) { answer(MPI_Type_get_envelope(*a0, a1, a2, a3, a4), error); }
FORTRAN(void, type_get_contents, (MPI_Datatype *a0, int *a1, int *a2, int *a3, int *a4, MPI_Aint *a5, MPI_Datatype *a6, MPI_Fint *error)) { answer(MPI_Type_get_contents(*a0, *a1, *a2, *a3, a4, a5, a6), error); }
FORTRAN(void, pack, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, int *a5, MPI_Comm *a6, MPI_Fint *error)) { answer(MPI_Pack(buffer(a0), *a1, *a2, buffer(a3), *a4, a5, *a6), error); }
FORTRAN(void, unpack, (void *a0, int *a1, int *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Fint *error)) { answer(MPI_Unpack(buffer(a0), *a1, a2, buffer(a3), *a4, *a5, *a6), error); }
FORTRAN(void, pack_size, (int *a0, MPI_Datatype *a1, MPI_Comm *a2, int *a3, MPI_Fint *error)) { answer(MPI_Pack_size(*a0, *a1, *a2, a3), error); }
FORTRAN(void, barrier, (MPI_Comm *a0, MPI_Fint *error)) { answer(MPI_Barrier(*a0), error); }
FORTRAN(void, bcast, (void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Comm *a4, MPI_Fint *error)) { answer(MPI_Bcast(buffer(a0), *a1, *a2, *a3, *a4), error); }
FORTRAN(void, gather, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, int *a6, MPI_Comm *a7, MPI_Fint *error)) { answer(MPI_Gather(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, *a7), error); }
FORTRAN(void, gatherv, (void *a0, int *a1, MPI_Datatype *a2, void *a3, const int *a4, const int *a5, MPI_Datatype *a6, int *a7, MPI_Comm *a8, MPI_Fint *error)) { answer(MPI_Gatherv(buffer(a0), *a1, *a2, buffer(a3), a4, a5, *a6, *a7, *a8), error); }
FORTRAN(void, scatter, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, int *a6, MPI_Comm *a7, MPI_Fint *error)) { answer(MPI_Scatter(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, *a7), error); }
FORTRAN(void, scatterv, (void *a0, const int *a1, const int *a2, MPI_Datatype *a3, void *a4, int *a5, MPI_Datatype *a6, int *a7, MPI_Comm *a8, MPI_Fint *error)) { answer(MPI_Scatterv(buffer(a0), a1, a2, *a3, buffer(a4), *a5, *a6, *a7, *a8), error); }
FORTRAN(void, allgather, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Fint *error)) { answer(MPI_Allgather(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6), error); }
FORTRAN(void, allgatherv, (void *a0, int *a1, MPI_Datatype *a2, void *a3, const int *a4, const int *a5, MPI_Datatype *a6, MPI_Comm *a7, MPI_Fint *error)) { answer(MPI_Allgatherv(buffer(a0), *a1, *a2, buffer(a3), a4, a5, *a6, *a7), error); }
FORTRAN(void, alltoall, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Fint *error)) { answer(MPI_Alltoall(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6), error); }
FORTRAN(void, alltoallv, (void *a0, const int *a1, const int *a2, MPI_Datatype *a3, void *a4, const int *a5, const int *a6, MPI_Datatype *a7, MPI_Comm *a8, MPI_Fint *error)) { answer(MPI_Alltoallv(buffer(a0), a1, a2, *a3, buffer(a4), a5, a6, *a7, *a8), error); }
FORTRAN(void, alltoallw, (void *a0, const int *a1, const int *a2, const MPI_Datatype *a3, void *a4, const int *a5, const int *a6, const MPI_Datatype *a7, MPI_Comm *a8, MPI_Fint *error)) { answer(MPI_Alltoallw(buffer(a0), a1, a2, a3, buffer(a4), a5, a6, a7, *a8), error); }
FORTRAN(void, reduce, (void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, int *a5, MPI_Comm *a6, MPI_Fint *error)) { answer(MPI_Reduce(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, *a6), error); }
FORTRAN(void, op_create, (MPI_User_function *a0, int *a1, MPI_Op *a2, MPI_Fint *error)) { answer(MPI_Op_create(a0, *a1, a2), error); }
FORTRAN(void, op_free, (MPI_Op *a0, MPI_Fint *error)) { answer(MPI_Op_free(a0), error); }
FORTRAN(void, op_commutative, (MPI_Op *a0, int *a1, MPI_Fint *error)) { answer(MPI_Op_commutative(*a0, a1), error); }
FORTRAN(void, allreduce, (void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Fint *error)) { answer(MPI_Allreduce(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5), error); }
FORTRAN(void, reduce_local, (void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Fint *error)) { answer(MPI_Reduce_local(buffer(a0), buffer(a1), *a2, *a3, *a4), error); }
FORTRAN(void, reduce_scatter_block, (void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Fint *error)) { answer(MPI_Reduce_scatter_block(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5), error); }
FORTRAN(void, reduce_scatter, (void *a0, void *a1, const int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Fint *error)) { answer(MPI_Reduce_scatter(buffer(a0), buffer(a1), a2, *a3, *a4, *a5), error); }
FORTRAN(void, scan, (void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Fint *error)) { answer(MPI_Scan(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5), error); }
FORTRAN(void, exscan, (void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Fint *error)) { answer(MPI_Exscan(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5), error); }
FORTRAN(void, ibarrier, (MPI_Comm *a0, MPI_Request *a1, MPI_Fint *error)) { answer(MPI_Ibarrier(*a0, a1), error); }
FORTRAN(void, ibcast, (void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Comm *a4, MPI_Request *a5, MPI_Fint *error)) { answer(MPI_Ibcast(buffer(a0), *a1, *a2, *a3, *a4, a5), error); }
FORTRAN(void, igather, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, int *a6, MPI_Comm *a7, MPI_Request *a8, MPI_Fint *error)) { answer(MPI_Igather(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, *a7, a8), error); }
FORTRAN(void, igatherv, (void *a0, int *a1, MPI_Datatype *a2, void *a3, const int *a4, const int *a5, MPI_Datatype *a6, int *a7, MPI_Comm *a8, MPI_Request *a9, MPI_Fint *error)) { answer(MPI_Igatherv(buffer(a0), *a1, *a2, buffer(a3), a4, a5, *a6, *a7, *a8, a9), error); }
FORTRAN(void, iscatter, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, int *a6, MPI_Comm *a7, MPI_Request *a8, MPI_Fint *error)) { answer(MPI_Iscatter(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, *a7, a8), error); }
FORTRAN(void, iscatterv, (void *a0, const int *a1, const int *a2, MPI_Datatype *a3, void *a4, int *a5, MPI_Datatype *a6, int *a7, MPI_Comm *a8, MPI_Request *a9, MPI_Fint *error)) { answer(MPI_Iscatterv(buffer(a0), a1, a2, *a3, buffer(a4), *a5, *a6, *a7, *a8, a9), error); }
FORTRAN(void, iallgather, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Request *a7, MPI_Fint *error)) { answer(MPI_Iallgather(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, a7), error); }
FORTRAN(void, iallgatherv, (void *a0, int *a1, MPI_Datatype *a2, void *a3, const int *a4, const int *a5, MPI_Datatype *a6, MPI_Comm *a7, MPI_Request *a8, MPI_Fint *error)) { answer(MPI_Iallgatherv(buffer(a0), *a1, *a2, buffer(a3), a4, a5, *a6, *a7, a8), error); }
FORTRAN(void, ialltoall, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Request *a7, MPI_Fint *error)) { answer(MPI_Ialltoall(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, a7), error); }
FORTRAN(void, ialltoallv, (void *a0, const int *a1, const int *a2, MPI_Datatype *a3, void *a4, const int *a5, const int *a6, MPI_Datatype *a7, MPI_Comm *a8, MPI_Request *a9, MPI_Fint *error)) { answer(MPI_Ialltoallv(buffer(a0), a1, a2, *a3, buffer(a4), a5, a6, *a7, *a8, a9), error); }
FORTRAN(void, ialltoallw, (void *a0, const int *a1, const int *a2, const MPI_Datatype *a3, void *a4, const int *a5, const int *a6, const MPI_Datatype *a7, MPI_Comm *a8, MPI_Request *a9, MPI_Fint *error)) { answer(MPI_Ialltoallw(buffer(a0), a1, a2, a3, buffer(a4), a5, a6, a7, *a8, a9), error); }
FORTRAN(void, ireduce, (void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, int *a5, MPI_Comm *a6, MPI_Request *a7, MPI_Fint *error)) { answer(MPI_Ireduce(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, *a6, a7), error); }
FORTRAN(void, iallreduce, (void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Iallreduce(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, ireduce_scatter_block, (void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Ireduce_scatter_block(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, ireduce_scatter, (void *a0, void *a1, const int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Ireduce_scatter(buffer(a0), buffer(a1), a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, iscan, (void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Iscan(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, iexscan, (void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error)) { answer(MPI_Iexscan(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, a6), error); }
FORTRAN(void, group_size, (MPI_Group *a0, int *a1, MPI_Fint *error)) { answer(MPI_Group_size(*a0, a1), error); }
FORTRAN(void, group_rank, (MPI_Group *a0, int *a1, MPI_Fint *error)) { answer(MPI_Group_rank(*a0, a1), error); }
FORTRAN(void, group_translate_ranks, (MPI_Group *a0, int *a1, const int *a2, MPI_Group *a3, int *a4, MPI_Fint *error)) { answer(MPI_Group_translate_ranks(*a0, *a1, a2, *a3, a4), error); }
FORTRAN(void, group_compare, (MPI_Group *a0, MPI_Group *a1, int *a2, MPI_Fint *error)) { answer(MPI_Group_compare(*a0, *a1, a2), error); }
FORTRAN(void, comm_group, (MPI_Comm *a0, MPI_Group *a1, MPI_Fint *error)) { answer(MPI_Comm_group(*a0, a1), error); }
FORTRAN(void, group_union, (MPI_Group *a0, MPI_Group *a1, MPI_Group *a2, MPI_Fint *error)) { answer(MPI_Group_union(*a0, *a1, a2), error); }
FORTRAN(void, group_intersection, (MPI_Group *a0, MPI_Group *a1, MPI_Group *a2, MPI_Fint *error)) { answer(MPI_Group_intersection(*a0, *a1, a2), error); }
FORTRAN(void, group_difference, (MPI_Group *a0, MPI_Group *a1, MPI_Group *a2, MPI_Fint *error)) { answer(MPI_Group_difference(*a0, *a1, a2), error); }
FORTRAN(void, group_incl, (MPI_Group *a0, int *a1, const int *a2, MPI_Group *a3, MPI_Fint *error)) { answer(MPI_Group_incl(*a0, *a1, a2, a3), error); }
FORTRAN(void, group_excl, (MPI_Group *a0, int *a1, const int *a2, MPI_Group *a3, MPI_Fint *error)) { answer(MPI_Group_excl(*a0, *a1, a2, a3), error); }
FORTRAN(void, group_range_incl, (MPI_Group *a0, int *a1, int (*a2)[3], MPI_Group *a3, MPI_Fint *error)) { answer(MPI_Group_range_incl(*a0, *a1, a2, a3), error); }
FORTRAN(void, group_range_excl, (MPI_Group *a0, int *a1, int (*a2)[3], MPI_Group *a3, MPI_Fint *error)) { answer(MPI_Group_range_excl(*a0, *a1, a2, a3), error); }
FORTRAN(void, group_free, (MPI_Group *a0, MPI_Fint *error)) { answer(MPI_Group_free(a0), error); }
FORTRAN(void, comm_size, (MPI_Comm *a0, int *a1, MPI_Fint *error)) { answer(MPI_Comm_size(*a0, a1), error); }
FORTRAN(void, comm_rank, (MPI_Comm *a0, int *a1, MPI_Fint *error)) { answer(MPI_Comm_rank(*a0, a1), error); }
FORTRAN(void, comm_compare, (MPI_Comm *a0, MPI_Comm *a1, int *a2, MPI_Fint *error)) { answer(MPI_Comm_compare(*a0, *a1, a2), error); }
FORTRAN(void, comm_dup, (MPI_Comm *a0, MPI_Comm *a1, MPI_Fint *error)) { answer(MPI_Comm_dup(*a0, a1), error); }
FORTRAN(void, comm_dup_with_info, (MPI_Comm *a0, MPI_Info *a1, MPI_Comm *a2, MPI_Fint *error)) { answer(MPI_Comm_dup_with_info(*a0, *a1, a2), error); }
FORTRAN(void, comm_idup, (MPI_Comm *a0, MPI_Comm *a1, MPI_Request *a2, MPI_Fint *error)) { answer(MPI_Comm_idup(*a0, a1, a2), error); }
FORTRAN(void, comm_create, (MPI_Comm *a0, MPI_Group *a1, MPI_Comm *a2, MPI_Fint *error)) { answer(MPI_Comm_create(*a0, *a1, a2), error); }
FORTRAN(void, comm_create_group, (MPI_Comm *a0, MPI_Group *a1, int *a2, MPI_Comm *a3, MPI_Fint *error)) { answer(MPI_Comm_create_group(*a0, *a1, *a2, a3), error); }
FORTRAN(void, comm_split, (MPI_Comm *a0, int *a1, int *a2, MPI_Comm *a3, MPI_Fint *error)) { answer(MPI_Comm_split(*a0, *a1, *a2, a3), error); }
FORTRAN(void, comm_split_type, (MPI_Comm *a0, int *a1, int *a2, MPI_Info *a3, MPI_Comm *a4, MPI_Fint *error)) { answer(MPI_Comm_split_type(*a0, *a1, *a2, *a3, a4), error); }
FORTRAN(void, comm_free, (MPI_Comm *a0, MPI_Fint *error)) { answer(MPI_Comm_free(a0), error); }
FORTRAN(void, comm_set_info, (MPI_Comm *a0, MPI_Info *a1, MPI_Fint *error)) { answer(MPI_Comm_set_info(*a0, *a1), error); }
FORTRAN(void, comm_get_info, (MPI_Comm *a0, MPI_Info *a1, MPI_Fint *error)) { answer(MPI_Comm_get_info(*a0, a1), error); }
FORTRAN(void, comm_test_inter, (MPI_Comm *a0, int *a1, MPI_Fint *error)) { answer(MPI_Comm_test_inter(*a0, a1), error); }
FORTRAN(void, comm_remote_size, (MPI_Comm *a0, int *a1, MPI_Fint *error)) { answer(MPI_Comm_remote_size(*a0, a1), error); }
FORTRAN(void, comm_remote_group, (MPI_Comm *a0, MPI_Group *a1, MPI_Fint *error)) { answer(MPI_Comm_remote_group(*a0, a1), error); }
FORTRAN(void, intercomm_create, (MPI_Comm *a0, int *a1, MPI_Comm *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error)) { answer(MPI_Intercomm_create(*a0, *a1, *a2, *a3, *a4, a5), error); }
FORTRAN(void, intercomm_merge, (MPI_Comm *a0, int *a1, MPI_Comm *a2, MPI_Fint *error)) { answer(MPI_Intercomm_merge(*a0, *a1, a2), error); }
FORTRAN(void, comm_free_keyval, (int *a0, MPI_Fint *error)) { answer(MPI_Comm_free_keyval(a0), error); }
FORTRAN(void, comm_delete_attr, (MPI_Comm *a0, int *a1, MPI_Fint *error)) { answer(MPI_Comm_delete_attr(*a0, *a1), error); }
FORTRAN(void, win_free_keyval, (int *a0, MPI_Fint *error)) { answer(MPI_Win_free_keyval(a0), error); }
FORTRAN(void, win_delete_attr, (MPI_Win *a0, int *a1, MPI_Fint *error)) { answer(MPI_Win_delete_attr(*a0, *a1), error); }
FORTRAN(void, type_free_keyval, (int *a0, MPI_Fint *error)) { answer(MPI_Type_free_keyval(a0), error); }
FORTRAN(void, type_delete_attr, (MPI_Datatype *a0, int *a1, MPI_Fint *error)) { answer(MPI_Type_delete_attr(*a0, *a1), error); }
FORTRAN(void, cart_create, (MPI_Comm *a0, int *a1, const int *a2, const int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error)) { answer(MPI_Cart_create(*a0, *a1, a2, a3, *a4, a5), error); }
FORTRAN(void, dims_create, (int *a0, int *a1, int *a2, MPI_Fint *error)) { answer(MPI_Dims_create(*a0, *a1, a2), error); }
FORTRAN(void, graph_create, (MPI_Comm *a0, int *a1, const int *a2, const int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error)) { answer(MPI_Graph_create(*a0, *a1, a2, a3, *a4, a5), error); }
FORTRAN(void, dist_graph_create_adjacent, (MPI_Comm *a0, int *a1, int *a2, int *a3, int *a4, int *a5, int *a6, MPI_Info *a7, int *a8, MPI_Comm *a9, MPI_Fint *error)) { answer(MPI_Dist_graph_create_adjacent(*a0, *a1, weights(a2), weights(a3), *a4, weights(a5), weights(a6), *a7, *a8, a9), error); }
FORTRAN(void, dist_graph_create, (MPI_Comm *a0, int *a1, int *a2, int *a3, int *a4, int *a5, MPI_Info *a6, int *a7, MPI_Comm *a8, MPI_Fint *error)) { answer(MPI_Dist_graph_create(*a0, *a1, weights(a2), weights(a3), weights(a4), weights(a5), *a6, *a7, a8), error); }
FORTRAN(void, topo_test, (MPI_Comm *a0, int *a1, MPI_Fint *error)) { answer(MPI_Topo_test(*a0, a1), error); }
FORTRAN(void, graphdims_get, (MPI_Comm *a0, int *a1, int *a2, MPI_Fint *error)) { answer(MPI_Graphdims_get(*a0, a1, a2), error); }
FORTRAN(void, graph_get, (MPI_Comm *a0, int *a1, int *a2, int *a3, int *a4, MPI_Fint *error)) { answer(MPI_Graph_get(*a0, *a1, *a2, a3, a4), error); }
FORTRAN(void, cartdim_get, (MPI_Comm *a0, int *a1, MPI_Fint *error)) { answer(MPI_Cartdim_get(*a0, a1), error); }
FORTRAN(void, cart_get, (MPI_Comm *a0, int *a1, int *a2, int *a3, int *a4, MPI_Fint *error)) { answer(MPI_Cart_get(*a0, *a1, a2, a3, a4), error); }
FORTRAN(void, cart_rank, (MPI_Comm *a0, const int *a1, int *a2, MPI_Fint *error)) { answer(MPI_Cart_rank(*a0, a1, a2), error); }
FORTRAN(void, cart_coords, (MPI_Comm *a0, int *a1, int *a2, int *a3, MPI_Fint *error)) { answer(MPI_Cart_coords(*a0, *a1, *a2, a3), error); }
FORTRAN(void, graph_neighbors_count, (MPI_Comm *a0, int *a1, int *a2, MPI_Fint *error)) { answer(MPI_Graph_neighbors_count(*a0, *a1, a2), error); }
FORTRAN(void, graph_neighbors, (MPI_Comm *a0, int *a1, int *a2, int *a3, MPI_Fint *error)) { answer(MPI_Graph_neighbors(*a0, *a1, *a2, a3), error); }
FORTRAN(void, dist_graph_neighbors_count, (MPI_Comm *a0, int *a1, int *a2, int *a3, MPI_Fint *error)) { answer(MPI_Dist_graph_neighbors_count(*a0, weights(a1), weights(a2), weights(a3)), error); }
FORTRAN(void, dist_graph_neighbors, (MPI_Comm *a0, int *a1, int *a2, int *a3, int *a4, int *a5, int *a6, MPI_Fint *error)) { answer(MPI_Dist_graph_neighbors(*a0, *a1, weights(a2), weights(a3), *a4, weights(a5), weights(a6)), error); }
FORTRAN(void, cart_shift, (MPI_Comm *a0, int *a1, int *a2, int *a3, int *a4, MPI_Fint *error)) { answer(MPI_Cart_shift(*a0, *a1, *a2, a3, a4), error); }
FORTRAN(void, cart_sub, (MPI_Comm *a0, const int *a1, MPI_Comm *a2, MPI_Fint *error)) { answer(MPI_Cart_sub(*a0, a1, a2), error); }
FORTRAN(void, cart_map, (MPI_Comm *a0, int *a1, const int *a2, const int *a3, int *a4, MPI_Fint *error)) { answer(MPI_Cart_map(*a0, *a1, a2, a3, a4), error); }
FORTRAN(void, graph_map, (MPI_Comm *a0, int *a1, const int *a2, const int *a3, int *a4, MPI_Fint *error)) { answer(MPI_Graph_map(*a0, *a1, a2, a3, a4), error); }
FORTRAN(void, neighbor_allgather, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Fint *error)) { answer(MPI_Neighbor_allgather(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6), error); }
FORTRAN(void, neighbor_allgatherv, (void *a0, int *a1, MPI_Datatype *a2, void *a3, const int *a4, const int *a5, MPI_Datatype *a6, MPI_Comm *a7, MPI_Fint *error)) { answer(MPI_Neighbor_allgatherv(buffer(a0), *a1, *a2, buffer(a3), a4, a5, *a6, *a7), error); }
FORTRAN(void, neighbor_alltoall, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Fint *error)) { answer(MPI_Neighbor_alltoall(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6), error); }
FORTRAN(void, neighbor_alltoallv, (void *a0, const int *a1, const int *a2, MPI_Datatype *a3, void *a4, const int *a5, const int *a6, MPI_Datatype *a7, MPI_Comm *a8, MPI_Fint *error)) { answer(MPI_Neighbor_alltoallv(buffer(a0), a1, a2, *a3, buffer(a4), a5, a6, *a7, *a8), error); }
FORTRAN(void, neighbor_alltoallw, (void *a0, const int *a1, const MPI_Aint *a2, const MPI_Datatype *a3, void *a4, const int *a5, const MPI_Aint *a6, const MPI_Datatype *a7, MPI_Comm *a8, MPI_Fint *error)) { answer(MPI_Neighbor_alltoallw(buffer(a0), a1, a2, a3, buffer(a4), a5, a6, a7, *a8), error); }
FORTRAN(void, ineighbor_allgather, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Request *a7, MPI_Fint *error)) { answer(MPI_Ineighbor_allgather(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, a7), error); }
FORTRAN(void, ineighbor_allgatherv, (void *a0, int *a1, MPI_Datatype *a2, void *a3, const int *a4, const int *a5, MPI_Datatype *a6, MPI_Comm *a7, MPI_Request *a8, MPI_Fint *error)) { answer(MPI_Ineighbor_allgatherv(buffer(a0), *a1, *a2, buffer(a3), a4, a5, *a6, *a7, a8), error); }
FORTRAN(void, ineighbor_alltoall, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Request *a7, MPI_Fint *error)) { answer(MPI_Ineighbor_alltoall(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, a7), error); }
FORTRAN(void, ineighbor_alltoallv, (void *a0, const int *a1, const int *a2, MPI_Datatype *a3, void *a4, const int *a5, const int *a6, MPI_Datatype *a7, MPI_Comm *a8, MPI_Request *a9, MPI_Fint *error)) { answer(MPI_Ineighbor_alltoallv(buffer(a0), a1, a2, *a3, buffer(a4), a5, a6, *a7, *a8, a9), error); }
FORTRAN(void, ineighbor_alltoallw, (void *a0, const int *a1, const MPI_Aint *a2, const MPI_Datatype *a3, void *a4, const int *a5, const MPI_Aint *a6, const MPI_Datatype *a7, MPI_Comm *a8, MPI_Request *a9, MPI_Fint *error)) { answer(MPI_Ineighbor_alltoallw(buffer(a0), a1, a2, a3, buffer(a4), a5, a6, a7, *a8, a9), error); }
FORTRAN(void, get_version, (int *a0, int *a1, MPI_Fint *error)) { answer(MPI_Get_version(a0, a1), error); }
FORTRAN(void, alloc_mem, (MPI_Aint *a0, MPI_Info *a1, void *a2, MPI_Fint *error)) { answer(MPI_Alloc_mem(*a0, *a1, buffer(a2)), error); }
FORTRAN(void, free_mem, (void *a0, MPI_Fint *error)) { answer(MPI_Free_mem(buffer(a0)), error); }
FORTRAN(void, comm_create_errhandler, (MPI_Comm_errhandler_function *a0, MPI_Errhandler *a1, MPI_Fint *error)) { answer(MPI_Comm_create_errhandler(a0, a1), error); }
FORTRAN(void, comm_set_errhandler, (MPI_Comm *a0, MPI_Errhandler *a1, MPI_Fint *error)) { answer(MPI_Comm_set_errhandler(*a0, *a1), error); }
FORTRAN(void, comm_get_errhandler, (MPI_Comm *a0, MPI_Errhandler *a1, MPI_Fint *error)) { answer(MPI_Comm_get_errhandler(*a0, a1), error); }
FORTRAN(void, win_create_errhandler, (MPI_Win_errhandler_function *a0, MPI_Errhandler *a1, MPI_Fint *error)) { answer(MPI_Win_create_errhandler(a0, a1), error); }
FORTRAN(void, win_set_errhandler, (MPI_Win *a0, MPI_Errhandler *a1, MPI_Fint *error)) { answer(MPI_Win_set_errhandler(*a0, *a1), error); }
FORTRAN(void, win_get_errhandler, (MPI_Win *a0, MPI_Errhandler *a1, MPI_Fint *error)) { answer(MPI_Win_get_errhandler(*a0, a1), error); }
FORTRAN(void, errhandler_free, (MPI_Errhandler *a0, MPI_Fint *error)) { answer(MPI_Errhandler_free(a0), error); }
FORTRAN(void, error_class, (int *a0, int *a1, MPI_Fint *error)) { answer(MPI_Error_class(*a0, a1), error); }
FORTRAN(void, add_error_class, (int *a0, MPI_Fint *error)) { answer(MPI_Add_error_class(a0), error); }
FORTRAN(void, add_error_code, (int *a0, int *a1, MPI_Fint *error)) { answer(MPI_Add_error_code(*a0, a1), error); }
FORTRAN(void, comm_call_errhandler, (MPI_Comm *a0, int *a1, MPI_Fint *error)) { answer(MPI_Comm_call_errhandler(*a0, *a1), error); }
FORTRAN(void, win_call_errhandler, (MPI_Win *a0, int *a1, MPI_Fint *error)) { answer(MPI_Win_call_errhandler(*a0, *a1), error); }
FORTRAN(void, file_create_errhandler, (MPI_File_errhandler_function *a0, MPI_Errhandler *a1, MPI_Fint *error)) { answer(MPI_File_create_errhandler(a0, a1), error); }
FORTRAN(void, file_set_errhandler, (MPI_File *a0, MPI_Errhandler *a1, MPI_Fint *error)) { answer(MPI_File_set_errhandler(*a0, *a1), error); }
FORTRAN(void, file_get_errhandler, (MPI_File *a0, MPI_Errhandler *a1, MPI_Fint *error)) { answer(MPI_File_get_errhandler(*a0, a1), error); }
FORTRAN(void, file_call_errhandler, (MPI_File *a0, int *a1, MPI_Fint *error)) { answer(MPI_File_call_errhandler(*a0, *a1), error); }
FORTRAN(double, wtime, (void)) { return MPI_Wtime(); }
FORTRAN(double, wtick, (void)) { return MPI_Wtick(); }
FORTRAN(void, finalize, (MPI_Fint *error)) { answer(MPI_Finalize(), error); }
FORTRAN(void, initialized, (int *a0, MPI_Fint *error)) { answer(MPI_Initialized(a0), error); }
FORTRAN(void, abort, (MPI_Comm *a0, int *a1, MPI_Fint *error)) { answer(MPI_Abort(*a0, *a1), error); }
FORTRAN(void, finalized, (int *a0, MPI_Fint *error)) { answer(MPI_Finalized(a0), error); }
FORTRAN(void, info_create, (MPI_Info *a0, MPI_Fint *error)) { answer(MPI_Info_create(a0), error); }
FORTRAN(void, info_get_nkeys, (MPI_Info *a0, int *a1, MPI_Fint *error)) { answer(MPI_Info_get_nkeys(*a0, a1), error); }
FORTRAN(void, info_dup, (MPI_Info *a0, MPI_Info *a1, MPI_Fint *error)) { answer(MPI_Info_dup(*a0, a1), error); }
FORTRAN(void, info_free, (MPI_Info *a0, MPI_Fint *error)) { answer(MPI_Info_free(a0), error); }
FORTRAN(void, comm_get_parent, (MPI_Comm *a0, MPI_Fint *error)) { answer(MPI_Comm_get_parent(a0), error); }
FORTRAN(void, comm_join, (int *a0, MPI_Comm *a1, MPI_Fint *error)) { answer(MPI_Comm_join(*a0, a1), error); }
FORTRAN(void, comm_disconnect, (MPI_Comm *a0, MPI_Fint *error)) { answer(MPI_Comm_disconnect(a0), error); }
FORTRAN(void, win_create, (void *a0, MPI_Aint *a1, int *a2, MPI_Info *a3, MPI_Comm *a4, MPI_Win *a5, MPI_Fint *error)) { answer(MPI_Win_create(buffer(a0), *a1, *a2, *a3, *a4, a5), error); }
FORTRAN(void, win_allocate, (MPI_Aint *a0, int *a1, MPI_Info *a2, MPI_Comm *a3, void *a4, MPI_Win *a5, MPI_Fint *error)) { answer(MPI_Win_allocate(*a0, *a1, *a2, *a3, buffer(a4), a5), error); }
FORTRAN(void, win_allocate_shared, (MPI_Aint *a0, int *a1, MPI_Info *a2, MPI_Comm *a3, void *a4, MPI_Win *a5, MPI_Fint *error)) { answer(MPI_Win_allocate_shared(*a0, *a1, *a2, *a3, buffer(a4), a5), error); }
FORTRAN(void, win_shared_query, (MPI_Win *a0, int *a1, MPI_Aint *a2, int *a3, void *a4, MPI_Fint *error)) { answer(MPI_Win_shared_query(*a0, *a1, a2, a3, buffer(a4)), error); }
FORTRAN(void, win_create_dynamic, (MPI_Info *a0, MPI_Comm *a1, MPI_Win *a2, MPI_Fint *error)) { answer(MPI_Win_create_dynamic(*a0, *a1, a2), error); }
FORTRAN(void, win_attach, (MPI_Win *a0, void *a1, MPI_Aint *a2, MPI_Fint *error)) { answer(MPI_Win_attach(*a0, buffer(a1), *a2), error); }
FORTRAN(void, win_detach, (MPI_Win *a0, void *a1, MPI_Fint *error)) { answer(MPI_Win_detach(*a0, buffer(a1)), error); }
FORTRAN(void, win_free, (MPI_Win *a0, MPI_Fint *error)) { answer(MPI_Win_free(a0), error); }
FORTRAN(void, win_get_group, (MPI_Win *a0, MPI_Group *a1, MPI_Fint *error)) { answer(MPI_Win_get_group(*a0, a1), error); }
FORTRAN(void, win_set_info, (MPI_Win *a0, MPI_Info *a1, MPI_Fint *error)) { answer(MPI_Win_set_info(*a0, *a1), error); }
FORTRAN(void, win_get_info, (MPI_Win *a0, MPI_Info *a1, MPI_Fint *error)) { answer(MPI_Win_get_info(*a0, a1), error); }
FORTRAN(void, put, (void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, int *a5, MPI_Datatype *a6, MPI_Win *a7, MPI_Fint *error)) { answer(MPI_Put(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7), error); }
FORTRAN(void, get, (void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, int *a5, MPI_Datatype *a6, MPI_Win *a7, MPI_Fint *error)) { answer(MPI_Get(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7), error); }
FORTRAN(void, accumulate, (void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, int *a5, MPI_Datatype *a6, MPI_Op *a7, MPI_Win *a8, MPI_Fint *error)) { answer(MPI_Accumulate(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7, *a8), error); }
FORTRAN(void, get_accumulate, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, int *a6, MPI_Aint *a7, int *a8, MPI_Datatype *a9, MPI_Op *a10, MPI_Win *a11, MPI_Fint *error)) { answer(MPI_Get_accumulate(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, *a7, *a8, *a9, *a10, *a11), error); }
FORTRAN(void, fetch_and_op, (void *a0, void *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, MPI_Op *a5, MPI_Win *a6, MPI_Fint *error)) { answer(MPI_Fetch_and_op(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, *a6), error); }
FORTRAN(void, compare_and_swap, (void *a0, void *a1, void *a2, MPI_Datatype *a3, int *a4, MPI_Aint *a5, MPI_Win *a6, MPI_Fint *error)) { answer(MPI_Compare_and_swap(buffer(a0), buffer(a1), buffer(a2), *a3, *a4, *a5, *a6), error); }
FORTRAN(void, rput, (void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, int *a5, MPI_Datatype *a6, MPI_Win *a7, MPI_Request *a8, MPI_Fint *error)) { answer(MPI_Rput(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7, a8), error); }
FORTRAN(void, rget, (void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, int *a5, MPI_Datatype *a6, MPI_Win *a7, MPI_Request *a8, MPI_Fint *error)) { answer(MPI_Rget(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7, a8), error); }
FORTRAN(void, raccumulate, (void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, int *a5, MPI_Datatype *a6, MPI_Op *a7, MPI_Win *a8, MPI_Request *a9, MPI_Fint *error)) { answer(MPI_Raccumulate(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7, *a8, a9), error); }
FORTRAN(void, rget_accumulate, (void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, int *a6, MPI_Aint *a7, int *a8, MPI_Datatype *a9, MPI_Op *a10, MPI_Win *a11, MPI_Request *a12, MPI_Fint *error)) { answer(MPI_Rget_accumulate(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, *a7, *a8, *a9, *a10, *a11, a12), error); }
FORTRAN(void, win_fence, (int *a0, MPI_Win *a1, MPI_Fint *error)) { answer(MPI_Win_fence(*a0, *a1), error); }
FORTRAN(void, win_start, (MPI_Group *a0, int *a1, MPI_Win *a2, MPI_Fint *error)) { answer(MPI_Win_start(*a0, *a1, *a2), error); }
FORTRAN(void, win_complete, (MPI_Win *a0, MPI_Fint *error)) { answer(MPI_Win_complete(*a0), error); }
FORTRAN(void, win_post, (MPI_Group *a0, int *a1, MPI_Win *a2, MPI_Fint *error)) { answer(MPI_Win_post(*a0, *a1, *a2), error); }
FORTRAN(void, win_wait, (MPI_Win *a0, MPI_Fint *error)) { answer(MPI_Win_wait(*a0), error); }
FORTRAN(void, win_test, (MPI_Win *a0, int *a1, MPI_Fint *error)) { answer(MPI_Win_test(*a0, a1), error); }
FORTRAN(void, win_lock, (int *a0, int *a1, int *a2, MPI_Win *a3, MPI_Fint *error)) { answer(MPI_Win_lock(*a0, *a1, *a2, *a3), error); }
FORTRAN(void, win_lock_all, (int *a0, MPI_Win *a1, MPI_Fint *error)) { answer(MPI_Win_lock_all(*a0, *a1), error); }
FORTRAN(void, win_unlock, (int *a0, MPI_Win *a1, MPI_Fint *error)) { answer(MPI_Win_unlock(*a0, *a1), error); }
FORTRAN(void, win_unlock_all, (MPI_Win *a0, MPI_Fint *error)) { answer(MPI_Win_unlock_all(*a0), error); }
FORTRAN(void, win_flush, (int *a0, MPI_Win *a1, MPI_Fint *error)) { answer(MPI_Win_flush(*a0, *a1), error); }
FORTRAN(void, win_flush_all, (MPI_Win *a0, MPI_Fint *error)) { answer(MPI_Win_flush_all(*a0), error); }
FORTRAN(void, win_flush_local, (int *a0, MPI_Win *a1, MPI_Fint *error)) { answer(MPI_Win_flush_local(*a0, *a1), error); }
FORTRAN(void, win_flush_local_all, (MPI_Win *a0, MPI_Fint *error)) { answer(MPI_Win_flush_local_all(*a0), error); }
FORTRAN(void, win_sync, (MPI_Win *a0, MPI_Fint *error)) { answer(MPI_Win_sync(*a0), error); }
FORTRAN(void, grequest_complete, (MPI_Request *a0, MPI_Fint *error)) { answer(MPI_Grequest_complete(*a0), error); }
FORTRAN(void, status_set_elements, (MPI_Status *a0, MPI_Datatype *a1, int *a2, MPI_Fint *error)) { answer(MPI_Status_set_elements(status(a0), *a1, *a2), error); }
FORTRAN(void, status_set_elements_x, (MPI_Status *a0, MPI_Datatype *a1, MPI_Count *a2, MPI_Fint *error)) { answer(MPI_Status_set_elements_x(status(a0), *a1, *a2), error); }
FORTRAN(void, status_set_cancelled, (MPI_Status *a0, int *a1, MPI_Fint *error)) { answer(MPI_Status_set_cancelled(status(a0), *a1), error); }
FORTRAN(void, query_thread, (int *a0, MPI_Fint *error)) { answer(MPI_Query_thread(a0), error); }
FORTRAN(void, is_thread_main, (int *a0, MPI_Fint *error)) { answer(MPI_Is_thread_main(a0), error); }
FORTRAN(void, file_close, (MPI_File *a0, MPI_Fint *error)) { answer(MPI_File_close(a0), error); }
FORTRAN(void, file_set_size, (MPI_File *a0, MPI_Offset *a1, MPI_Fint *error)) { answer(MPI_File_set_size(*a0, *a1), error); }
FORTRAN(void, file_preallocate, (MPI_File *a0, MPI_Offset *a1, MPI_Fint *error)) { answer(MPI_File_preallocate(*a0, *a1), error); }
FORTRAN(void, file_get_size, (MPI_File *a0, MPI_Offset *a1, MPI_Fint *error)) { answer(MPI_File_get_size(*a0, a1), error); }
FORTRAN(void, file_get_group, (MPI_File *a0, MPI_Group *a1, MPI_Fint *error)) { answer(MPI_File_get_group(*a0, a1), error); }
FORTRAN(void, file_get_amode, (MPI_File *a0, int *a1, MPI_Fint *error)) { answer(MPI_File_get_amode(*a0, a1), error); }
FORTRAN(void, file_set_info, (MPI_File *a0, MPI_Info *a1, MPI_Fint *error)) { answer(MPI_File_set_info(*a0, *a1), error); }
FORTRAN(void, file_get_info, (MPI_File *a0, MPI_Info *a1, MPI_Fint *error)) { answer(MPI_File_get_info(*a0, a1), error); }
FORTRAN(void, file_read_at, (MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Status *a5, MPI_Fint *error)) { answer(MPI_File_read_at(*a0, *a1, buffer(a2), *a3, *a4, status(a5)), error); }
FORTRAN(void, file_read_at_all, (MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Status *a5, MPI_Fint *error)) { answer(MPI_File_read_at_all(*a0, *a1, buffer(a2), *a3, *a4, status(a5)), error); }
FORTRAN(void, file_iread_at, (MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Request *a5, MPI_Fint *error)) { answer(MPI_File_iread_at(*a0, *a1, buffer(a2), *a3, *a4, a5), error); }
FORTRAN(void, file_iread_at_all, (MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Request *a5, MPI_Fint *error)) { answer(MPI_File_iread_at_all(*a0, *a1, buffer(a2), *a3, *a4, a5), error); }
FORTRAN(void, file_read, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error)) { answer(MPI_File_read(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
FORTRAN(void, file_read_all, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error)) { answer(MPI_File_read_all(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
FORTRAN(void, file_read_shared, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error)) { answer(MPI_File_read_shared(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
FORTRAN(void, file_read_ordered, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error)) { answer(MPI_File_read_ordered(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
FORTRAN(void, file_iread, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Request *a4, MPI_Fint *error)) { answer(MPI_File_iread(*a0, buffer(a1), *a2, *a3, a4), error); }
FORTRAN(void, file_iread_all, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Request *a4, MPI_Fint *error)) { answer(MPI_File_iread_all(*a0, buffer(a1), *a2, *a3, a4), error); }
FORTRAN(void, file_iread_shared, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Request *a4, MPI_Fint *error)) { answer(MPI_File_iread_shared(*a0, buffer(a1), *a2, *a3, a4), error); }
FORTRAN(void, file_read_at_all_begin, (MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Fint *error)) { answer(MPI_File_read_at_all_begin(*a0, *a1, buffer(a2), *a3, *a4), error); }
FORTRAN(void, file_read_all_begin, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Fint *error)) { answer(MPI_File_read_all_begin(*a0, buffer(a1), *a2, *a3), error); }
FORTRAN(void, file_read_ordered_begin, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Fint *error)) { answer(MPI_File_read_ordered_begin(*a0, buffer(a1), *a2, *a3), error); }
FORTRAN(void, file_read_at_all_end, (MPI_File *a0, void *a1, MPI_Status *a2, MPI_Fint *error)) { answer(MPI_File_read_at_all_end(*a0, buffer(a1), status(a2)), error); }
FORTRAN(void, file_read_all_end, (MPI_File *a0, void *a1, MPI_Status *a2, MPI_Fint *error)) { answer(MPI_File_read_all_end(*a0, buffer(a1), status(a2)), error); }
FORTRAN(void, file_read_ordered_end, (MPI_File *a0, void *a1, MPI_Status *a2, MPI_Fint *error)) { answer(MPI_File_read_ordered_end(*a0, buffer(a1), status(a2)), error); }
FORTRAN(void, file_write_at, (MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Status *a5, MPI_Fint *error)) { answer(MPI_File_write_at(*a0, *a1, buffer(a2), *a3, *a4, status(a5)), error); }
FORTRAN(void, file_write_at_all, (MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Status *a5, MPI_Fint *error)) { answer(MPI_File_write_at_all(*a0, *a1, buffer(a2), *a3, *a4, status(a5)), error); }
FORTRAN(void, file_iwrite_at, (MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Request *a5, MPI_Fint *error)) { answer(MPI_File_iwrite_at(*a0, *a1, buffer(a2), *a3, *a4, a5), error); }
FORTRAN(void, file_iwrite_at_all, (MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Request *a5, MPI_Fint *error)) { answer(MPI_File_iwrite_at_all(*a0, *a1, buffer(a2), *a3, *a4, a5), error); }
FORTRAN(void, file_write, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error)) { answer(MPI_File_write(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
FORTRAN(void, file_write_all, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error)) { answer(MPI_File_write_all(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
FORTRAN(void, file_write_shared, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error)) { answer(MPI_File_write_shared(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
FORTRAN(void, file_write_ordered, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error)) { answer(MPI_File_write_ordered(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
FORTRAN(void, file_iwrite, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Request *a4, MPI_Fint *error)) { answer(MPI_File_iwrite(*a0, buffer(a1), *a2, *a3, a4), error); }
FORTRAN(void, file_iwrite_all, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Request *a4, MPI_Fint *error)) { answer(MPI_File_iwrite_all(*a0, buffer(a1), *a2, *a3, a4), error); }
FORTRAN(void, file_iwrite_shared, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Request *a4, MPI_Fint *error)) { answer(MPI_File_iwrite_shared(*a0, buffer(a1), *a2, *a3, a4), error); }
FORTRAN(void, file_write_at_all_begin, (MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Fint *error)) { answer(MPI_File_write_at_all_begin(*a0, *a1, buffer(a2), *a3, *a4), error); }
FORTRAN(void, file_write_all_begin, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Fint *error)) { answer(MPI_File_write_all_begin(*a0, buffer(a1), *a2, *a3), error); }
FORTRAN(void, file_write_ordered_begin, (MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Fint *error)) { answer(MPI_File_write_ordered_begin(*a0, buffer(a1), *a2, *a3), error); }
FORTRAN(void, file_write_at_all_end, (MPI_File *a0, void *a1, MPI_Status *a2, MPI_Fint *error)) { answer(MPI_File_write_at_all_end(*a0, buffer(a1), status(a2)), error); }
FORTRAN(void, file_write_all_end, (MPI_File *a0, void *a1, MPI_Status *a2, MPI_Fint *error)) { answer(MPI_File_write_all_end(*a0, buffer(a1), status(a2)), error); }
FORTRAN(void, file_write_ordered_end, (MPI_File *a0, void *a1, MPI_Status *a2, MPI_Fint *error)) { answer(MPI_File_write_ordered_end(*a0, buffer(a1), status(a2)), error); }
FORTRAN(void, file_seek, (MPI_File *a0, MPI_Offset *a1, int *a2, MPI_Fint *error)) { answer(MPI_File_seek(*a0, *a1, *a2), error); }
FORTRAN(void, file_get_position, (MPI_File *a0, MPI_Offset *a1, MPI_Fint *error)) { answer(MPI_File_get_position(*a0, a1), error); }
FORTRAN(void, file_get_byte_offset, (MPI_File *a0, MPI_Offset *a1, MPI_Offset *a2, MPI_Fint *error)) { answer(MPI_File_get_byte_offset(*a0, *a1, a2), error); }
FORTRAN(void, file_seek_shared, (MPI_File *a0, MPI_Offset *a1, int *a2, MPI_Fint *error)) { answer(MPI_File_seek_shared(*a0, *a1, *a2), error); }
FORTRAN(void, file_get_position_shared, (MPI_File *a0, MPI_Offset *a1, MPI_Fint *error)) { answer(MPI_File_get_position_shared(*a0, a1), error); }
FORTRAN(void, file_get_type_extent, (MPI_File *a0, MPI_Datatype *a1, MPI_Aint *a2, MPI_Fint *error)) { answer(MPI_File_get_type_extent(*a0, *a1, a2), error); }
FORTRAN(void, file_set_atomicity, (MPI_File *a0, int *a1, MPI_Fint *error)) { answer(MPI_File_set_atomicity(*a0, *a1), error); }
FORTRAN(void, file_get_atomicity, (MPI_File *a0, int *a1, MPI_Fint *error)) { answer(MPI_File_get_atomicity(*a0, a1), error); }
FORTRAN(void, file_sync, (MPI_File *a0, MPI_Fint *error)) { answer(MPI_File_sync(*a0), error); }
FORTRAN(void, type_create_f90_integer, (int *a0, MPI_Datatype *a1, MPI_Fint *error)) { answer(MPI_Type_create_f90_integer(*a0, a1), error); }
FORTRAN(void, type_create_f90_real, (int *a0, int *a1, MPI_Datatype *a2, MPI_Fint *error)) { answer(MPI_Type_create_f90_real(*a0, *a1, a2), error); }
FORTRAN(void, type_create_f90_complex, (int *a0, int *a1, MPI_Datatype *a2, MPI_Fint *error)) { answer(MPI_Type_create_f90_complex(*a0, *a1, a2), error); }
FORTRAN(void, type_match_size, (int *a0, int *a1, MPI_Datatype *a2, MPI_Fint *error)) { answer(MPI_Type_match_size(*a0, *a1, a2), error); }
FORTRAN(void, attr_delete, (MPI_Comm *a0, int *a1, MPI_Fint *error)) { answer(MPI_Attr_delete(*a0, *a1), error); }
FORTRAN(void, keyval_free, (int *a0, MPI_Fint *error)) { answer(MPI_Keyval_free(a0), error); }
FORTRAN(void, errhandler_create, (MPI_Handler_function *a0, MPI_Errhandler *a1, MPI_Fint *error)) { answer(MPI_Errhandler_create(a0, a1), error); }
FORTRAN(void, errhandler_get, (MPI_Comm *a0, MPI_Errhandler *a1, MPI_Fint *error)) { answer(MPI_Errhandler_get(*a0, a1), error); }
FORTRAN(void, errhandler_set, (MPI_Comm *a0, MPI_Errhandler *a1, MPI_Fint *error)) { answer(MPI_Errhandler_set(*a0, *a1), error); }
