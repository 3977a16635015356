! SPDX-License-Identifier: Apache-2.0
! A skeleton in Fortran: a region that can be left out, and the calls of BSIM.
program skeleton
  use lmpi
  use psim
  implicit none
  integer :: rank, ierror, executed
  double precision :: small
  executed = 0
  call LMPI_Init(ierror)
  call LMPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  if (psim_region_runs("product", 64, 3)) then
    executed = 1
    call psim_region_end("product")
  end if
  call BSIM_Add_model("product", 64, 2)
  call BSIM_Add_time(1d-6)
  small = rank
  call LMPI_Allreduce(MPI_IN_PLACE, small, 100000, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (LMPI_Wtime() < 1d-6) stop 3
  print '(a,i0,a,i0)', 'rank ', rank, ' executed ', executed
  call LMPI_Finalize(ierror)
end program
