! SPDX-License-Identifier: Apache-2.0
! Numbers of ranks that have not seeded RANDOM_NUMBER. The first rank draws first or, with an argument, the last.
program random
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function rank_number() bind(c)
      import
    end function
    integer(c_int) function rank_count() bind(c)
      import
    end function
    subroutine rank_sleep(time) bind(c)
      import
      integer(c_long), value :: time
    end subroutine
  end interface
  integer :: me, turn
  real :: drawn(2)
  me = rank_number()
  turn = me
  if (command_argument_count() > 0) turn = rank_count() - me
  call rank_sleep(1000_c_long * turn)
  call random_number(drawn(1))
  call rank_sleep(100000_c_long)
  call random_number(drawn(2))
  call rank_sleep(100000_c_long + 1000_c_long * (2 * me - turn))
  print '(i2,2f12.8)', me, drawn
end program
