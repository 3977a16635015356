! SPDX-License-Identifier: Apache-2.0
! Rows of matrices, which Fortran stores by columns: each PE has its part of every column.
program fortran_columns
  implicit none
  integer, parameter :: n = 180
  real(8) :: a(n, n), x(n), y(n)
  integer :: i, j
  do j = 1, n
    x(j) = mod(j*29, 17) - 8
    do i = 1, n
      a(i, j) = mod(i*37 + j, 21) - 10
    end do
  end do
  !$omp target teams distribute parallel do map(to: a, x) map(from: y)
  do i = 1, n
    y(i) = 0
    do j = 1, n
      y(i) = y(i) + a(i, j)*x(j)
    end do
  end do
  print '(f20.6)', sum(y*x)
  call scale(n, 40, a, x)
  print '(f20.6)', sum(a)
contains
  subroutine scale(n, m, a, x)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: a(n, n), x(n)
    integer :: i, j
    !$omp target teams distribute parallel do map(tofrom: a) map(to: x)
    do i = 1, n
      do j = 1, m
        a(i, j) = a(i, j)*x(i) - a(i, 1)
      end do
    end do
  end subroutine
end program
