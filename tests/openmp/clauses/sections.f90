! SPDX-License-Identifier: Apache-2.0
! Sections of arrays with strides, of length 0, and of parts of what is mapped; loops of few iterations.
module sections_of_arrays
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  subroutine increase(x, y)
    real(dp), intent(inout) :: x(:)
    real(dp), intent(in) :: y(:)
    integer :: i
    !$omp target teams distribute parallel do map(tofrom: x) map(to: y)
    do i = 1, size(x)
      x(i) = x(i) + 2 * y(i)
    end do
  end subroutine
  subroutine increase_single(x)
    real, intent(inout) :: x(:)
    integer :: i
    !$omp target teams distribute parallel do map(tofrom: x)
    do i = 1, size(x)
      x(i) = x(i) * 0.5 + i
    end do
  end subroutine
  subroutine increase_all(x)
    real(dp), intent(inout) :: x(:, :)
    integer :: i, j
    !$omp target teams distribute parallel do map(tofrom: x)
    do j = 1, size(x, 2)
      do i = 1, size(x, 1)
        x(i, j) = x(i, j) + i - j
      end do
    end do
  end subroutine
  subroutine explicit(n, x)
    integer, intent(in) :: n
    real(dp), intent(inout) :: x(n)
    integer :: i
    !$omp target teams distribute parallel do map(tofrom: x(1:n))
    do i = 1, n
      x(i) = x(i) + 1
    end do
  end subroutine
  subroutine block(n, m, x)
    integer, intent(in) :: n, m
    real(dp), intent(inout) :: x(n, m)
    integer :: i, j
    !$omp target teams distribute parallel do map(tofrom: x(2:5, 3:m))
    do j = 3, m
      do i = 2, 5
        x(i, j) = x(i, j) * 2
      end do
    end do
  end subroutine
  subroutine show(name, x)
    character(*), intent(in) :: name
    real(dp), intent(in) :: x(:, :)
    real(dp) :: total
    integer :: i, j
    total = 0
    do j = 1, size(x, 2)
      do i = 1, size(x, 1)
        total = total + x(i, j) * mod(i + 3 * j, 7)
      end do
    end do
    print '(a, 1x, es24.16)', name, total
  end subroutine
end module

program sections
  use sections_of_arrays
  implicit none
  integer, parameter :: n = 120, m = 17, lengths(9) = [0, 1, 2, 15, 16, 17, 31, 33, 60]
  real(dp) :: a(n, m), b(n, m), s, last
  real :: f(2 * n)
  real(dp), allocatable :: none(:)
  integer :: i, j, l, length
  do j = 1, m
    do i = 1, n
      a(i, j) = mod(i * 7 + j, 23) - 11; b(i, j) = mod(i + j * 5, 19) - 9
    end do
  end do
  f = 1
  do l = 1, size(lengths)
    length = lengths(l)
    call increase(a(1:2 * length:2, 1), b(1:length, 2))
    call increase(a(length:1:-1, 3), b(60:60 + length - 1, 3))
    call increase(a(3, 1:min(length, m)), b(1:3 * length:3, 4))
    call increase_all(a(1:2 * length:2, 2:m:3))
    call increase_all(a(n:n - length + 1:-1, m:1:-4))
    call increase_single(f(1:length))
    call increase_single(f(2:2 * length:2))
    call increase_single(f(length + 2:3:-1))
    call explicit(length, a(1:2 * length:2, 5))
    call explicit(length, b(:, 6))
    call block(n, min(length, m), a)
    call show('sections', a)
    s = 1; last = -1
    !$omp target teams distribute parallel do map(to: b) reduction(+: s)
    do i = 1, length
      s = s + b(i, 1) * b(n + 1 - i, 2)
    end do
    !$omp target parallel do map(tofrom: a(1:n, 2), last) lastprivate(last)
    do i = 1, length
      last = b(i, 2) + i
      a(i, 2) = last
    end do
    if (length > 0) print '(a, 2es24.16)', 'results', s, last
    !$omp target data map(tofrom: a, b)
    !$omp target teams distribute parallel do map(tofrom: a(1:n, 3:4))
    do i = 1, length
      a(i, 3) = a(i, 3) + b(i, 3); a(i, 4) = a(i, 4) - i
    end do
    !$omp target teams distribute parallel do
    do i = 1, n, max(length, 1)
      a(i, 5) = a(i, 5) + b(i, 6)
    end do
    !$omp target update from(a(1:n, 3))
    !$omp end target data
    call show('data', a)
  end do
  allocate (none(0))
  call increase(none, none)
  call increase(a(5:4, 1), b(:, 1))
  !$omp target data map(tofrom: none)
  !$omp target teams distribute parallel do map(tofrom: none)
  do i = 1, size(none)
    none(i) = i
  end do
  !$omp end target data
  call increase_all(a(:, 5:4))
  call increase_all(a(5:4, :))
  call show('none', a)
  call show('single', reshape(real(f, dp), [n, 2]))
end program
