! SPDX-License-Identifier: Apache-2.0
! Ranks of Fortran on a ring: each computes 20 us, passes 6,000 bytes to the right and a short message to the left, and takes part
! in a sum, four times. The integers are checked.
program ring
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  interface
    integer(c_int) function usleep(microseconds) bind(c)
      import :: c_int
      integer(c_int), value :: microseconds
    end function
  end interface
  integer, parameter :: words = 1500, rounds = 4
  integer :: me, n, left, right, round, total, wrong, short, got, ierr
  integer :: mine(words), from_left(words), status(mpi_status_size)
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, n, ierr)
  right = mod(me + 1, n)
  left = mod(me + n - 1, n)
  wrong = 0
  do round = 1, rounds
    mine = 1000 * round + me
    ierr = usleep(20)
    call mpi_sendrecv(mine, words, mpi_integer, right, round, from_left, words, mpi_integer, left, round, &
                      mpi_comm_world, status, ierr)
    if (any(from_left /= 1000 * round + left)) wrong = wrong + 1
    short = me
    call mpi_sendrecv(short, 1, mpi_integer, left, 50, got, 1, mpi_integer, right, 50, mpi_comm_world, status, ierr)
    if (got /= right) wrong = wrong + 1
    call mpi_allreduce(me, total, 1, mpi_integer, mpi_sum, mpi_comm_world, ierr)
    if (total /= n * (n - 1) / 2) wrong = wrong + 1
  end do
  call mpi_reduce(wrong, total, 1, mpi_integer, mpi_sum, 0, mpi_comm_world, ierr)
  if (me == 0) print "(a,i0,a,i0)", "ring of ", n, " ranks, wrong=", total
  call mpi_finalize(ierr)
end program
