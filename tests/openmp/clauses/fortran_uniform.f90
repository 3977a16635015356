! SPDX-License-Identifier: Apache-2.0
! Arithmetic with the counters of inner loops, which are the same on all PEs.
program fortran_uniform
  implicit none
  integer, parameter :: n = 70, m = 21
  real(8) :: a(0:m - 1, n), c(0:m - 1, n), weights(0:2)
  integer :: i, j
  weights = [1d0, -2d0, 0.5d0]
  do j = 1, n
    do i = 0, m - 1
      a(i, j) = mod(i*37 + j*5, 21) - 10
    end do
  end do
  !$omp target teams distribute parallel do map(to: a, weights) map(from: c)
  do j = 1, n
    do i = 0, m - 1
      c(i, j) = a(i/2, j)*weights(mod(i, 3)) + a(iand(i, 7), j)
    end do
  end do
  print '(2f20.6)', sum(c), sum(c*a)
end program
