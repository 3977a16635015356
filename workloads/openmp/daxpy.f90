! SPDX-License-Identifier: Apache-2.0
! y = y + s x.
! Usage: daxpy [N = 65536]
module daxpy_kernel
  implicit none
contains
  subroutine daxpy(n, s, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: s, x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    !$omp target teams distribute parallel do map(to: x) map(tofrom: y)
    do i = 1, n
      y(i) = y(i) + s * x(i)
    end do
  end subroutine
end module

program daxpy_program
  use, intrinsic :: iso_fortran_env, only: error_unit
  use daxpy_kernel
  implicit none
  real(8), parameter :: s = 0.375d0
  real(8), allocatable :: x(:), y(:), before(:)
  integer :: n, i, wrong
  integer(8) :: total

  n = size_argument('daxpy', 65536, 1)
  allocate (x(n), y(n))
  x = [(number(i, 7), i=0, n - 1)]
  y = [(number(i, 5), i=0, n - 1)]
  before = y
  call daxpy(n, s, x, y)

  wrong = 0
  do i = 1, n
    if (y(i) /= before(i) + s * x(i)) wrong = wrong + 1
  end do
  total = checksum(y)
  print '(a, i0, a, i0, a, i0)', 'daxpy n=', n, ' wrong=', wrong, ' checksum=', total
  if (wrong /= 0) stop 1
contains
  include 'kernel.inc'
end program
