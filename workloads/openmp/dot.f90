! SPDX-License-Identifier: Apache-2.0
! The dot product of x and y.
! Usage: dot [N = 65536]
module dot_kernel
  implicit none
contains
  real(8) function dot(n, x, y) result(sum)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    integer :: i
    sum = 0
    !$omp target teams distribute parallel do map(to: x, y) map(tofrom: sum) reduction(+: sum)
    do i = 1, n
      sum = sum + x(i) * y(i)
    end do
  end function
end module

program dot_program
  use, intrinsic :: iso_fortran_env, only: error_unit
  use dot_kernel
  implicit none
  real(8), allocatable :: x(:), y(:)
  real(8) :: result, expected
  integer :: n, i, wrong
  integer(8) :: total

  n = size_argument('dot', 65536, 1)
  allocate (x(n), y(n))
  x = [(number(i, 7), i=0, n - 1)]
  y = [(number(i, 5), i=0, n - 1)]
  result = dot(n, x, y)

  expected = 0  ! All sums are exact, whatever their order.
  do i = 1, n
    expected = expected + x(i) * y(i)
  end do
  wrong = merge(1, 0, result /= expected)
  total = checksum([result])
  print '(a, i0, a, i0, a, i0)', 'dot n=', n, ' wrong=', wrong, ' checksum=', total
  if (wrong /= 0) stop 1
contains
  include 'kernel.inc'
end program
