! Three regions: assemble(n), solve(n, steps) with an allreduce in each step, and output.
program three_regions
  use mpi
  use psim
  implicit none
  integer, parameter :: n = 96, steps = 4
  integer :: rank, error, i, step
  character(len=16) :: what
  real(8) :: a(n), norm, total, begin

  call mpi_init(error)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  call get_command_argument(1, what)
  call mpi_barrier(mpi_comm_world, error)
  begin = mpi_wtime()
  call psim_region_begin("assemble", n)
  a = [(real(i, 8), i=1, n)]
  call psim_region_end("assemble")
  if (what == "twice" .and. rank == 1) call psim_region_begin("solve", n)
  call psim_region_begin("solve", n, steps)
  do step = 1, steps
    a = a*0.5d0
    norm = sum(a)
    call mpi_allreduce(norm, total, 1, mpi_double_precision, mpi_sum, mpi_comm_world, error)
  end do
  call psim_region_end("solve")
  call psim_region_begin("output")
  if (rank == 0) write (*, "(f12.6)") total
  call psim_region_end("output")
  write (*, "(a, i0, f14.9)") "rank ", rank, mpi_wtime() - begin
  call mpi_finalize(error)
end program
