! SPDX-License-Identifier: Apache-2.0
! A halo exchange: Jacobi steps on a line that is split among the ranks.
program halo
  use mpi
  implicit none
  integer, parameter :: n = 400, steps = 4
  integer :: ierr, rank, ranks, left, right, step, i, requests(4)
  real(8) :: u(0:n + 1), v(n), norm, total

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  left = merge(MPI_PROC_NULL, rank - 1, rank == 0)
  right = merge(MPI_PROC_NULL, rank + 1, rank == ranks - 1)
  u = 0
  do i = 1, n
    u(i) = mod(rank*n + i, 17)
  end do
  do step = 1, steps
    call MPI_Irecv(u(0), 1, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Irecv(u(n + 1), 1, MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Isend(u(n), 1, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(3), ierr)
    call MPI_Isend(u(1), 1, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, requests(4), ierr)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
    do i = 1, n
      v(i) = 0.5d0*(u(i - 1) + u(i + 1))
    end do
    norm = sum((v - u(1:n))**2)
    u(1:n) = v
    call MPI_Allreduce(norm, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(a, i0, a, f14.6)', 'step ', step, ': ', total
  end do
  call MPI_Finalize(ierr)
end program
