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

  n = size_argument('select', 65536, 8)
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
  include 'kernel.inc'
end program
