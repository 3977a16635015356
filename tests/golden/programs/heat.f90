! SPDX-License-Identifier: Apache-2.0
! Fortran: diffusion of heat by array sections, a recurrence along a line, complex numbers, and formatted output to a character.
program heat
  use psim
  implicit none
  integer, parameter :: n = 32, steps = 6
  double precision :: now(n, n), next(n, n), line(n)
  complex :: rotor, angle
  character(len=24) :: text
  integer :: i, s, wrong

  wrong = 0
  now = 0
  now(n / 2, n / 2) = 4096
  call psim_region_begin("diffuse", n, steps)
  do s = 1, steps
    next = 0
    next(2:n-1, 2:n-1) = 0.5d0 * now(2:n-1, 2:n-1) + 0.125d0 * (now(1:n-2, 2:n-1) + now(3:n, 2:n-1) &
                         + now(2:n-1, 1:n-2) + now(2:n-1, 3:n))
    now = next
  end do
  call psim_region_end("diffuse")
  if (sum(now) /= 4096) wrong = wrong + 1

  call psim_region_begin("recurrence", n)
  do i = 1, n
    line = now(:, i)
    line(2:) = line(2:) + line(:n-1)
    do s = 2, n
      line(s) = 0.5d0 * line(s - 1) + line(s)
    end do
    next(:, i) = line
  end do
  call psim_region_end("recurrence")
  if (.not. all(next >= 0)) wrong = wrong + 1

  call psim_region_begin("rotate", 64)
  rotor = (0.0, 1.0)
  angle = (1.0, 0.0)
  do i = 1, 64
    angle = angle * rotor
  end do
  call psim_region_end("rotate")
  if (angle /= (1.0, 0.0)) wrong = wrong + 1

  call psim_region_begin("format")
  write (text, "(f12.4,i8,l4)") maxval(now), count(now > 1), wrong == 0
  call psim_region_end("format")
  print "(a,a,a,i0)", "heat:", text, ", wrong=", wrong
  if (wrong /= 0) stop 1
end program
