! SPDX-License-Identifier: Apache-2.0
! Conditions on the data: MERGE, if and else, a conditional store by if, and WHERE on the columns of a matrix.
! Usage: select [N = 65536]. N is a multiple of 8.
module select_kernel
  implicit none
contains
  subroutine choose(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: c(n)
    integer :: i
    !$omp target teams distribute parallel do map(to: a, b) map(from: c)
    do i = 1, n
      c(i) = merge(a(i) * b(i), b(i) - a(i), a(i) > 0)
    end do
  end subroutine

  subroutine order(n, a, b, low, high)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: low(n), high(n)
    integer :: i
    !$omp target teams distribute parallel do map(to: a, b) map(from: low, high)
    do i = 1, n
      if (a(i) < b(i)) then
        low(i) = a(i)
        high(i) = b(i)
      else
        low(i) = b(i)
        high(i) = a(i)
      end if
    end do
  end subroutine

  subroutine raise_to(n, a, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: c(n)
    integer :: i
    !$omp target teams distribute parallel do map(to: a) map(tofrom: c)
    do i = 1, n
      if (c(i) < a(i)) c(i) = a(i)
    end do
  end subroutine

  ! As choose and raise_to, on columns.
  subroutine choose_where(rows, columns, a, b, c, d)
    integer, intent(in) :: rows, columns
    real(8), intent(in) :: a(rows, columns), b(rows, columns)
    real(8), intent(out) :: c(rows, columns)
    real(8), intent(inout) :: d(rows, columns)
    integer :: j
    !$omp target teams distribute parallel do map(to: a, b) map(from: c) map(tofrom: d)
    do j = 1, columns
      where (a(:, j) > 0)
        c(:, j) = a(:, j) * b(:, j)
      elsewhere
        c(:, j) = b(:, j) - a(:, j)
      end where
      where (d(:, j) < a(:, j)) d(:, j) = a(:, j)
    end do
  end subroutine
end module

program select_program
  use, intrinsic :: iso_fortran_env, only: error_unit
  use select_kernel
  implicit none
  real(8), allocatable :: a(:), b(:), c(:), low(:), high(:), raised(:), chosen_where(:), raised_where(:)
  real(8) :: expected
  integer :: n, i, wrong
  integer(8) :: total

  n = size_argument(65536, 8)
  allocate (a(n), b(n), c(n), low(n), high(n), chosen_where(n))
  a = [(number(i, 7), i=0, n - 1)]
  b = [(number(i, 5), i=0, n - 1)]
  raised = b
  raised_where = b
  call choose(n, a, b, c)
  call order(n, a, b, low, high)
  call raise_to(n, a, raised)
  call choose_where(8, n / 8, a, b, chosen_where, raised_where)

  wrong = 0
  do i = 1, n
    if (a(i) > 0) then
      expected = a(i) * b(i)
    else
      expected = b(i) - a(i)
    end if
    if (c(i) /= expected .or. chosen_where(i) /= expected) wrong = wrong + 1
    if (low(i) /= min(a(i), b(i)) .or. high(i) /= max(a(i), b(i))) wrong = wrong + 1
    if (raised(i) /= max(a(i), b(i)) .or. raised_where(i) /= max(a(i), b(i))) wrong = wrong + 1
  end do
  total = checksum(c) + checksum(low) - checksum(high) + checksum(raised)
  print '(a, i0, a, i0, a, i0)', 'select n=', n, ' wrong=', wrong, ' checksum=', total
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
    write (error_unit, '(a, i0, a, i0)') 'usage: select [N = ', otherwise, ']: N is a positive multiple of ', step
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
