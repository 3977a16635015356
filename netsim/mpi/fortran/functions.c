/* SPDX-License-Identifier: Apache-2.0
 * Written by generate.py from mpi_functions.h. */
#include "netsim/mpi/fortran/binding.h"

void mpi_send_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error) { answer(MPI_Send(buffer(a0), *a1, *a2, *a3, *a4, *a5), error); }
void mpi_recv_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Status *a6, MPI_Fint *error) { answer(MPI_Recv(buffer(a0), *a1, *a2, *a3, *a4, *a5, status(a6)), error); }
void mpi_get_count_(const MPI_Status *a0, MPI_Datatype *a1, int *a2, MPI_Fint *error) { answer(MPI_Get_count(a0, *a1, a2), error); }
void mpi_bsend_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error) { answer(MPI_Bsend(buffer(a0), *a1, *a2, *a3, *a4, *a5), error); }
void mpi_ssend_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error) { answer(MPI_Ssend(buffer(a0), *a1, *a2, *a3, *a4, *a5), error); }
void mpi_rsend_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error) { answer(MPI_Rsend(buffer(a0), *a1, *a2, *a3, *a4, *a5), error); }
void mpi_buffer_attach_(void *a0, int *a1, MPI_Fint *error) { answer(MPI_Buffer_attach(buffer(a0), *a1), error); }
void mpi_isend_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Isend(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
void mpi_ibsend_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Ibsend(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
void mpi_issend_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Issend(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
void mpi_irsend_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Irsend(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
void mpi_irecv_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Irecv(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
void mpi_wait_(MPI_Request *a0, MPI_Status *a1, MPI_Fint *error) { answer(MPI_Wait(a0, status(a1)), error); }
void mpi_test_(MPI_Request *a0, int *a1, MPI_Status *a2, MPI_Fint *error) { answer(MPI_Test(a0, a1, status(a2)), error); }
void mpi_request_free_(MPI_Request *a0, MPI_Fint *error) { answer(MPI_Request_free(a0), error); }
void mpi_waitall_(int *a0, MPI_Request *a1, MPI_Status *a2, MPI_Fint *error) { answer(MPI_Waitall(*a0, a1, status(a2)), error); }
void mpi_testall_(int *a0, MPI_Request *a1, int *a2, MPI_Status *a3, MPI_Fint *error) { answer(MPI_Testall(*a0, a1, a2, status(a3)), error); }
void mpi_request_get_status_(MPI_Request *a0, int *a1, MPI_Status *a2, MPI_Fint *error) { answer(MPI_Request_get_status(*a0, a1, status(a2)), error); }
void mpi_iprobe_(int *a0, int *a1, MPI_Comm *a2, int *a3, MPI_Status *a4, MPI_Fint *error) { answer(MPI_Iprobe(*a0, *a1, *a2, a3, status(a4)), error); }
void mpi_probe_(int *a0, int *a1, MPI_Comm *a2, MPI_Status *a3, MPI_Fint *error) { answer(MPI_Probe(*a0, *a1, *a2, status(a3)), error); }
void mpi_improbe_(int *a0, int *a1, MPI_Comm *a2, int *a3, MPI_Message *a4, MPI_Status *a5, MPI_Fint *error) { answer(MPI_Improbe(*a0, *a1, *a2, a3, a4, status(a5)), error); }
void mpi_mprobe_(int *a0, int *a1, MPI_Comm *a2, MPI_Message *a3, MPI_Status *a4, MPI_Fint *error) { answer(MPI_Mprobe(*a0, *a1, *a2, a3, status(a4)), error); }
void mpi_imrecv_(void *a0, int *a1, MPI_Datatype *a2, MPI_Message *a3, MPI_Request *a4, MPI_Fint *error) { answer(MPI_Imrecv(buffer(a0), *a1, *a2, a3, a4), error); }
void mpi_mrecv_(void *a0, int *a1, MPI_Datatype *a2, MPI_Message *a3, MPI_Status *a4, MPI_Fint *error) { answer(MPI_Mrecv(buffer(a0), *a1, *a2, a3, status(a4)), error); }
void mpi_cancel_(MPI_Request *a0, MPI_Fint *error) { answer(MPI_Cancel(a0), error); }
void mpi_test_cancelled_(const MPI_Status *a0, int *a1, MPI_Fint *error) { answer(MPI_Test_cancelled(a0, a1), error); }
void mpi_send_init_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Send_init(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
void mpi_bsend_init_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Bsend_init(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
void mpi_ssend_init_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Ssend_init(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
void mpi_rsend_init_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Rsend_init(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
void mpi_recv_init_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Recv_init(buffer(a0), *a1, *a2, *a3, *a4, *a5, a6), error); }
void mpi_start_(MPI_Request *a0, MPI_Fint *error) { answer(MPI_Start(a0), error); }
void mpi_startall_(int *a0, MPI_Request *a1, MPI_Fint *error) { answer(MPI_Startall(*a0, a1), error); }
void mpi_sendrecv_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, void *a5, int *a6, MPI_Datatype *a7, int *a8, int *a9, MPI_Comm *a10, MPI_Status *a11, MPI_Fint *error) { answer(MPI_Sendrecv(buffer(a0), *a1, *a2, *a3, *a4, buffer(a5), *a6, *a7, *a8, *a9, *a10, status(a11)), error); }
void mpi_sendrecv_replace_(void *a0, int *a1, MPI_Datatype *a2, int *a3, int *a4, int *a5, int *a6, MPI_Comm *a7, MPI_Status *a8, MPI_Fint *error) { answer(MPI_Sendrecv_replace(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7, status(a8)), error); }
void mpi_type_contiguous_(int *a0, MPI_Datatype *a1, MPI_Datatype *a2, MPI_Fint *error) { answer(MPI_Type_contiguous(*a0, *a1, a2), error); }
void mpi_type_vector_(int *a0, int *a1, int *a2, MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error) { answer(MPI_Type_vector(*a0, *a1, *a2, *a3, a4), error); }
void mpi_type_create_hvector_(int *a0, int *a1, MPI_Aint *a2, MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error) { answer(MPI_Type_create_hvector(*a0, *a1, *a2, *a3, a4), error); }
void mpi_type_indexed_(int *a0, const int *a1, const int *a2, MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error) { answer(MPI_Type_indexed(*a0, a1, a2, *a3, a4), error); }
void mpi_type_create_hindexed_(int *a0, const int *a1, const MPI_Aint *a2, MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error) { answer(MPI_Type_create_hindexed(*a0, a1, a2, *a3, a4), error); }
void mpi_type_create_indexed_block_(int *a0, int *a1, const int *a2, MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error) { answer(MPI_Type_create_indexed_block(*a0, *a1, a2, *a3, a4), error); }
void mpi_type_create_hindexed_block_(int *a0, int *a1, const MPI_Aint *a2, MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error) { answer(MPI_Type_create_hindexed_block(*a0, *a1, a2, *a3, a4), error); }
void mpi_type_create_struct_(int *a0, const int *a1, const MPI_Aint *a2, const MPI_Datatype *a3, MPI_Datatype *a4, MPI_Fint *error) { answer(MPI_Type_create_struct(*a0, a1, a2, a3, a4), error); }
void mpi_type_create_subarray_(int *a0, const int *a1, const int *a2, const int *a3, int *a4, MPI_Datatype *a5, MPI_Datatype *a6, MPI_Fint *error) { answer(MPI_Type_create_subarray(*a0, a1, a2, a3, *a4, *a5, a6), error); }
void mpi_type_create_darray_(int *a0, int *a1, int *a2, const int *a3, const int *a4, const int *a5, const int *a6, int *a7, MPI_Datatype *a8, MPI_Datatype *a9, MPI_Fint *error) { answer(MPI_Type_create_darray(*a0, *a1, *a2, a3, a4, a5, a6, *a7, *a8, a9), error); }
void mpi_get_address_(void *a0, MPI_Aint *a1, MPI_Fint *error) { answer(MPI_Get_address(buffer(a0), a1), error); }
MPI_Aint mpi_aint_add_(MPI_Aint *a0, MPI_Aint *a1) { return MPI_Aint_add(*a0, *a1); }
MPI_Aint mpi_aint_diff_(MPI_Aint *a0, MPI_Aint *a1) { return MPI_Aint_diff(*a0, *a1); }
void mpi_type_size_(MPI_Datatype *a0, int *a1, MPI_Fint *error) { answer(MPI_Type_size(*a0, a1), error); }
void mpi_type_size_x_(MPI_Datatype *a0, MPI_Count *a1, MPI_Fint *error) { answer(MPI_Type_size_x(*a0, a1), error); }
void mpi_type_get_extent_(MPI_Datatype *a0, MPI_Aint *a1, MPI_Aint *a2, MPI_Fint *error) { answer(MPI_Type_get_extent(*a0, a1, a2), error); }
void mpi_type_get_extent_x_(MPI_Datatype *a0, MPI_Count *a1, MPI_Count *a2, MPI_Fint *error) { answer(MPI_Type_get_extent_x(*a0, a1, a2), error); }
void mpi_type_create_resized_(MPI_Datatype *a0, MPI_Aint *a1, MPI_Aint *a2, MPI_Datatype *a3, MPI_Fint *error) { answer(MPI_Type_create_resized(*a0, *a1, *a2, a3), error); }
void mpi_type_get_true_extent_(MPI_Datatype *a0, MPI_Aint *a1, MPI_Aint *a2, MPI_Fint *error) { answer(MPI_Type_get_true_extent(*a0, a1, a2), error); }
void mpi_type_get_true_extent_x_(MPI_Datatype *a0, MPI_Count *a1, MPI_Count *a2, MPI_Fint *error) { answer(MPI_Type_get_true_extent_x(*a0, a1, a2), error); }
void mpi_type_commit_(MPI_Datatype *a0, MPI_Fint *error) { answer(MPI_Type_commit(a0), error); }
void mpi_type_free_(MPI_Datatype *a0, MPI_Fint *error) { answer(MPI_Type_free(a0), error); }
void mpi_type_dup_(MPI_Datatype *a0, MPI_Datatype *a1, MPI_Fint *error) { answer(MPI_Type_dup(*a0, a1), error); }
void mpi_get_elements_(const MPI_Status *a0, MPI_Datatype *a1, int *a2, MPI_Fint *error) { answer(MPI_Get_elements(a0, *a1, a2), error); }
void mpi_get_elements_x_(const MPI_Status *a0, MPI_Datatype *a1, MPI_Count *a2, MPI_Fint *error) { answer(MPI_Get_elements_x(a0, *a1, a2), error); }
void mpi_type_get_envelope_(MPI_Datatype *a0, int *a1, int *a2, int *a3, int *a4, MPI_Fint *error) { answer(MPI_Type_get_envelope(*a0, a1, a2, a3, a4), error); }
void mpi_type_get_contents_(MPI_Datatype *a0, int *a1, int *a2, int *a3, int *a4, MPI_Aint *a5, MPI_Datatype *a6, MPI_Fint *error) { answer(MPI_Type_get_contents(*a0, *a1, *a2, *a3, a4, a5, a6), error); }
void mpi_pack_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, int *a5, MPI_Comm *a6, MPI_Fint *error) { answer(MPI_Pack(buffer(a0), *a1, *a2, buffer(a3), *a4, a5, *a6), error); }
void mpi_unpack_(void *a0, int *a1, int *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Fint *error) { answer(MPI_Unpack(buffer(a0), *a1, a2, buffer(a3), *a4, *a5, *a6), error); }
void mpi_pack_size_(int *a0, MPI_Datatype *a1, MPI_Comm *a2, int *a3, MPI_Fint *error) { answer(MPI_Pack_size(*a0, *a1, *a2, a3), error); }
void mpi_barrier_(MPI_Comm *a0, MPI_Fint *error) { answer(MPI_Barrier(*a0), error); }
void mpi_bcast_(void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Comm *a4, MPI_Fint *error) { answer(MPI_Bcast(buffer(a0), *a1, *a2, *a3, *a4), error); }
void mpi_gather_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, int *a6, MPI_Comm *a7, MPI_Fint *error) { answer(MPI_Gather(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, *a7), error); }
void mpi_gatherv_(void *a0, int *a1, MPI_Datatype *a2, void *a3, const int *a4, const int *a5, MPI_Datatype *a6, int *a7, MPI_Comm *a8, MPI_Fint *error) { answer(MPI_Gatherv(buffer(a0), *a1, *a2, buffer(a3), a4, a5, *a6, *a7, *a8), error); }
void mpi_scatter_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, int *a6, MPI_Comm *a7, MPI_Fint *error) { answer(MPI_Scatter(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, *a7), error); }
void mpi_scatterv_(void *a0, const int *a1, const int *a2, MPI_Datatype *a3, void *a4, int *a5, MPI_Datatype *a6, int *a7, MPI_Comm *a8, MPI_Fint *error) { answer(MPI_Scatterv(buffer(a0), a1, a2, *a3, buffer(a4), *a5, *a6, *a7, *a8), error); }
void mpi_allgather_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Fint *error) { answer(MPI_Allgather(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6), error); }
void mpi_allgatherv_(void *a0, int *a1, MPI_Datatype *a2, void *a3, const int *a4, const int *a5, MPI_Datatype *a6, MPI_Comm *a7, MPI_Fint *error) { answer(MPI_Allgatherv(buffer(a0), *a1, *a2, buffer(a3), a4, a5, *a6, *a7), error); }
void mpi_alltoall_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Fint *error) { answer(MPI_Alltoall(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6), error); }
void mpi_alltoallv_(void *a0, const int *a1, const int *a2, MPI_Datatype *a3, void *a4, const int *a5, const int *a6, MPI_Datatype *a7, MPI_Comm *a8, MPI_Fint *error) { answer(MPI_Alltoallv(buffer(a0), a1, a2, *a3, buffer(a4), a5, a6, *a7, *a8), error); }
void mpi_alltoallw_(void *a0, const int *a1, const int *a2, const MPI_Datatype *a3, void *a4, const int *a5, const int *a6, const MPI_Datatype *a7, MPI_Comm *a8, MPI_Fint *error) { answer(MPI_Alltoallw(buffer(a0), a1, a2, a3, buffer(a4), a5, a6, a7, *a8), error); }
void mpi_reduce_(void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, int *a5, MPI_Comm *a6, MPI_Fint *error) { answer(MPI_Reduce(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, *a6), error); }
void mpi_op_create_(MPI_User_function *a0, int *a1, MPI_Op *a2, MPI_Fint *error) { answer(MPI_Op_create(a0, *a1, a2), error); }
void mpi_op_free_(MPI_Op *a0, MPI_Fint *error) { answer(MPI_Op_free(a0), error); }
void mpi_op_commutative_(MPI_Op *a0, int *a1, MPI_Fint *error) { answer(MPI_Op_commutative(*a0, a1), error); }
void mpi_allreduce_(void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Fint *error) { answer(MPI_Allreduce(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5), error); }
void mpi_reduce_local_(void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Fint *error) { answer(MPI_Reduce_local(buffer(a0), buffer(a1), *a2, *a3, *a4), error); }
void mpi_reduce_scatter_block_(void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Fint *error) { answer(MPI_Reduce_scatter_block(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5), error); }
void mpi_reduce_scatter_(void *a0, void *a1, const int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Fint *error) { answer(MPI_Reduce_scatter(buffer(a0), buffer(a1), a2, *a3, *a4, *a5), error); }
void mpi_scan_(void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Fint *error) { answer(MPI_Scan(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5), error); }
void mpi_exscan_(void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Fint *error) { answer(MPI_Exscan(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5), error); }
void mpi_ibarrier_(MPI_Comm *a0, MPI_Request *a1, MPI_Fint *error) { answer(MPI_Ibarrier(*a0, a1), error); }
void mpi_ibcast_(void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Comm *a4, MPI_Request *a5, MPI_Fint *error) { answer(MPI_Ibcast(buffer(a0), *a1, *a2, *a3, *a4, a5), error); }
void mpi_igather_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, int *a6, MPI_Comm *a7, MPI_Request *a8, MPI_Fint *error) { answer(MPI_Igather(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, *a7, a8), error); }
void mpi_igatherv_(void *a0, int *a1, MPI_Datatype *a2, void *a3, const int *a4, const int *a5, MPI_Datatype *a6, int *a7, MPI_Comm *a8, MPI_Request *a9, MPI_Fint *error) { answer(MPI_Igatherv(buffer(a0), *a1, *a2, buffer(a3), a4, a5, *a6, *a7, *a8, a9), error); }
void mpi_iscatter_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, int *a6, MPI_Comm *a7, MPI_Request *a8, MPI_Fint *error) { answer(MPI_Iscatter(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, *a7, a8), error); }
void mpi_iscatterv_(void *a0, const int *a1, const int *a2, MPI_Datatype *a3, void *a4, int *a5, MPI_Datatype *a6, int *a7, MPI_Comm *a8, MPI_Request *a9, MPI_Fint *error) { answer(MPI_Iscatterv(buffer(a0), a1, a2, *a3, buffer(a4), *a5, *a6, *a7, *a8, a9), error); }
void mpi_iallgather_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Request *a7, MPI_Fint *error) { answer(MPI_Iallgather(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, a7), error); }
void mpi_iallgatherv_(void *a0, int *a1, MPI_Datatype *a2, void *a3, const int *a4, const int *a5, MPI_Datatype *a6, MPI_Comm *a7, MPI_Request *a8, MPI_Fint *error) { answer(MPI_Iallgatherv(buffer(a0), *a1, *a2, buffer(a3), a4, a5, *a6, *a7, a8), error); }
void mpi_ialltoall_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Request *a7, MPI_Fint *error) { answer(MPI_Ialltoall(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, a7), error); }
void mpi_ialltoallv_(void *a0, const int *a1, const int *a2, MPI_Datatype *a3, void *a4, const int *a5, const int *a6, MPI_Datatype *a7, MPI_Comm *a8, MPI_Request *a9, MPI_Fint *error) { answer(MPI_Ialltoallv(buffer(a0), a1, a2, *a3, buffer(a4), a5, a6, *a7, *a8, a9), error); }
void mpi_ialltoallw_(void *a0, const int *a1, const int *a2, const MPI_Datatype *a3, void *a4, const int *a5, const int *a6, const MPI_Datatype *a7, MPI_Comm *a8, MPI_Request *a9, MPI_Fint *error) { answer(MPI_Ialltoallw(buffer(a0), a1, a2, a3, buffer(a4), a5, a6, a7, *a8, a9), error); }
void mpi_ireduce_(void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, int *a5, MPI_Comm *a6, MPI_Request *a7, MPI_Fint *error) { answer(MPI_Ireduce(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, *a6, a7), error); }
void mpi_iallreduce_(void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Iallreduce(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, a6), error); }
void mpi_ireduce_scatter_block_(void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Ireduce_scatter_block(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, a6), error); }
void mpi_ireduce_scatter_(void *a0, void *a1, const int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Ireduce_scatter(buffer(a0), buffer(a1), a2, *a3, *a4, *a5, a6), error); }
void mpi_iscan_(void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Iscan(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, a6), error); }
void mpi_iexscan_(void *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Op *a4, MPI_Comm *a5, MPI_Request *a6, MPI_Fint *error) { answer(MPI_Iexscan(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, a6), error); }
void mpi_group_size_(MPI_Group *a0, int *a1, MPI_Fint *error) { answer(MPI_Group_size(*a0, a1), error); }
void mpi_group_rank_(MPI_Group *a0, int *a1, MPI_Fint *error) { answer(MPI_Group_rank(*a0, a1), error); }
void mpi_group_translate_ranks_(MPI_Group *a0, int *a1, const int *a2, MPI_Group *a3, int *a4, MPI_Fint *error) { answer(MPI_Group_translate_ranks(*a0, *a1, a2, *a3, a4), error); }
void mpi_group_compare_(MPI_Group *a0, MPI_Group *a1, int *a2, MPI_Fint *error) { answer(MPI_Group_compare(*a0, *a1, a2), error); }
void mpi_comm_group_(MPI_Comm *a0, MPI_Group *a1, MPI_Fint *error) { answer(MPI_Comm_group(*a0, a1), error); }
void mpi_group_union_(MPI_Group *a0, MPI_Group *a1, MPI_Group *a2, MPI_Fint *error) { answer(MPI_Group_union(*a0, *a1, a2), error); }
void mpi_group_intersection_(MPI_Group *a0, MPI_Group *a1, MPI_Group *a2, MPI_Fint *error) { answer(MPI_Group_intersection(*a0, *a1, a2), error); }
void mpi_group_difference_(MPI_Group *a0, MPI_Group *a1, MPI_Group *a2, MPI_Fint *error) { answer(MPI_Group_difference(*a0, *a1, a2), error); }
void mpi_group_incl_(MPI_Group *a0, int *a1, const int *a2, MPI_Group *a3, MPI_Fint *error) { answer(MPI_Group_incl(*a0, *a1, a2, a3), error); }
void mpi_group_excl_(MPI_Group *a0, int *a1, const int *a2, MPI_Group *a3, MPI_Fint *error) { answer(MPI_Group_excl(*a0, *a1, a2, a3), error); }
void mpi_group_range_incl_(MPI_Group *a0, int *a1, int (*a2)[3], MPI_Group *a3, MPI_Fint *error) { answer(MPI_Group_range_incl(*a0, *a1, a2, a3), error); }
void mpi_group_range_excl_(MPI_Group *a0, int *a1, int (*a2)[3], MPI_Group *a3, MPI_Fint *error) { answer(MPI_Group_range_excl(*a0, *a1, a2, a3), error); }
void mpi_group_free_(MPI_Group *a0, MPI_Fint *error) { answer(MPI_Group_free(a0), error); }
void mpi_comm_size_(MPI_Comm *a0, int *a1, MPI_Fint *error) { answer(MPI_Comm_size(*a0, a1), error); }
void mpi_comm_rank_(MPI_Comm *a0, int *a1, MPI_Fint *error) { answer(MPI_Comm_rank(*a0, a1), error); }
void mpi_comm_compare_(MPI_Comm *a0, MPI_Comm *a1, int *a2, MPI_Fint *error) { answer(MPI_Comm_compare(*a0, *a1, a2), error); }
void mpi_comm_dup_(MPI_Comm *a0, MPI_Comm *a1, MPI_Fint *error) { answer(MPI_Comm_dup(*a0, a1), error); }
void mpi_comm_dup_with_info_(MPI_Comm *a0, MPI_Info *a1, MPI_Comm *a2, MPI_Fint *error) { answer(MPI_Comm_dup_with_info(*a0, *a1, a2), error); }
void mpi_comm_idup_(MPI_Comm *a0, MPI_Comm *a1, MPI_Request *a2, MPI_Fint *error) { answer(MPI_Comm_idup(*a0, a1, a2), error); }
void mpi_comm_create_(MPI_Comm *a0, MPI_Group *a1, MPI_Comm *a2, MPI_Fint *error) { answer(MPI_Comm_create(*a0, *a1, a2), error); }
void mpi_comm_create_group_(MPI_Comm *a0, MPI_Group *a1, int *a2, MPI_Comm *a3, MPI_Fint *error) { answer(MPI_Comm_create_group(*a0, *a1, *a2, a3), error); }
void mpi_comm_split_(MPI_Comm *a0, int *a1, int *a2, MPI_Comm *a3, MPI_Fint *error) { answer(MPI_Comm_split(*a0, *a1, *a2, a3), error); }
void mpi_comm_split_type_(MPI_Comm *a0, int *a1, int *a2, MPI_Info *a3, MPI_Comm *a4, MPI_Fint *error) { answer(MPI_Comm_split_type(*a0, *a1, *a2, *a3, a4), error); }
void mpi_comm_free_(MPI_Comm *a0, MPI_Fint *error) { answer(MPI_Comm_free(a0), error); }
void mpi_comm_set_info_(MPI_Comm *a0, MPI_Info *a1, MPI_Fint *error) { answer(MPI_Comm_set_info(*a0, *a1), error); }
void mpi_comm_get_info_(MPI_Comm *a0, MPI_Info *a1, MPI_Fint *error) { answer(MPI_Comm_get_info(*a0, a1), error); }
void mpi_comm_test_inter_(MPI_Comm *a0, int *a1, MPI_Fint *error) { answer(MPI_Comm_test_inter(*a0, a1), error); }
void mpi_comm_remote_size_(MPI_Comm *a0, int *a1, MPI_Fint *error) { answer(MPI_Comm_remote_size(*a0, a1), error); }
void mpi_comm_remote_group_(MPI_Comm *a0, MPI_Group *a1, MPI_Fint *error) { answer(MPI_Comm_remote_group(*a0, a1), error); }
void mpi_intercomm_create_(MPI_Comm *a0, int *a1, MPI_Comm *a2, int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error) { answer(MPI_Intercomm_create(*a0, *a1, *a2, *a3, *a4, a5), error); }
void mpi_intercomm_merge_(MPI_Comm *a0, int *a1, MPI_Comm *a2, MPI_Fint *error) { answer(MPI_Intercomm_merge(*a0, *a1, a2), error); }
void mpi_comm_free_keyval_(int *a0, MPI_Fint *error) { answer(MPI_Comm_free_keyval(a0), error); }
void mpi_comm_delete_attr_(MPI_Comm *a0, int *a1, MPI_Fint *error) { answer(MPI_Comm_delete_attr(*a0, *a1), error); }
void mpi_win_free_keyval_(int *a0, MPI_Fint *error) { answer(MPI_Win_free_keyval(a0), error); }
void mpi_win_delete_attr_(MPI_Win *a0, int *a1, MPI_Fint *error) { answer(MPI_Win_delete_attr(*a0, *a1), error); }
void mpi_type_free_keyval_(int *a0, MPI_Fint *error) { answer(MPI_Type_free_keyval(a0), error); }
void mpi_type_delete_attr_(MPI_Datatype *a0, int *a1, MPI_Fint *error) { answer(MPI_Type_delete_attr(*a0, *a1), error); }
void mpi_cart_create_(MPI_Comm *a0, int *a1, const int *a2, const int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error) { answer(MPI_Cart_create(*a0, *a1, a2, a3, *a4, a5), error); }
void mpi_dims_create_(int *a0, int *a1, int *a2, MPI_Fint *error) { answer(MPI_Dims_create(*a0, *a1, a2), error); }
void mpi_graph_create_(MPI_Comm *a0, int *a1, const int *a2, const int *a3, int *a4, MPI_Comm *a5, MPI_Fint *error) { answer(MPI_Graph_create(*a0, *a1, a2, a3, *a4, a5), error); }
void mpi_dist_graph_create_adjacent_(MPI_Comm *a0, int *a1, int *a2, int *a3, int *a4, int *a5, int *a6, MPI_Info *a7, int *a8, MPI_Comm *a9, MPI_Fint *error) { answer(MPI_Dist_graph_create_adjacent(*a0, *a1, weights(a2), weights(a3), *a4, weights(a5), weights(a6), *a7, *a8, a9), error); }
void mpi_dist_graph_create_(MPI_Comm *a0, int *a1, int *a2, int *a3, int *a4, int *a5, MPI_Info *a6, int *a7, MPI_Comm *a8, MPI_Fint *error) { answer(MPI_Dist_graph_create(*a0, *a1, weights(a2), weights(a3), weights(a4), weights(a5), *a6, *a7, a8), error); }
void mpi_topo_test_(MPI_Comm *a0, int *a1, MPI_Fint *error) { answer(MPI_Topo_test(*a0, a1), error); }
void mpi_graphdims_get_(MPI_Comm *a0, int *a1, int *a2, MPI_Fint *error) { answer(MPI_Graphdims_get(*a0, a1, a2), error); }
void mpi_graph_get_(MPI_Comm *a0, int *a1, int *a2, int *a3, int *a4, MPI_Fint *error) { answer(MPI_Graph_get(*a0, *a1, *a2, a3, a4), error); }
void mpi_cartdim_get_(MPI_Comm *a0, int *a1, MPI_Fint *error) { answer(MPI_Cartdim_get(*a0, a1), error); }
void mpi_cart_get_(MPI_Comm *a0, int *a1, int *a2, int *a3, int *a4, MPI_Fint *error) { answer(MPI_Cart_get(*a0, *a1, a2, a3, a4), error); }
void mpi_cart_rank_(MPI_Comm *a0, const int *a1, int *a2, MPI_Fint *error) { answer(MPI_Cart_rank(*a0, a1, a2), error); }
void mpi_cart_coords_(MPI_Comm *a0, int *a1, int *a2, int *a3, MPI_Fint *error) { answer(MPI_Cart_coords(*a0, *a1, *a2, a3), error); }
void mpi_graph_neighbors_count_(MPI_Comm *a0, int *a1, int *a2, MPI_Fint *error) { answer(MPI_Graph_neighbors_count(*a0, *a1, a2), error); }
void mpi_graph_neighbors_(MPI_Comm *a0, int *a1, int *a2, int *a3, MPI_Fint *error) { answer(MPI_Graph_neighbors(*a0, *a1, *a2, a3), error); }
void mpi_dist_graph_neighbors_count_(MPI_Comm *a0, int *a1, int *a2, int *a3, MPI_Fint *error) { answer(MPI_Dist_graph_neighbors_count(*a0, weights(a1), weights(a2), weights(a3)), error); }
void mpi_dist_graph_neighbors_(MPI_Comm *a0, int *a1, int *a2, int *a3, int *a4, int *a5, int *a6, MPI_Fint *error) { answer(MPI_Dist_graph_neighbors(*a0, *a1, weights(a2), weights(a3), *a4, weights(a5), weights(a6)), error); }
void mpi_cart_shift_(MPI_Comm *a0, int *a1, int *a2, int *a3, int *a4, MPI_Fint *error) { answer(MPI_Cart_shift(*a0, *a1, *a2, a3, a4), error); }
void mpi_cart_sub_(MPI_Comm *a0, const int *a1, MPI_Comm *a2, MPI_Fint *error) { answer(MPI_Cart_sub(*a0, a1, a2), error); }
void mpi_cart_map_(MPI_Comm *a0, int *a1, const int *a2, const int *a3, int *a4, MPI_Fint *error) { answer(MPI_Cart_map(*a0, *a1, a2, a3, a4), error); }
void mpi_graph_map_(MPI_Comm *a0, int *a1, const int *a2, const int *a3, int *a4, MPI_Fint *error) { answer(MPI_Graph_map(*a0, *a1, a2, a3, a4), error); }
void mpi_neighbor_allgather_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Fint *error) { answer(MPI_Neighbor_allgather(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6), error); }
void mpi_neighbor_allgatherv_(void *a0, int *a1, MPI_Datatype *a2, void *a3, const int *a4, const int *a5, MPI_Datatype *a6, MPI_Comm *a7, MPI_Fint *error) { answer(MPI_Neighbor_allgatherv(buffer(a0), *a1, *a2, buffer(a3), a4, a5, *a6, *a7), error); }
void mpi_neighbor_alltoall_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Fint *error) { answer(MPI_Neighbor_alltoall(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6), error); }
void mpi_neighbor_alltoallv_(void *a0, const int *a1, const int *a2, MPI_Datatype *a3, void *a4, const int *a5, const int *a6, MPI_Datatype *a7, MPI_Comm *a8, MPI_Fint *error) { answer(MPI_Neighbor_alltoallv(buffer(a0), a1, a2, *a3, buffer(a4), a5, a6, *a7, *a8), error); }
void mpi_neighbor_alltoallw_(void *a0, const int *a1, const MPI_Aint *a2, const MPI_Datatype *a3, void *a4, const int *a5, const MPI_Aint *a6, const MPI_Datatype *a7, MPI_Comm *a8, MPI_Fint *error) { answer(MPI_Neighbor_alltoallw(buffer(a0), a1, a2, a3, buffer(a4), a5, a6, a7, *a8), error); }
void mpi_ineighbor_allgather_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Request *a7, MPI_Fint *error) { answer(MPI_Ineighbor_allgather(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, a7), error); }
void mpi_ineighbor_allgatherv_(void *a0, int *a1, MPI_Datatype *a2, void *a3, const int *a4, const int *a5, MPI_Datatype *a6, MPI_Comm *a7, MPI_Request *a8, MPI_Fint *error) { answer(MPI_Ineighbor_allgatherv(buffer(a0), *a1, *a2, buffer(a3), a4, a5, *a6, *a7, a8), error); }
void mpi_ineighbor_alltoall_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, MPI_Comm *a6, MPI_Request *a7, MPI_Fint *error) { answer(MPI_Ineighbor_alltoall(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, a7), error); }
void mpi_ineighbor_alltoallv_(void *a0, const int *a1, const int *a2, MPI_Datatype *a3, void *a4, const int *a5, const int *a6, MPI_Datatype *a7, MPI_Comm *a8, MPI_Request *a9, MPI_Fint *error) { answer(MPI_Ineighbor_alltoallv(buffer(a0), a1, a2, *a3, buffer(a4), a5, a6, *a7, *a8, a9), error); }
void mpi_ineighbor_alltoallw_(void *a0, const int *a1, const MPI_Aint *a2, const MPI_Datatype *a3, void *a4, const int *a5, const MPI_Aint *a6, const MPI_Datatype *a7, MPI_Comm *a8, MPI_Request *a9, MPI_Fint *error) { answer(MPI_Ineighbor_alltoallw(buffer(a0), a1, a2, a3, buffer(a4), a5, a6, a7, *a8, a9), error); }
void mpi_get_version_(int *a0, int *a1, MPI_Fint *error) { answer(MPI_Get_version(a0, a1), error); }
void mpi_alloc_mem_(MPI_Aint *a0, MPI_Info *a1, void *a2, MPI_Fint *error) { answer(MPI_Alloc_mem(*a0, *a1, buffer(a2)), error); }
void mpi_free_mem_(void *a0, MPI_Fint *error) { answer(MPI_Free_mem(buffer(a0)), error); }
void mpi_comm_create_errhandler_(MPI_Comm_errhandler_function *a0, MPI_Errhandler *a1, MPI_Fint *error) { answer(MPI_Comm_create_errhandler(a0, a1), error); }
void mpi_comm_set_errhandler_(MPI_Comm *a0, MPI_Errhandler *a1, MPI_Fint *error) { answer(MPI_Comm_set_errhandler(*a0, *a1), error); }
void mpi_comm_get_errhandler_(MPI_Comm *a0, MPI_Errhandler *a1, MPI_Fint *error) { answer(MPI_Comm_get_errhandler(*a0, a1), error); }
void mpi_win_create_errhandler_(MPI_Win_errhandler_function *a0, MPI_Errhandler *a1, MPI_Fint *error) { answer(MPI_Win_create_errhandler(a0, a1), error); }
void mpi_win_set_errhandler_(MPI_Win *a0, MPI_Errhandler *a1, MPI_Fint *error) { answer(MPI_Win_set_errhandler(*a0, *a1), error); }
void mpi_win_get_errhandler_(MPI_Win *a0, MPI_Errhandler *a1, MPI_Fint *error) { answer(MPI_Win_get_errhandler(*a0, a1), error); }
void mpi_errhandler_free_(MPI_Errhandler *a0, MPI_Fint *error) { answer(MPI_Errhandler_free(a0), error); }
void mpi_error_class_(int *a0, int *a1, MPI_Fint *error) { answer(MPI_Error_class(*a0, a1), error); }
void mpi_add_error_class_(int *a0, MPI_Fint *error) { answer(MPI_Add_error_class(a0), error); }
void mpi_add_error_code_(int *a0, int *a1, MPI_Fint *error) { answer(MPI_Add_error_code(*a0, a1), error); }
void mpi_comm_call_errhandler_(MPI_Comm *a0, int *a1, MPI_Fint *error) { answer(MPI_Comm_call_errhandler(*a0, *a1), error); }
void mpi_win_call_errhandler_(MPI_Win *a0, int *a1, MPI_Fint *error) { answer(MPI_Win_call_errhandler(*a0, *a1), error); }
void mpi_file_create_errhandler_(MPI_File_errhandler_function *a0, MPI_Errhandler *a1, MPI_Fint *error) { answer(MPI_File_create_errhandler(a0, a1), error); }
void mpi_file_set_errhandler_(MPI_File *a0, MPI_Errhandler *a1, MPI_Fint *error) { answer(MPI_File_set_errhandler(*a0, *a1), error); }
void mpi_file_get_errhandler_(MPI_File *a0, MPI_Errhandler *a1, MPI_Fint *error) { answer(MPI_File_get_errhandler(*a0, a1), error); }
void mpi_file_call_errhandler_(MPI_File *a0, int *a1, MPI_Fint *error) { answer(MPI_File_call_errhandler(*a0, *a1), error); }
double mpi_wtime_(void) { return MPI_Wtime(); }
double mpi_wtick_(void) { return MPI_Wtick(); }
void mpi_finalize_(MPI_Fint *error) { answer(MPI_Finalize(), error); }
void mpi_initialized_(int *a0, MPI_Fint *error) { answer(MPI_Initialized(a0), error); }
void mpi_abort_(MPI_Comm *a0, int *a1, MPI_Fint *error) { answer(MPI_Abort(*a0, *a1), error); }
void mpi_finalized_(int *a0, MPI_Fint *error) { answer(MPI_Finalized(a0), error); }
void mpi_info_create_(MPI_Info *a0, MPI_Fint *error) { answer(MPI_Info_create(a0), error); }
void mpi_info_get_nkeys_(MPI_Info *a0, int *a1, MPI_Fint *error) { answer(MPI_Info_get_nkeys(*a0, a1), error); }
void mpi_info_dup_(MPI_Info *a0, MPI_Info *a1, MPI_Fint *error) { answer(MPI_Info_dup(*a0, a1), error); }
void mpi_info_free_(MPI_Info *a0, MPI_Fint *error) { answer(MPI_Info_free(a0), error); }
void mpi_comm_disconnect_(MPI_Comm *a0, MPI_Fint *error) { answer(MPI_Comm_disconnect(a0), error); }
void mpi_win_create_(void *a0, MPI_Aint *a1, int *a2, MPI_Info *a3, MPI_Comm *a4, MPI_Win *a5, MPI_Fint *error) { answer(MPI_Win_create(buffer(a0), *a1, *a2, *a3, *a4, a5), error); }
void mpi_win_allocate_(MPI_Aint *a0, int *a1, MPI_Info *a2, MPI_Comm *a3, void *a4, MPI_Win *a5, MPI_Fint *error) { answer(MPI_Win_allocate(*a0, *a1, *a2, *a3, buffer(a4), a5), error); }
void mpi_win_allocate_shared_(MPI_Aint *a0, int *a1, MPI_Info *a2, MPI_Comm *a3, void *a4, MPI_Win *a5, MPI_Fint *error) { answer(MPI_Win_allocate_shared(*a0, *a1, *a2, *a3, buffer(a4), a5), error); }
void mpi_win_shared_query_(MPI_Win *a0, int *a1, MPI_Aint *a2, int *a3, void *a4, MPI_Fint *error) { answer(MPI_Win_shared_query(*a0, *a1, a2, a3, buffer(a4)), error); }
void mpi_win_create_dynamic_(MPI_Info *a0, MPI_Comm *a1, MPI_Win *a2, MPI_Fint *error) { answer(MPI_Win_create_dynamic(*a0, *a1, a2), error); }
void mpi_win_attach_(MPI_Win *a0, void *a1, MPI_Aint *a2, MPI_Fint *error) { answer(MPI_Win_attach(*a0, buffer(a1), *a2), error); }
void mpi_win_detach_(MPI_Win *a0, void *a1, MPI_Fint *error) { answer(MPI_Win_detach(*a0, buffer(a1)), error); }
void mpi_win_free_(MPI_Win *a0, MPI_Fint *error) { answer(MPI_Win_free(a0), error); }
void mpi_win_get_group_(MPI_Win *a0, MPI_Group *a1, MPI_Fint *error) { answer(MPI_Win_get_group(*a0, a1), error); }
void mpi_win_set_info_(MPI_Win *a0, MPI_Info *a1, MPI_Fint *error) { answer(MPI_Win_set_info(*a0, *a1), error); }
void mpi_win_get_info_(MPI_Win *a0, MPI_Info *a1, MPI_Fint *error) { answer(MPI_Win_get_info(*a0, a1), error); }
void mpi_put_(void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, int *a5, MPI_Datatype *a6, MPI_Win *a7, MPI_Fint *error) { answer(MPI_Put(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7), error); }
void mpi_get_(void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, int *a5, MPI_Datatype *a6, MPI_Win *a7, MPI_Fint *error) { answer(MPI_Get(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7), error); }
void mpi_accumulate_(void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, int *a5, MPI_Datatype *a6, MPI_Op *a7, MPI_Win *a8, MPI_Fint *error) { answer(MPI_Accumulate(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7, *a8), error); }
void mpi_get_accumulate_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, int *a6, MPI_Aint *a7, int *a8, MPI_Datatype *a9, MPI_Op *a10, MPI_Win *a11, MPI_Fint *error) { answer(MPI_Get_accumulate(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, *a7, *a8, *a9, *a10, *a11), error); }
void mpi_fetch_and_op_(void *a0, void *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, MPI_Op *a5, MPI_Win *a6, MPI_Fint *error) { answer(MPI_Fetch_and_op(buffer(a0), buffer(a1), *a2, *a3, *a4, *a5, *a6), error); }
void mpi_compare_and_swap_(void *a0, void *a1, void *a2, MPI_Datatype *a3, int *a4, MPI_Aint *a5, MPI_Win *a6, MPI_Fint *error) { answer(MPI_Compare_and_swap(buffer(a0), buffer(a1), buffer(a2), *a3, *a4, *a5, *a6), error); }
void mpi_rput_(void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, int *a5, MPI_Datatype *a6, MPI_Win *a7, MPI_Request *a8, MPI_Fint *error) { answer(MPI_Rput(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7, a8), error); }
void mpi_rget_(void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, int *a5, MPI_Datatype *a6, MPI_Win *a7, MPI_Request *a8, MPI_Fint *error) { answer(MPI_Rget(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7, a8), error); }
void mpi_raccumulate_(void *a0, int *a1, MPI_Datatype *a2, int *a3, MPI_Aint *a4, int *a5, MPI_Datatype *a6, MPI_Op *a7, MPI_Win *a8, MPI_Request *a9, MPI_Fint *error) { answer(MPI_Raccumulate(buffer(a0), *a1, *a2, *a3, *a4, *a5, *a6, *a7, *a8, a9), error); }
void mpi_rget_accumulate_(void *a0, int *a1, MPI_Datatype *a2, void *a3, int *a4, MPI_Datatype *a5, int *a6, MPI_Aint *a7, int *a8, MPI_Datatype *a9, MPI_Op *a10, MPI_Win *a11, MPI_Request *a12, MPI_Fint *error) { answer(MPI_Rget_accumulate(buffer(a0), *a1, *a2, buffer(a3), *a4, *a5, *a6, *a7, *a8, *a9, *a10, *a11, a12), error); }
void mpi_win_fence_(int *a0, MPI_Win *a1, MPI_Fint *error) { answer(MPI_Win_fence(*a0, *a1), error); }
void mpi_win_start_(MPI_Group *a0, int *a1, MPI_Win *a2, MPI_Fint *error) { answer(MPI_Win_start(*a0, *a1, *a2), error); }
void mpi_win_complete_(MPI_Win *a0, MPI_Fint *error) { answer(MPI_Win_complete(*a0), error); }
void mpi_win_post_(MPI_Group *a0, int *a1, MPI_Win *a2, MPI_Fint *error) { answer(MPI_Win_post(*a0, *a1, *a2), error); }
void mpi_win_wait_(MPI_Win *a0, MPI_Fint *error) { answer(MPI_Win_wait(*a0), error); }
void mpi_win_test_(MPI_Win *a0, int *a1, MPI_Fint *error) { answer(MPI_Win_test(*a0, a1), error); }
void mpi_win_lock_(int *a0, int *a1, int *a2, MPI_Win *a3, MPI_Fint *error) { answer(MPI_Win_lock(*a0, *a1, *a2, *a3), error); }
void mpi_win_lock_all_(int *a0, MPI_Win *a1, MPI_Fint *error) { answer(MPI_Win_lock_all(*a0, *a1), error); }
void mpi_win_unlock_(int *a0, MPI_Win *a1, MPI_Fint *error) { answer(MPI_Win_unlock(*a0, *a1), error); }
void mpi_win_unlock_all_(MPI_Win *a0, MPI_Fint *error) { answer(MPI_Win_unlock_all(*a0), error); }
void mpi_win_flush_(int *a0, MPI_Win *a1, MPI_Fint *error) { answer(MPI_Win_flush(*a0, *a1), error); }
void mpi_win_flush_all_(MPI_Win *a0, MPI_Fint *error) { answer(MPI_Win_flush_all(*a0), error); }
void mpi_win_flush_local_(int *a0, MPI_Win *a1, MPI_Fint *error) { answer(MPI_Win_flush_local(*a0, *a1), error); }
void mpi_win_flush_local_all_(MPI_Win *a0, MPI_Fint *error) { answer(MPI_Win_flush_local_all(*a0), error); }
void mpi_win_sync_(MPI_Win *a0, MPI_Fint *error) { answer(MPI_Win_sync(*a0), error); }
void mpi_grequest_complete_(MPI_Request *a0, MPI_Fint *error) { answer(MPI_Grequest_complete(*a0), error); }
void mpi_status_set_elements_(MPI_Status *a0, MPI_Datatype *a1, int *a2, MPI_Fint *error) { answer(MPI_Status_set_elements(status(a0), *a1, *a2), error); }
void mpi_status_set_elements_x_(MPI_Status *a0, MPI_Datatype *a1, MPI_Count *a2, MPI_Fint *error) { answer(MPI_Status_set_elements_x(status(a0), *a1, *a2), error); }
void mpi_status_set_cancelled_(MPI_Status *a0, int *a1, MPI_Fint *error) { answer(MPI_Status_set_cancelled(status(a0), *a1), error); }
void mpi_query_thread_(int *a0, MPI_Fint *error) { answer(MPI_Query_thread(a0), error); }
void mpi_is_thread_main_(int *a0, MPI_Fint *error) { answer(MPI_Is_thread_main(a0), error); }
void mpi_file_close_(MPI_File *a0, MPI_Fint *error) { answer(MPI_File_close(a0), error); }
void mpi_file_set_size_(MPI_File *a0, MPI_Offset *a1, MPI_Fint *error) { answer(MPI_File_set_size(*a0, *a1), error); }
void mpi_file_preallocate_(MPI_File *a0, MPI_Offset *a1, MPI_Fint *error) { answer(MPI_File_preallocate(*a0, *a1), error); }
void mpi_file_get_size_(MPI_File *a0, MPI_Offset *a1, MPI_Fint *error) { answer(MPI_File_get_size(*a0, a1), error); }
void mpi_file_get_group_(MPI_File *a0, MPI_Group *a1, MPI_Fint *error) { answer(MPI_File_get_group(*a0, a1), error); }
void mpi_file_get_amode_(MPI_File *a0, int *a1, MPI_Fint *error) { answer(MPI_File_get_amode(*a0, a1), error); }
void mpi_file_set_info_(MPI_File *a0, MPI_Info *a1, MPI_Fint *error) { answer(MPI_File_set_info(*a0, *a1), error); }
void mpi_file_get_info_(MPI_File *a0, MPI_Info *a1, MPI_Fint *error) { answer(MPI_File_get_info(*a0, a1), error); }
void mpi_file_read_at_(MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Status *a5, MPI_Fint *error) { answer(MPI_File_read_at(*a0, *a1, buffer(a2), *a3, *a4, status(a5)), error); }
void mpi_file_read_at_all_(MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Status *a5, MPI_Fint *error) { answer(MPI_File_read_at_all(*a0, *a1, buffer(a2), *a3, *a4, status(a5)), error); }
void mpi_file_iread_at_(MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Request *a5, MPI_Fint *error) { answer(MPI_File_iread_at(*a0, *a1, buffer(a2), *a3, *a4, a5), error); }
void mpi_file_iread_at_all_(MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Request *a5, MPI_Fint *error) { answer(MPI_File_iread_at_all(*a0, *a1, buffer(a2), *a3, *a4, a5), error); }
void mpi_file_read_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error) { answer(MPI_File_read(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
void mpi_file_read_all_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error) { answer(MPI_File_read_all(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
void mpi_file_read_shared_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error) { answer(MPI_File_read_shared(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
void mpi_file_read_ordered_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error) { answer(MPI_File_read_ordered(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
void mpi_file_iread_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Request *a4, MPI_Fint *error) { answer(MPI_File_iread(*a0, buffer(a1), *a2, *a3, a4), error); }
void mpi_file_iread_all_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Request *a4, MPI_Fint *error) { answer(MPI_File_iread_all(*a0, buffer(a1), *a2, *a3, a4), error); }
void mpi_file_iread_shared_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Request *a4, MPI_Fint *error) { answer(MPI_File_iread_shared(*a0, buffer(a1), *a2, *a3, a4), error); }
void mpi_file_read_at_all_begin_(MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Fint *error) { answer(MPI_File_read_at_all_begin(*a0, *a1, buffer(a2), *a3, *a4), error); }
void mpi_file_read_all_begin_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Fint *error) { answer(MPI_File_read_all_begin(*a0, buffer(a1), *a2, *a3), error); }
void mpi_file_read_ordered_begin_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Fint *error) { answer(MPI_File_read_ordered_begin(*a0, buffer(a1), *a2, *a3), error); }
void mpi_file_read_at_all_end_(MPI_File *a0, void *a1, MPI_Status *a2, MPI_Fint *error) { answer(MPI_File_read_at_all_end(*a0, buffer(a1), status(a2)), error); }
void mpi_file_read_all_end_(MPI_File *a0, void *a1, MPI_Status *a2, MPI_Fint *error) { answer(MPI_File_read_all_end(*a0, buffer(a1), status(a2)), error); }
void mpi_file_read_ordered_end_(MPI_File *a0, void *a1, MPI_Status *a2, MPI_Fint *error) { answer(MPI_File_read_ordered_end(*a0, buffer(a1), status(a2)), error); }
void mpi_file_write_at_(MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Status *a5, MPI_Fint *error) { answer(MPI_File_write_at(*a0, *a1, buffer(a2), *a3, *a4, status(a5)), error); }
void mpi_file_write_at_all_(MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Status *a5, MPI_Fint *error) { answer(MPI_File_write_at_all(*a0, *a1, buffer(a2), *a3, *a4, status(a5)), error); }
void mpi_file_iwrite_at_(MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Request *a5, MPI_Fint *error) { answer(MPI_File_iwrite_at(*a0, *a1, buffer(a2), *a3, *a4, a5), error); }
void mpi_file_iwrite_at_all_(MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Request *a5, MPI_Fint *error) { answer(MPI_File_iwrite_at_all(*a0, *a1, buffer(a2), *a3, *a4, a5), error); }
void mpi_file_write_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error) { answer(MPI_File_write(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
void mpi_file_write_all_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error) { answer(MPI_File_write_all(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
void mpi_file_write_shared_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error) { answer(MPI_File_write_shared(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
void mpi_file_write_ordered_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Status *a4, MPI_Fint *error) { answer(MPI_File_write_ordered(*a0, buffer(a1), *a2, *a3, status(a4)), error); }
void mpi_file_iwrite_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Request *a4, MPI_Fint *error) { answer(MPI_File_iwrite(*a0, buffer(a1), *a2, *a3, a4), error); }
void mpi_file_iwrite_all_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Request *a4, MPI_Fint *error) { answer(MPI_File_iwrite_all(*a0, buffer(a1), *a2, *a3, a4), error); }
void mpi_file_iwrite_shared_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Request *a4, MPI_Fint *error) { answer(MPI_File_iwrite_shared(*a0, buffer(a1), *a2, *a3, a4), error); }
void mpi_file_write_at_all_begin_(MPI_File *a0, MPI_Offset *a1, void *a2, int *a3, MPI_Datatype *a4, MPI_Fint *error) { answer(MPI_File_write_at_all_begin(*a0, *a1, buffer(a2), *a3, *a4), error); }
void mpi_file_write_all_begin_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Fint *error) { answer(MPI_File_write_all_begin(*a0, buffer(a1), *a2, *a3), error); }
void mpi_file_write_ordered_begin_(MPI_File *a0, void *a1, int *a2, MPI_Datatype *a3, MPI_Fint *error) { answer(MPI_File_write_ordered_begin(*a0, buffer(a1), *a2, *a3), error); }
void mpi_file_write_at_all_end_(MPI_File *a0, void *a1, MPI_Status *a2, MPI_Fint *error) { answer(MPI_File_write_at_all_end(*a0, buffer(a1), status(a2)), error); }
void mpi_file_write_all_end_(MPI_File *a0, void *a1, MPI_Status *a2, MPI_Fint *error) { answer(MPI_File_write_all_end(*a0, buffer(a1), status(a2)), error); }
void mpi_file_write_ordered_end_(MPI_File *a0, void *a1, MPI_Status *a2, MPI_Fint *error) { answer(MPI_File_write_ordered_end(*a0, buffer(a1), status(a2)), error); }
void mpi_file_seek_(MPI_File *a0, MPI_Offset *a1, int *a2, MPI_Fint *error) { answer(MPI_File_seek(*a0, *a1, *a2), error); }
void mpi_file_get_position_(MPI_File *a0, MPI_Offset *a1, MPI_Fint *error) { answer(MPI_File_get_position(*a0, a1), error); }
void mpi_file_get_byte_offset_(MPI_File *a0, MPI_Offset *a1, MPI_Offset *a2, MPI_Fint *error) { answer(MPI_File_get_byte_offset(*a0, *a1, a2), error); }
void mpi_file_seek_shared_(MPI_File *a0, MPI_Offset *a1, int *a2, MPI_Fint *error) { answer(MPI_File_seek_shared(*a0, *a1, *a2), error); }
void mpi_file_get_position_shared_(MPI_File *a0, MPI_Offset *a1, MPI_Fint *error) { answer(MPI_File_get_position_shared(*a0, a1), error); }
void mpi_file_get_type_extent_(MPI_File *a0, MPI_Datatype *a1, MPI_Aint *a2, MPI_Fint *error) { answer(MPI_File_get_type_extent(*a0, *a1, a2), error); }
void mpi_file_set_atomicity_(MPI_File *a0, int *a1, MPI_Fint *error) { answer(MPI_File_set_atomicity(*a0, *a1), error); }
void mpi_file_get_atomicity_(MPI_File *a0, int *a1, MPI_Fint *error) { answer(MPI_File_get_atomicity(*a0, a1), error); }
void mpi_file_sync_(MPI_File *a0, MPI_Fint *error) { answer(MPI_File_sync(*a0), error); }
void mpi_type_match_size_(int *a0, int *a1, MPI_Datatype *a2, MPI_Fint *error) { answer(MPI_Type_match_size(*a0, *a1, a2), error); }
void mpi_attr_delete_(MPI_Comm *a0, int *a1, MPI_Fint *error) { answer(MPI_Attr_delete(*a0, *a1), error); }
void mpi_keyval_free_(int *a0, MPI_Fint *error) { answer(MPI_Keyval_free(a0), error); }
void mpi_errhandler_create_(MPI_Handler_function *a0, MPI_Errhandler *a1, MPI_Fint *error) { answer(MPI_Errhandler_create(a0, a1), error); }
void mpi_errhandler_get_(MPI_Comm *a0, MPI_Errhandler *a1, MPI_Fint *error) { answer(MPI_Errhandler_get(*a0, a1), error); }
void mpi_errhandler_set_(MPI_Comm *a0, MPI_Errhandler *a1, MPI_Fint *error) { answer(MPI_Errhandler_set(*a0, *a1), error); }
