! SPDX-License-Identifier: Apache-2.0
! gfortran's library calls the program, in which other ranks run and write, and goes on.
module things
  use iso_c_binding
  implicit none
  type thing
    integer :: number
  contains
    procedure :: write_thing
    generic :: write(formatted) => write_thing
  end type
  interface
    integer(c_int) function rank_number() bind(c)
      import
    end function
    subroutine rank_sleep(time) bind(c)
      import
      integer(c_long), value :: time
    end subroutine
  end interface
contains
  subroutine write_thing(self, unit, kind, parameters, status, message)
    class(thing), intent(in) :: self
    integer, intent(in) :: unit
    character(*), intent(in) :: kind
    integer, intent(in) :: parameters(:)
    integer, intent(out) :: status
    character(*), intent(inout) :: message
    write (unit, '(a,i0)', iostat=status, iomsg=message) kind // ' ', self%number + size(parameters)
    call rank_sleep(1000_c_long)
    write (unit, '(a,i0)', iostat=status, iomsg=message) ' again ', self%number
    call rank_sleep(1000_c_long)
  end subroutine
end module

program derived_output
  use things
  implicit none
  type(thing) :: one, other
  one%number = rank_number()
  other%number = 10 + rank_number()
  print '(a,dt,a,dt,a)', '<', one, '|', other, '>'
end program
