! SPDX-License-Identifier: Apache-2.0
! Ranks of Fortran in rows and columns: exchanges of all with all first along rows, then along columns, as transpositions of
! spectral programs do, a prefix sum along rows, and a window that neighbours add to.
program transpose
  use mpi
  implicit none
  integer, parameter :: columns = 6, words = 300
  integer :: me, n, row, column, rows, across, down, i, wrong, total, prefix, ierr, window
  integer(mpi_address_kind) :: bytes, where
  integer, allocatable :: out(:, :), in(:, :)
  integer :: counter
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, n, ierr)
  rows = n / columns
  row = me / columns
  column = mod(me, columns)
  wrong = 0
  call mpi_comm_split(mpi_comm_world, row, column, across, ierr)
  call mpi_comm_split(mpi_comm_world, column, row, down, ierr)

  allocate(out(words, columns), in(words, columns))
  do i = 1, columns
    out(:, i) = 1000 * me + i
  end do
  call mpi_alltoall(out, words, mpi_integer, in, words, mpi_integer, across, ierr)
  do i = 1, columns
    if (any(in(:, i) /= 1000 * (row * columns + i - 1) + column + 1)) wrong = wrong + 1
  end do
  deallocate(out, in)

  allocate(out(words, rows), in(words, rows))
  do i = 1, rows
    out(:, i) = 1000 * me + i
  end do
  call mpi_alltoall(out, words, mpi_integer, in, words, mpi_integer, down, ierr)
  do i = 1, rows
    if (any(in(:, i) /= 1000 * ((i - 1) * columns + column) + row + 1)) wrong = wrong + 1
  end do
  deallocate(out, in)

  call mpi_scan(column, prefix, 1, mpi_integer, mpi_sum, across, ierr)
  if (prefix /= column * (column + 1) / 2) wrong = wrong + 1

  counter = 0
  bytes = 4
  where = 0
  call mpi_win_create(counter, bytes, 4, mpi_info_null, mpi_comm_world, window, ierr)
  call mpi_win_fence(0, window, ierr)
  call mpi_accumulate(me, 1, mpi_integer, mod(me + 1, n), where, 1, mpi_integer, mpi_sum, window, ierr)
  call mpi_accumulate(1, 1, mpi_integer, mod(me + n - 1, n), where, 1, mpi_integer, mpi_sum, window, ierr)
  call mpi_win_fence(0, window, ierr)
  if (counter /= mod(me + n - 1, n) + 1) wrong = wrong + 1
  call mpi_win_free(window, ierr)

  call mpi_reduce(wrong, total, 1, mpi_integer, mpi_sum, 0, mpi_comm_world, ierr)
  if (me == 0) print "(a,i0,a,i0,a,i0)", "transpose of ", rows, "x", columns, " ranks, wrong=", total
  call mpi_comm_free(across, ierr)
  call mpi_comm_free(down, ierr)
  call mpi_finalize(ierr)
end program
