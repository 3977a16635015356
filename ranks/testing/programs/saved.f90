! SPDX-License-Identifier: Apache-2.0
! Fortran: SAVE, COMMON, module variables, a large local array, print, stop.
module ranks
  use iso_c_binding
  implicit none
  integer :: module_variable = 3
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
    subroutine rank_send(to, data, bytes) bind(c)
      import
      integer(c_int), value :: to
      integer(c_int) :: data(*)
      integer(c_long), value :: bytes
    end subroutine
    subroutine rank_receive(from, data, bytes) bind(c)
      import
      integer(c_int), value :: from
      integer(c_int) :: data(*)
      integer(c_long), value :: bytes
    end subroutine
  end interface
contains
  integer function next_call()
    integer, save :: calls = 0
    calls = calls + 1
    next_call = calls
  end function

  ! Too large for the stack, so the compiler makes it static.
  integer function large(me)
    integer, intent(in) :: me
    integer :: array(300000)
    array = me
    call rank_sleep(5000_c_long)
    large = maxval(array) - minval(array) + array(77) - me
  end function
end module

program saved
  use ranks
  implicit none
  integer :: common_variable, me, n, wrong, i
  integer(c_int) :: token(2)
  common /block/ common_variable
  me = rank_number()
  n = rank_count()
  wrong = 0
  common_variable = me
  module_variable = module_variable + me
  do i = 1, 3
    if (next_call() /= i) wrong = wrong + 1
    call rank_sleep(1000_c_long)
  end do
  if (large(me) /= 0) wrong = wrong + 1
  token = me
  call rank_send(mod(me + 1, n), token, 8_c_long)
  call rank_receive(mod(me + n - 1, n), token, 8_c_long)
  if (token(2) /= mod(me + n - 1, n)) wrong = wrong + 1
  if (common_variable /= me) wrong = wrong + 1
  if (module_variable /= 3 + me) wrong = wrong + 1
  print *, 'rank', me, 'wrong', wrong
  if (me == 1) stop 3
end program
