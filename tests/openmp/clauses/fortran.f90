! SPDX-License-Identifier: Apache-2.0
! Arrays, clauses and functions of Fortran.
module numbers
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp) :: scale = 2.5_dp
  !$omp declare target (scale)
contains
  pure real(dp) function twice(x)
    real(dp), intent(in) :: x
    !$omp declare target
    twice = 2 * x
  end function
  subroutine show(name, x)
    character(*), intent(in) :: name
    real(dp), intent(in) :: x(:)
    real(dp) :: total
    integer :: i
    total = 0
    do i = 1, size(x)
      total = total + x(i) * mod(i, 13)
    end do
    print '(a, 1x, es24.16)', name, total
  end subroutine
  subroutine assumed(x, y)
    real(dp), intent(inout) :: x(:)
    real(dp), intent(in) :: y(:)
    integer :: i
    !$omp target teams distribute parallel do map(tofrom: x) map(to: y)
    do i = 1, size(x)
      x(i) = x(i) + y(i) * 2
    end do
  end subroutine
  ! simd makes the counter lastprivate.
  subroutine lanes(x, y)
    real(dp), intent(inout) :: x(:)
    real(dp), intent(in) :: y(:)
    integer :: i
    !$omp target teams distribute parallel do simd map(tofrom: x) map(to: y)
    do i = 1, size(x)
      x(i) = x(i) + y(i) * 3
    end do
    !$omp target parallel do simd map(tofrom: x) map(to: y)
    do i = size(x), 4, -3
      x(i) = y(i) - i
    end do
  end subroutine
  subroutine stencil(x, y)
    real(dp), intent(inout) :: x(0:, 0:)
    real(dp), intent(in) :: y(0:, 0:)
    integer :: i, j
    !$omp target teams distribute parallel do simd collapse(2) map(tofrom: x) map(to: y)
    do j = 1, ubound(x, 2) - 1
      do i = 1, ubound(x, 1) - 1
        x(i, j) = y(i - 1, j) + y(i + 1, j) + y(i, j - 1) + y(i, j + 1)
      end do
    end do
  end subroutine
end module

program fortran
  use numbers
  implicit none
  integer, parameter :: n = 203, m = 21
  real(dp) :: x(n), y(n), z(n), s, p, low, high, t
  real(dp) :: a(0:m, 0:n), b(0:m, 0:n)
  real(dp), allocatable :: q(:), r(:, :)
  real(dp), pointer :: w(:)
  real(dp), target :: store(2 * n)
  real :: f(n), g(n)
  complex(dp) :: c(n), d(n)
  type point
    real(dp) :: x, y
  end type
  type(point) :: points(n)
  integer :: i, j, k, count, list(n)
  do i = 1, n
    x(i) = mod(i * 37, 101) - 50; y(i) = mod(i * 29, 67) - 30; z(i) = i
    f(i) = mod(i * 7, 31) - 15; g(i) = mod(i * 5, 23) - 11
    c(i) = cmplx(i, n - i, dp); d(i) = cmplx(2, -i, dp)
    list(i) = mod(i * 7, n) + 1
  end do
  do j = 0, n
    do i = 0, m
      a(i, j) = mod(i * 3 + j * 5, 17); b(i, j) = mod(i + j * 11, 13)
    end do
  end do

  !$omp target teams distribute parallel do map(to: x, y) map(from: z)
  do i = 1, n
    z(i) = x(i) + 2 * y(i)
  end do
  call show('sum', z)
  !$omp target
  !$omp teams
  !$omp distribute parallel do
  do i = n, 1, -1
    z(i) = z(i) - i * 0.5_dp
  end do
  !$omp end teams
  !$omp end target
  call show('down', z)
  !$omp target parallel do
  do i = 1, n, 3
    z(i) = twice(y(i)) + scale
  end do
  call show('step, functions', z)
  call lanes(z, x)
  call show('simd', z)
  call assumed(x, y)
  call show('assumed shape', x)
  call assumed(x(1:n:2), y(1:n:2))
  call show('every second', x)
  call assumed(x(n:1:-1), y)
  call show('backwards', x)
  call assumed(x(5:60), y(100:155))
  call show('sections', x)
  call stencil(a, b)
  call show('stencil', reshape(a, [size(a)]))
  call stencil(a(2:15, 3:99), b(1:14, 1:97))
  call show('stencil of sections', reshape(a, [size(a)]))
  allocate (q(n), r(m, n))
  q = 1; r = 2
  !$omp target data map(tofrom: q) map(from: r)
  !$omp target teams distribute parallel do
  do i = 1, n
    q(i) = q(i) + x(i)
  end do
  !$omp target teams distribute parallel do collapse(2)
  do j = 1, n
    do i = 1, m
      r(i, j) = q(j) * i
    end do
  end do
  !$omp target update from(q)
  !$omp end target data
  call show('allocatable', q)
  call show('allocatable, two', reshape(r, [size(r)]))
  w => store(1:2 * n:2)
  store = 3
  !$omp target teams distribute parallel do map(tofrom: w)
  do i = 1, n
    w(i) = w(i) * x(i)
  end do
  call show('pointer', store)
  s = 1; p = 2; low = 1d9; high = -1d9
  !$omp target teams distribute parallel do reduction(+: s) reduction(*: p) reduction(min: low) reduction(max: high)
  do i = 1, n
    s = s + x(i) * y(i)
    p = p * merge(-1d0, 1d0, x(i) > 40)
    low = min(low, x(i))
    high = max(high, x(i), y(i))
  end do
  print '(4(1x, es24.16))', s, p, low, high
  s = 0; count = 0
  !$omp target teams distribute parallel do reduction(+: s, count)
  do i = 1, n
    s = s + sum(a(:, i))
    if (x(i) > 0) count = count + 1
  end do
  print '(es24.16, i6)', s, count
  !$omp target teams distribute parallel do
  do i = 1, n
    z(i) = merge(x(i), y(i), x(i) > y(i)) + sign(3d0, x(i)) + abs(y(i)) + max(x(i), 2d0) - min(y(i), -2d0)
    if (x(i) < -10) then
      z(i) = 0
    else if (y(i) > 5 .and. .not. x(i) == 7) then
      z(i) = z(i) * 2
    end if
  end do
  call show('conditions', z)
  !$omp target teams distribute parallel do
  do j = 1, n
    where (b(:, j) > 6)
      a(:, j) = b(:, j)
    elsewhere
      a(:, j) = -a(:, j)
    end where
  end do
  call show('where', reshape(a, [size(a)]))
  !$omp target teams distribute parallel do
  do j = 1, n
    a(:, j) = a(:, j) + 2 * b(:, j)
  end do
  call show('array expressions', reshape(a, [size(a)]))
  !$omp target teams distribute parallel do private(t, k)
  do j = 1, n
    t = 0
    do k = 0, m
      if (k == 5) cycle
      t = t + a(k, j)
    end do
    z(j) = t
  end do
  call show('cycle', z)
  !$omp target parallel do lastprivate(t)
  do i = 1, n
    t = x(i) * 2
    z(i) = t
  end do
  print '(es24.16)', t
  !$omp target teams distribute parallel do
  do i = 1, n
    f(i) = f(i) * 2 + g(i)
  end do
  call show('real', real(f, dp))
  !$omp target teams distribute parallel do
  do i = 1, n
    f(i) = g(i) / 4 + sqrt(abs(g(i) * 0 + 9.0)) + real(x(i))
  end do
  call show('real, root', real(f, dp))
  !$omp target teams distribute parallel do
  do i = 1, n
    c(i) = c(i) * d(i) + conjg(c(i)) - real(d(i), dp)
  end do
  call show('complex', real(c, dp) + aimag(c))
  !$omp target teams distribute parallel do
  do i = 1, n
    points(i)%x = x(i); points(i)%y = i
  end do
  !$omp target teams distribute parallel do
  do i = 1, n
    points(i)%x = points(i)%x + points(i)%y
  end do
  call show('members', points%x)
  !$omp target teams distribute parallel do
  do i = 1, n
    z(i) = x(list(i))
  end do
  call show('gather', z)
  !$omp target teams distribute parallel do
  do i = 2, n
    z(i) = x(i - 1) * x(i)
  end do
  call show('neighbours', z)
  !$omp target teams distribute parallel do
  do i = 1, n
    z(i) = mod(i, 3) + i**2 + real(i, dp)**2
  end do
  call show('functions of the index', z)
  !$omp target teams distribute parallel do
  do i = 1, m
    do j = i, m
      r(j, i) = r(j, i) + 1
    end do
  end do
  call show('triangle', reshape(r, [size(r)]))
  !$omp target teams distribute parallel do
  do i = 1, n
    z(i) = exp(0 * x(i)) + floor(y(i) / 2)
  end do
  call show('fall back', z)
  !$omp target
  !$omp parallel do
  do i = 1, n
    z(i) = z(i) + 1
  end do
  !$omp parallel do
  do i = 1, n
    z(i) = z(i) * 2
  end do
  !$omp end target
  call show('two loops', z)
  !$omp target teams loop
  do i = 1, n
    z(i) = z(i) - 1
  end do
  call show('loop', z)
end program
