! SPDX-License-Identifier: Apache-2.0
! Statuses at addresses that are multiples of 4 bytes only.
program statuses
  use mpi
  implicit none
  integer :: one, first(MPI_STATUS_SIZE), second(MPI_STATUS_SIZE), three(MPI_STATUS_SIZE, 3)
  common /places/ one, first, second, three
  integer :: me, ierr, got(3), values(8), sums(3)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  values = me
  call MPI_Sendrecv_replace(values, 8, MPI_INTEGER, 1 - me, 0, 1 - me, 0, MPI_COMM_WORLD, first, ierr)
  call MPI_Sendrecv_replace(values, 8, MPI_INTEGER, 1 - me, 0, 1 - me, 0, MPI_COMM_WORLD, second, ierr)
  call MPI_Get_count(first, MPI_INTEGER, got(1), ierr)
  call MPI_Isend(me, 1, MPI_INTEGER, 1 - me, 0, MPI_COMM_WORLD, got(2), ierr)
  call MPI_Irecv(one, 1, MPI_INTEGER, 1 - me, 0, MPI_COMM_WORLD, got(3), ierr)
  call MPI_Waitall(2, got(2:3), three, ierr)
  values(1:3) = [values(1), second(MPI_SOURCE) + one, got(1)]
  call MPI_Reduce(values, sums, 3, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) print '(3(i0,1x))', sums
  call MPI_Finalize(ierr)
end program
