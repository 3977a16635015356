! SPDX-License-Identifier: Apache-2.0
! Procedures that loops call: those with their body in the file become part of the loop.
module procedures
  implicit none
contains
  real(8) function cubic(x, k)
    !$omp declare target
    real(8), intent(in) :: x, k
    real(8) :: y
    y = x*x + k
    cubic = y*x - k
  end function

  subroutine both(x, twice, half)
    !$omp declare target
    real(8), intent(in) :: x
    real(8), intent(out) :: twice, half
    twice = 2*x
    half = x/2
  end subroutine

  elemental real(8) function series(x, terms)
    !$omp declare target
    real(8), intent(in) :: x
    integer, intent(in) :: terms
    real(8) :: power
    integer :: k
    series = 0
    power = 1
    do k = 1, terms
      power = power*x
      if (power > 100d0) then
        series = series - sqrt(power)
      else
        series = series + sign(power, x)
      end if
    end do
  end function

  recursive real(8) function depth(x, n) result(sum)
    !$omp declare target
    real(8), intent(in) :: x
    integer, intent(in) :: n
    sum = x
    if (n > 0) sum = 1 + depth(x, n - 1) + depth(-x, n - 1)
  end function
end module

program fortran_functions
  use procedures
  implicit none
  integer, parameter :: n = 203
  real(8) :: a(n), b(n), c(n)
  real(4) :: d(n)
  integer :: i, power
  do i = 1, n
    a(i) = mod(i*37, 21) - 10
    b(i) = mod(i*29, 17) - 8
  end do
  !$omp target teams distribute parallel do map(to: a, b) map(from: c)
  do i = 1, n
    c(i) = cubic(a(i), 3d0) + cubic(b(i), a(i))
  end do
  print '(f20.6)', sum(c)
  !$omp target teams distribute parallel do map(to: a) map(tofrom: b, c)
  do i = 1, n
    call both(a(i), b(i), c(i))
  end do
  print '(2f20.6)', sum(b), sum(c)
  !$omp target teams distribute parallel do map(to: a) map(from: c)
  do i = 1, n
    c(i) = series(a(i), 3) + series(a(i)*2, 4)
  end do
  print '(f20.6)', sum(c)
  !$omp target teams distribute parallel do map(to: a) map(from: c)
  do i = 1, n
    c(i) = depth(a(i), 9)
  end do
  print '(f20.6)', sum(c)
  do power = -3, 5, 4
    !$omp target teams distribute parallel do map(to: b) map(from: c, d)
    do i = 1, n
      c(i) = (b(i) + 0.25d0)**power
      d(i) = real(b(i) + 0.5d0)**power
    end do
    print '(2f20.6)', sum(c), sum(d)
  end do
end program
