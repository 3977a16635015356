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

  n = size_argument(65536, 1)
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
  integer function size_argument(otherwise, step) result(n)
    integer, intent(in) :: otherwise, step
    character(32) :: word
    integer :: status
    n = otherwise
    status = 0
    if (command_argument_count() > 0) then
      call get_command_argument(1, word)
      read (word, *, iostat=status) n
    end if
    if (status == 0 .and. command_argument_count() < 2 .and. n > 0 .and. mod(n, step) == 0) return
    write (error_unit, '(a, i0, a, i0)') 'usage: triad [N = ', otherwise, ']: N is a positive multiple of ', step
    stop 2, quiet=.true.
  end function

  ! Numbers that repeat after 3 * period; element i, from 0 on, of an array.
  pure real(8) function number(i, period)
    integer, intent(in) :: i, period
    number = mod(i, period) - period / 2 + 0.125d0 * mod(i, 3)
  end function

  ! A weighted sum in units of 1/64, the unit of products.
  pure integer(8) function checksum(x)
    real(8), intent(in) :: x(:)
    integer :: i
    checksum = 0
    do i = 1, size(x)
      checksum = checksum + int(64 * x(i), 8) * (mod(i - 1, 5) + 1)
    end do
  end function
end program
