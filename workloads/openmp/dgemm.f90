! SPDX-License-Identifier: Apache-2.0
! C = C + A B of order N. An iteration of the distributed loop makes two columns of C, in blocks of 8×2.
! Usage: dgemm [N = 128]. N is a multiple of 8.
module dgemm_kernel
  implicit none
contains
  subroutine dgemm(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(inout) :: c(n, n)
    integer, parameter :: rows = 8, columns = 2
    real(8) :: t(rows, columns)
    integer :: i, j, k, x, y
    !$omp target teams distribute parallel do map(to: a, b) map(tofrom: c) private(t)
    do j = 1, n, columns
      do i = 1, n, rows
        do y = 1, columns
          do x = 1, rows
            t(x, y) = c(i + x - 1, j + y - 1)
          end do
        end do
        do k = 1, n
          do y = 1, columns
            do x = 1, rows
              t(x, y) = t(x, y) + a(i + x - 1, k) * b(k, j + y - 1)
            end do
          end do
        end do
        do y = 1, columns
          do x = 1, rows
            c(i + x - 1, j + y - 1) = t(x, y)
          end do
        end do
      end do
    end do
  end subroutine
end module

program dgemm_program
  use, intrinsic :: iso_fortran_env, only: error_unit
  use dgemm_kernel
  implicit none
  real(8), allocatable :: a(:, :), b(:, :), c(:, :)
  real(8) :: sum
  integer :: n, i, j, k, e, wrong
  integer(8) :: total

  n = size_argument('dgemm', 128, 8)
  ! Memory holds the same numbers as in dgemm.c, where the columns are rows.
  a = reshape([(number(i, 5), i=0, n * n - 1)], [n, n])
  b = reshape([(number(i, 7), i=0, n * n - 1)], [n, n])
  allocate (c(n, n), source=0d0)
  call dgemm(n, a, b, c)

  ! The same products, added in the same order; of large matrices every 61st element.
  wrong = 0
  do e = 0, n * n - 1, merge(61, 1, n > 128)
    i = mod(e, n) + 1
    j = e / n + 1
    sum = 0
    do k = 1, n
      sum = sum + a(i, k) * b(k, j)
    end do
    if (c(i, j) /= sum) wrong = wrong + 1
  end do
  total = checksum(reshape(c, [n * n]))
  print '(a, i0, a, i0, a, i0)', 'dgemm n=', n, ' wrong=', wrong, ' checksum=', total
  if (wrong /= 0) stop 1
contains
  include 'kernel.inc'
end program
