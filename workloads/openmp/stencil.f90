! SPDX-License-Identifier: Apache-2.0
! 7-point stencil on N × N × N points with a border: v = far × (sum of the six neighbours) + near × the point itself.
! The planes follow each other; the columns of a plane are distributed.
! Usage: stencil [N = 64]
module stencil_kernel
  implicit none
contains
  ! Makes the inner points of a plane of the result from the plane u and the planes on either side.
  subroutine relax(n, near, far, below, u, above, v)
    integer, intent(in) :: n
    real(8), intent(in) :: near, far
    real(8), intent(in) :: below(0:n + 1, 0:n + 1), u(0:n + 1, 0:n + 1), above(0:n + 1, 0:n + 1)
    real(8), intent(inout) :: v(0:n + 1, 0:n + 1)
    integer :: x, y
    !$omp target teams distribute parallel do map(to: below, u, above) map(tofrom: v)
    do y = 1, n
      do x = 1, n
        v(x, y) = far * (u(x - 1, y) + u(x + 1, y) + u(x, y - 1) + u(x, y + 1) + below(x, y) + above(x, y)) + near * u(x, y)
      end do
    end do
  end subroutine
end module

program stencil_program
  use, intrinsic :: iso_fortran_env, only: error_unit
  use stencil_kernel
  implicit none
  real(8), parameter :: near = -1.5d0, far = 0.375d0
  real(8), allocatable :: u(:, :, :), v(:, :, :)
  real(8) :: expected
  integer :: n, i, x, y, z, wrong
  integer(8) :: total

  n = size_argument('stencil', 64, 1)
  allocate (u(0:n + 1, 0:n + 1, 0:n + 1), v(0:n + 1, 0:n + 1, 0:n + 1))
  u = reshape([(number(i, 7), i=0, (n + 2)**3 - 1)], shape(u))
  v = 0
  do z = 1, n
    call relax(n, near, far, u(:, :, z - 1), u(:, :, z), u(:, :, z + 1), v(:, :, z))
  end do

  wrong = 0
  do z = 0, n + 1
    do y = 0, n + 1
      do x = 0, n + 1
        expected = 0
        if (min(x, y, z) >= 1 .and. max(x, y, z) <= n) then
          expected = far * (u(x - 1, y, z) + u(x + 1, y, z) + u(x, y - 1, z) + u(x, y + 1, z) + u(x, y, z - 1) + &
                            u(x, y, z + 1)) + near * u(x, y, z)
        end if
        if (v(x, y, z) /= expected) wrong = wrong + 1
      end do
    end do
  end do
  total = checksum(reshape(v, [size(v)]))
  print '(a, i0, a, i0, a, i0)', 'stencil n=', n, ' wrong=', wrong, ' checksum=', total
  if (wrong /= 0) stop 1
contains
  include 'kernel.inc'
end program
