! SPDX-License-Identifier: Apache-2.0
! The Fortran runtime: formatted and unformatted files, intrinsics, real(16), stop with a status.
program numbers
  implicit none
  real(8) :: a(10, 10), s
  real(16) :: q
  complex(8) :: z
  integer :: i, j
  do j = 1, 10
    do i = 1, 10
      a(i, j) = 1.0d0 / (i + j - 1)
    end do
  end do
  print *, sum(matmul(a, a)), maxval(a), exp(sin(2.5d0))
  q = 1.0_16 / 3
  write (*, '(f40.36)') q * sqrt(2.0_16)
  z = (1.0d0, 2.0d0)
  print *, z**3, abs(z)
  open (10, file='text.out')
  write (10, *) 3.25d0, 7
  rewind (10)
  read (10, *) s, i
  print *, s, i
  close (10, status='delete')
  open (11, file='raw.out', form='unformatted')
  write (11) a
  rewind (11)
  a = 0
  read (11) a
  print *, sum(a)
  close (11, status='delete')
  open (12, file='missing', status='old', iostat=i)
  print *, i
  stop 9
end program
