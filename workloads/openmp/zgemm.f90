! SPDX-License-Identifier: Apache-2.0
! Complex C = C + A B of order N. An iteration of the distributed loop makes a column of C, in blocks of 4×1. Products are
! written in real arithmetic: the compiler then needs four multiply-adds for each.
! Usage: zgemm [N = 128]. N is a multiple of 4.
module zgemm_kernel
  implicit none
contains
  subroutine zgemm(n, a, b, c)
    integer, intent(in) :: n
    complex(8), intent(in) :: a(n, n), b(n, n)
    complex(8), intent(inout) :: c(n, n)
    integer, parameter :: rows = 4
    real(8) :: re(rows), im(rows)
    integer :: i, j, k, x
    !$omp target teams distribute parallel do map(to: a, b) map(tofrom: c) private(re, im)
    do j = 1, n
      do i = 1, n, rows
        do x = 1, rows
          re(x) = c(i + x - 1, j)%re
          im(x) = c(i + x - 1, j)%im
        end do
        do k = 1, n
          do x = 1, rows
            re(x) = re(x) + a(i + x - 1, k)%re * b(k, j)%re
            re(x) = re(x) - a(i + x - 1, k)%im * b(k, j)%im
            im(x) = im(x) + a(i + x - 1, k)%re * b(k, j)%im
            im(x) = im(x) + a(i + x - 1, k)%im * b(k, j)%re
          end do
        end do
        do x = 1, rows
          c(i + x - 1, j)%re = re(x)
          c(i + x - 1, j)%im = im(x)
        end do
      end do
    end do
  end subroutine
end module

program zgemm_program
  use, intrinsic :: iso_fortran_env, only: error_unit
  use zgemm_kernel
  implicit none
  complex(8), allocatable :: a(:, :), b(:, :), c(:, :)
  complex(8) :: sum
  integer :: n, i, j, k, e, wrong
  integer(8) :: total

  n = size_argument('zgemm', 128, 4)
  ! Memory holds the same numbers as in zgemm.c, where the columns are rows.
  a = reshape([(cmplx(number(i, 5), number(i + 1, 5), 8), i=0, 2 * n * n - 1, 2)], [n, n])
  b = reshape([(cmplx(number(i, 7), number(i + 1, 7), 8), i=0, 2 * n * n - 1, 2)], [n, n])
  allocate (c(n, n), source=(0d0, 0d0))
  call zgemm(n, a, b, c)

  ! All sums are exact; of large matrices every 61st element.
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
  total = checksum([(real(c(mod(i, n) + 1, i / n + 1)), aimag(c(mod(i, n) + 1, i / n + 1)), i=0, n * n - 1)])
  print '(a, i0, a, i0, a, i0)', 'zgemm n=', n, ' wrong=', wrong, ' checksum=', total
  if (wrong /= 0) stop 1
contains
  include 'kernel.inc'
end program
