! SPDX-License-Identifier: Apache-2.0
! a = b + s c, the stream triad.
! Usage: triad [N = 65536]
module triad_kernel
  implicit none
contains
  subroutine triad(n, s, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: s, b(n), c(n)
    real(8), intent(out) :: a(n)
    integer :: i
    !$omp target teams distribute parallel do map(to: b, c) map(from: a)
    do i = 1, n
      a(i) = b(i) + s * c(i)
    end do
  end subroutine
end module

program triad_program
  use, intrinsic :: iso_fortran_env, only: error_unit
  use triad_kernel
  implicit none
  real(8), parameter :: s = 0.375d0
  real(8), allocatable :: a(:), b(:), c(:)
  integer :: n, i, wrong
  integer(8) :: total

  n = size_argument('triad', 65536, 1)
  allocate (a(n), b(n), c(n))
  b = [(number(i, 5), i=0, n - 1)]
  c = [(number(i, 7), i=0, n - 1)]
  call triad(n, s, a, b, c)

  wrong = 0
  do i = 1, n
    if (a(i) /= b(i) + s * c(i)) wrong = wrong + 1
  end do
  total = checksum(a)
  print '(a, i0, a, i0, a, i0)', 'triad n=', n, ' wrong=', wrong, ' checksum=', total
  if (wrong /= 0) stop 1
contains
  include 'kernel.inc'
end program
