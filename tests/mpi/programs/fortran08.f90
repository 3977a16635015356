! SPDX-License-Identifier: Apache-2.0
! Module mpi_f08: handles are types, the error argument is optional.
program fortran_f08
  use mpi_f08
  implicit none
  integer :: me, size, value, from, bytes
  type(MPI_Datatype) :: kind
  type(MPI_Comm) :: comm
  type(MPI_Status) :: status
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  value = me + 1
  call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  print '(a,i0,a,i0)', 'rank ', me, ' sum ', value
  call MPI_Isend(me, 1, MPI_INTEGER, mod(me + 1, size), 3, MPI_COMM_WORLD, request)
  call MPI_Recv(from, 1, MPI_INTEGER, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, status)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  print '(a,i0,a,3i4,l2)', 'rank ', me, ' from', from, status%MPI_SOURCE, status%MPI_TAG, request == MPI_REQUEST_NULL
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Bcast(from, 1, MPI_INTEGER, 0, comm)
  print '(a,i0,a,i0,l2)', 'rank ', me, ' cast ', from, comm == MPI_COMM_WORLD
  call MPI_Comm_free(comm)
  call MPI_Sizeof(me, value)
  call MPI_Sizeof([1d0, 2d0], from)
  call MPI_Type_create_f90_real(15, MPI_UNDEFINED, kind)
  call MPI_Type_size(kind, bytes)
  print '(a,i0,a,3i4)', 'rank ', me, ' sizes', value, from, bytes
  call MPI_Finalize()
end program
