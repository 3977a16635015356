! SPDX-License-Identifier: Apache-2.0
! Faults of the PEs in a Fortran program, whose library handles the signals: psim prints the reason all the same.
module faults
  use psim_simd
  implicit none
contains
  subroutine divide(x)
    real(8), intent(inout) :: x(2)
    x(2) = 1 / x(1)
  end subroutine
  subroutine branch(x)
    real(8), intent(inout) :: x(2)
    if (psim_simd_pe() > 3) call psim_simd_set_mask(1)
    x(2) = x(1)
  end subroutine
  subroutine store(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y(2)
    y = 2 * x
  end subroutine
end module

program main
  use faults
  use, intrinsic :: iso_c_binding
  implicit none
  real(8), pointer :: x(:)
  real(8), target :: y(2)
  character(16) :: which
  call get_command_argument(1, which)
  call c_f_pointer(psim_simd_data(0), x, [2])
  if (which == 'divide') call psim_simd_call(divide, x)
  if (which == 'branch') call psim_simd_call(branch, x)
  if (which == 'store') call psim_simd_call(store, x, y)
end program
