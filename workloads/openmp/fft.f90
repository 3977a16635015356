! SPDX-License-Identifier: Apache-2.0
! Eight transforms of N points, radix 2, decimation in time, in place. The host puts the points in bit-reversed order; the
! transforms are distributed.
! Usage: fft [N = 1024]. N is a power of two from 8 on.
module fft_kernel
  implicit none
  integer, parameter :: transforms = 8
contains
  ! w(k) = exp(-2 pi i k / n)
  subroutine transform(n, x, w)
    integer, intent(in) :: n
    complex(8), intent(inout) :: x(0:n - 1, transforms)
    complex(8), intent(in) :: w(0:n - 1)
    complex(8) :: a, b
    integer :: t, i, k, half
    !$omp target teams distribute parallel do map(tofrom: x) map(to: w) private(a, b, half)
    do t = 1, transforms
      do i = 0, n - 1, 2  ! The first pass multiplies by 1.
        a = x(i, t)
        b = x(i + 1, t)
        x(i, t) = a + b
        x(i + 1, t) = a - b
      end do
      half = 2
      do while (half < n)
        do i = 0, n - 1, 2 * half
          do k = 0, half - 1
            a = x(i + k, t)
            b = x(i + k + half, t) * w(k * (n / (2 * half)))
            x(i + k, t) = a + b
            x(i + k + half, t) = a - b
          end do
        end do
        half = 2 * half
      end do
    end do
  end subroutine
end module

program fft_program
  use, intrinsic :: iso_fortran_env, only: error_unit
  use fft_kernel
  implicit none
  complex(8), allocatable :: first(:, :), x(:, :), w(:)
  complex(8) :: sum
  real(8) :: squares
  integer :: n, i, k, t, bit, mirror, reversed, wrong
  integer(8) :: total

  n = size_argument('fft', 1024, 8)
  if (iand(n, n - 1) /= 0) then
    write (error_unit, '(a, i0, a)') 'fft: N = ', n, ': expected a power of two'
    stop 2, quiet=.true.
  end if
  allocate (first(0:n - 1, transforms), x(0:n - 1, transforms), w(0:n - 1))
  do i = 0, n - 1
    w(i) = cmplx(cos(2 * acos(-1d0) * i / n), -sin(2 * acos(-1d0) * i / n), 8)
  end do
  do t = 1, transforms
    do i = 0, n - 1
      k = (t - 1) * n + i
      first(i, t) = cmplx(mod(k, 7) - 3, mod(k, 3) - 1, 8)
    end do
  end do
  do i = 0, n - 1
    reversed = 0
    bit = 1
    mirror = n / 2
    do while (mirror > 0)
      if (iand(i, bit) /= 0) reversed = ior(reversed, mirror)
      bit = 2 * bit
      mirror = mirror / 2
    end do
    x(reversed, :) = first(i, :)
  end do
  call transform(n, x, w)

  ! Every eighth point, from the definition. The checksum is the sum of all squares, whose digits beyond the ninth may differ.
  wrong = 0
  squares = 0
  do t = 1, transforms
    do k = 0, n - 1
      squares = squares + x(k, t)%re**2 + x(k, t)%im**2
      if (mod(k, 8) /= t - 1) cycle
      sum = 0
      do i = 0, n - 1
        sum = sum + first(i, t) * w(mod(i * k, n))
      end do
      if (.not. abs(sum - x(k, t)) < 1d-9) wrong = wrong + 1
    end do
  end do
  total = nint(squares, 8)
  print '(a, i0, a, i0, a, i0)', 'fft n=', n, ' wrong=', wrong, ' checksum=', total
  if (wrong /= 0) stop 1
contains
  include 'kernel.inc'
end program
