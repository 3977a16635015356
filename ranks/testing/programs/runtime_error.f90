! SPDX-License-Identifier: Apache-2.0
! The Fortran library fails on rank 1 and prints a backtrace.
subroutine fails(form)
  implicit none
  character(*), intent(in) :: form
  print form, 'text'
end subroutine

program runtime_error
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function rank_number() bind(c)
      import
    end function
  end interface
  if (rank_number() == 1) call fails('(i5)')
end program
