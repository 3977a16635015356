! SPDX-License-Identifier: Apache-2.0
! Heat on a plane, in strips: heat N STEPS. Each rank has an N x N part; ranks form a row.
! Regions: relax(n), norm(n) with an allreduce, and boundary(n) with the exchange of columns.
! -DSERIAL builds one rank without MPI, for the core.
program heat
#ifndef SERIAL
  use mpi
#endif
  use psim
  implicit none
  integer :: n, steps, step, i, j, rank, ranks, error
  character(len=16) :: word
  real(8), allocatable :: t(:, :), new(:, :)
  real(8) :: total, change
  rank = 0
  ranks = 1
  error = 0
#ifndef SERIAL
  call mpi_init(error)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  call mpi_comm_size(mpi_comm_world, ranks, error)
#endif
  call get_command_argument(1, word)
  read (word, *) n
  call get_command_argument(2, word)
  read (word, *) steps
  allocate (t(0:n + 1, 0:n + 1), new(0:n + 1, 0:n + 1))
  t = 0
  t(0, :) = 100
  new = t
  do step = 1, steps
    call psim_region_begin("boundary", n)
    call exchange()
    call psim_region_end("boundary")
    call psim_region_begin("relax", n)
    do j = 1, n
      do i = 1, n
        new(i, j) = 0.25d0*(t(i - 1, j) + t(i + 1, j) + t(i, j - 1) + t(i, j + 1))
      end do
    end do
    call psim_region_end("relax")
    call psim_region_begin("norm", n)
    change = 0
    do j = 1, n
      do i = 1, n
        change = change + (new(i, j) - t(i, j))**2
        t(i, j) = new(i, j)
      end do
    end do
    total = change
#ifndef SERIAL
    call mpi_allreduce(change, total, 1, mpi_double_precision, mpi_sum, mpi_comm_world, error)
#endif
    call psim_region_end("norm")
  end do
  if (rank == 0) write (*, "(a, f14.6)") "change ", total
#ifndef SERIAL
  call mpi_finalize(error)
#endif

contains

  ! Strips end at columns 0 and n + 1; without a neighbour a column is that of the edge.
  subroutine exchange()
#ifndef SERIAL
    integer :: left, right, status(mpi_status_size)
    left = merge(rank - 1, mpi_proc_null, rank > 0)
    right = merge(rank + 1, mpi_proc_null, rank < ranks - 1)
    call mpi_sendrecv(t(1, n), n, mpi_double_precision, right, 0, t(1, 0), n, mpi_double_precision, left, 0, &
                      mpi_comm_world, status, error)
    call mpi_sendrecv(t(1, 1), n, mpi_double_precision, left, 1, t(1, n + 1), n, mpi_double_precision, right, 1, &
                      mpi_comm_world, status, error)
#endif
    if (rank == 0) t(1:n, 0) = t(1:n, 1)
    if (rank == ranks - 1) t(1:n, n + 1) = t(1:n, n)
  end subroutine
end program
