! SPDX-License-Identifier: Apache-2.0
! Threads of a rank that share its units: a thread that needs a unit in use waits for it. An asynchronous unit has a
! thread of the library.
module thread
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function rank_number() bind(c)
      import
    end function
    subroutine rank_sleep(time) bind(c)
      import
      integer(c_long), value :: time
    end subroutine
    integer(c_int) function pthread_create(name, attributes, function, argument) bind(c)
      import
      integer(c_intptr_t) :: name
      type(c_ptr), value :: attributes, argument
      type(c_funptr), value :: function
    end function
    integer(c_int) function pthread_join(name, result) bind(c)
      import
      integer(c_intptr_t), value :: name
      type(c_ptr), value :: result
    end function
  end interface
  real :: drawn(3)
contains
  type(c_ptr) function run(argument) bind(c)
    type(c_ptr), value :: argument
    integer :: status
    call random_number(drawn(2))
    print '(a,i0)', 'the thread of rank ', rank_number()
    read (99, *, iostat=status)
    if (status == 0) print *, 'an error is lost'
    run = argument
  end function

  integer function waits(value)
    integer, intent(in) :: value
    call rank_sleep(5000_c_long)
    waits = value
  end function
end module

program unit_threads
  use thread
  implicit none
  integer(c_intptr_t) :: name
  character(200) :: folder
  integer, asynchronous :: values(1000)
  integer :: status, i
  call get_command_argument(1, folder)
  open (99, file=trim(folder) // '/empty.' // achar(iachar('0') + int(rank_number())))
  call random_number(drawn(1))
  if (pthread_create(name, c_null_ptr, c_funloc(run), c_null_ptr) /= 0) stop 1
  print '(a,i0)', 'rank ', waits(int(rank_number()))
  if (pthread_join(name, c_null_ptr) /= 0) stop 2
  call random_number(drawn(3))
  if (drawn(1) == drawn(2) .or. drawn(1) == drawn(3) .or. drawn(2) == drawn(3)) stop 3

  open (10, status='scratch', form='unformatted', access='stream', asynchronous='yes')
  do i = 1, 10
    values = i + int(rank_number())
    write (10, asynchronous='yes') values
    call rank_sleep(1000_c_long)
    wait (10)
  end do
  write (10, asynchronous='yes', pos=1) values
  call rank_sleep(1000_c_long)
  read (99, *, iostat=status)
  if (status == 0) stop 4
  values = 0
  wait (10)
  read (10, asynchronous='yes', pos=4001) values
  wait (10)
  if (any(values /= 2 + int(rank_number()))) stop 5
end program
