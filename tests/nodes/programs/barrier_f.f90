! SPDX-License-Identifier: Apache-2.0
! Barriers of the SCC board in Fortran.
program barrier
  use mpi
  use scc
  implicit none
  integer :: rank, ierror, i
  double precision :: begin, each
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  ierror = scc_init()
  ierror = scc_barrier()
  begin = MPI_Wtime()
  do i = 1, 10
    ierror = scc_barrier()
  end do
  each = (MPI_Wtime() - begin) / 10
  ierror = scc_fuzzy_barrier()
  ierror = scc_fuzzy_wait()
  if (rank == 0) print '(a, l2)', 'barriers of 1.6 to 3.5 us:', each > 1.59d-6 .and. each < 3.5d-6
  ierror = scc_finalize()
  call MPI_Finalize(ierror)
end program
