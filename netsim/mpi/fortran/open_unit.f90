! SPDX-License-Identifier: Apache-2.0
! A unit whose text psim takes for the rank's output: see units.c.
subroutine psim_open_unit(number, status) bind(C)
  use iso_c_binding, only: c_int
  integer(c_int), intent(in) :: number
  integer(c_int), intent(out) :: status
  open (unit=number, file='/dev/null', action='write', iostat=status)
end subroutine
