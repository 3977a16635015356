! SPDX-License-Identifier: Apache-2.0
! Structured blocks with several loops, and with code between them.
module work
  implicit none
contains
  subroutine steps(n, x, m, total)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(:), m(:, :), total
    real(8), allocatable :: z(:)
    real(8) :: t, factor
    integer :: i, j, step
    allocate (z(n))
    factor = 0.5d0
    !$omp target teams map(tofrom: x, m, z, total)
    !$omp parallel private(t, step) firstprivate(factor)
    do step = 1, 3
      !$omp do
      do i = 1, n
        t = x(i)*factor
        x(i) = t + step
        z(i) = t
      end do
      !$omp end do nowait
      factor = factor + 0.25d0
      !$omp barrier
      !$omp do private(t)
      do j = 1, n
        t = z(j)
        do i = 1, n
          m(i, j) = m(i, j) + t*x(i)
        end do
      end do
      !$omp end do
      !$omp single
      x(1) = m(2, 2)
      !$omp end single
    end do
    !$omp do reduction(+: total)
    do i = 1, n
      total = total + z(i)
    end do
    !$omp end parallel
    !$omp end target teams
    deallocate (z)
  end subroutine

  subroutine two(x, y)
    real(8), intent(inout) :: x(0:), y(0:)
    integer :: i
    !$omp target parallel map(tofrom: x, y)
    !$omp do
    do i = 0, size(x) - 1
      x(i) = x(i) - y(i)
    end do
    !$omp end do
    !$omp do schedule(static)
    do i = size(x) - 1, 0, -1
      y(i) = merge(x(i), y(i), x(i) > 0)
    end do
    !$omp end do
    !$omp end target parallel
  end subroutine
end module

program blocks
  use work
  implicit none
  integer, parameter :: n = 37
  real(8) :: x(n), y(0:n - 1), m(n, n), total
  integer :: i, j
  do i = 1, n
    x(i) = mod(i*37, 11) - 5
    y(i - 1) = mod(i*29, 7) - 3
    do j = 1, n
      m(j, i) = mod(i*j, 13)
    end do
  end do
  total = 1
  call steps(n, x, m, total)
  print '(3f20.6)', sum(x), sum(m), total
  call two(x, y)
  print '(2f20.6)', sum(x), sum(y*x)
end program
