! SPDX-License-Identifier: Apache-2.0
! Module mpi_f08: handles are types, the error argument is optional, and arguments have the standard's names.
program fortran_f08
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: me, size, value, from, bytes
  type(MPI_Datatype) :: kind
  type(MPI_Comm) :: comm
  type(MPI_Status) :: status
  type(MPI_Request) :: request
  type(MPI_Win) :: win
  type(c_ptr) :: base
  integer, pointer :: shared(:)
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
  ! Keywords, in other orders than those of the arguments.
  call MPI_Sendrecv(sendbuf=me, sendcount=1, sendtype=MPI_INTEGER, dest=mod(me + 1, size), sendtag=5, comm=MPI_COMM_WORLD, &
                    recvbuf=from, recvcount=1, recvtype=MPI_INTEGER, source=mod(me + size - 1, size), recvtag=5, status=status)
  call MPI_Reduce(sendbuf=from, recvbuf=value, count=1, datatype=MPI_INTEGER, op=MPI_MAX, comm=MPI_COMM_WORLD, root=0)
  call MPI_Bcast(buffer=value, count=1, datatype=MPI_INTEGER, root=0, comm=MPI_COMM_WORLD)
  print '(a,i0,a,2i4)', 'rank ', me, ' keywords ', from, value
  call MPI_Win_allocate(size=4_MPI_ADDRESS_KIND, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, baseptr=base, win=win)
  call c_f_pointer(base, shared, [1])
  shared(1) = 10 * me
  call MPI_Win_fence(assert=0, win=win)
  call MPI_Get(origin_addr=value, origin_count=1, origin_datatype=MPI_INTEGER, target_rank=mod(me + 1, size), &
               target_disp=0_MPI_ADDRESS_KIND, target_count=1, target_datatype=MPI_INTEGER, win=win)
  call MPI_Win_fence(win=win, assert=0)
  print '(a,i0,a,i4)', 'rank ', me, ' window ', value
  call MPI_Win_free(win=win)
  call MPI_Finalize()
end program
