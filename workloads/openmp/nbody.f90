! SPDX-License-Identifier: Apache-2.0
! Accelerations of N bodies by gravity, softened: the sum of m d / (|d|² + e²)^(3/2) over all bodies.
! Usage: nbody [N = 512]
module nbody_kernel
  implicit none
  real(8), parameter :: softening = 0.015625d0  ! e²
contains
  subroutine accelerate(n, x, y, z, m, ax, ay, az)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n), z(n), m(n)
    real(8), intent(out) :: ax(n), ay(n), az(n)
    real(8) :: dx, dy, dz, square, force, sx, sy, sz
    integer :: i, j
    !$omp target teams distribute parallel do map(to: x, y, z, m) map(from: ax, ay, az) &
    !$omp private(dx, dy, dz, square, force, sx, sy, sz)
    do i = 1, n
      sx = 0
      sy = 0
      sz = 0
      do j = 1, n
        dx = x(j) - x(i)
        dy = y(j) - y(i)
        dz = z(j) - z(i)
        square = dx * dx + dy * dy + dz * dz + softening
        force = m(j) / (square * sqrt(square))
        sx = sx + force * dx
        sy = sy + force * dy
        sz = sz + force * dz
      end do
      ax(i) = sx
      ay(i) = sy
      az(i) = sz
    end do
  end subroutine
end module

program nbody_program
  use, intrinsic :: iso_fortran_env, only: error_unit
  use nbody_kernel
  implicit none
  real(8), allocatable :: x(:), y(:), z(:), m(:), ax(:), ay(:), az(:)
  real(8) :: dx, dy, dz, square, force, sx, sy, sz, size, sum
  integer :: n, i, j, wrong
  integer(8) :: total

  n = size_argument('nbody', 512, 1)
  allocate (x(n), y(n), z(n), m(n), ax(n), ay(n), az(n))
  x = [(0.125d0 * mod(i, 8), i=0, n - 1)]
  y = [(0.125d0 * mod(i / 8, 8), i=0, n - 1)]
  z = [(0.125d0 * (i / 64) + 0.015625d0 * mod(i, 3), i=0, n - 1)]
  m = [(1 + 0.25d0 * mod(i, 5), i=0, n - 1)]
  call accelerate(n, x, y, z, m, ax, ay, az)

  ! Roundings differ with fused multiply-adds: sums of n terms agree to 1e-12 of the sum of their magnitudes.
  wrong = 0
  sum = 0
  do i = 1, n
    sx = 0
    sy = 0
    sz = 0
    size = 0
    do j = 1, n
      dx = x(j) - x(i)
      dy = y(j) - y(i)
      dz = z(j) - z(i)
      square = dx * dx + dy * dy + dz * dz + softening
      force = m(j) / (square * sqrt(square))
      sx = sx + force * dx
      sy = sy + force * dy
      sz = sz + force * dz
      size = size + force
    end do
    if (.not. abs(ax(i) - sx) + abs(ay(i) - sy) + abs(az(i) - sz) < 1d-12 * size) wrong = wrong + 1
    sum = sum + abs(ax(i)) + abs(ay(i)) + abs(az(i))
  end do
  total = nint(1000 * sum, 8)
  print '(a, i0, a, i0, a, i0)', 'nbody n=', n, ' wrong=', wrong, ' checksum=', total
  if (wrong /= 0) stop 1
contains
  include 'kernel.inc'
end program
