! SPDX-License-Identifier: Apache-2.0
! A rank's copy made by fork() writes the buffers of its units when it ends. The files are in the folder given by the
! first argument.
program unit_child
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function rank_number() bind(c)
      import
    end function
    integer(c_int) function fork() bind(c)
      import
    end function
    integer(c_int) function waitpid(child, status, options) bind(c)
      import
      integer(c_int), value :: child, options
      integer(c_int) :: status
    end function
  end interface
  integer :: me
  integer(c_int) :: child, status
  character(200) :: folder
  me = rank_number()
  call get_command_argument(1, folder)
  open (10, file=trim(folder) // '/child.' // achar(iachar('0') + me), status='replace')
  write (10, '(a,i0)') 'rank ', me
  flush (10)
  child = fork()
  if (child == 0) then
    write (10, '(a,i0)') 'child of ', me
    call exit(3)
  end if
  if (waitpid(child, status, 0) /= child .or. status /= 3 * 256) stop 1
  write (10, '(a,i0)') 'again ', me
end program
