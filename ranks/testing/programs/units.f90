! SPDX-License-Identifier: Apache-2.0
! Units and random numbers of Fortran are private to each rank while other ranks run within each statement. The files
! are in the folder given by the first argument; those of unit 11 are left open.
module ranks
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
  end interface
contains
  ! Other ranks run within the statement that calls this.
  integer function waits(value)
    integer, intent(in) :: value
    call rank_sleep(1000_c_long)
    waits = value
  end function
end module

program units
  use ranks
  implicit none
  integer :: me, i, value, words, drawn
  logical :: is_open
  integer, allocatable :: seed(:), kept(:)
  character(200) :: folder
  character(80) :: text
  me = rank_number()
  call get_command_argument(1, folder)
  write (6, '(a,i0)', advance='no') 'rank ', me
  call rank_sleep(1000_c_long)
  write (6, '(a)') ' ends its line'
  print '(a,i0,a,i0)', 'nested ', waits(me), ' and ', waits(me)
  open (10, file=trim(folder) // '/read.' // number(me), status='replace')
  open (11, file=trim(folder) // '/left.' // number(me), status='replace')
  do i = 1, 3
    write (10, *) waits(me * i)
    call rank_sleep(1000_c_long)
    write (11, '(a,i0)', advance='no') ' ', me + i
  end do
  rewind (10)
  do i = 1, 3
    read (10, *) value
    call rank_sleep(1000_c_long)
    if (value /= me * i) print *, 'rank', me, 'reads', value
  end do
  close (10, status='delete')
  inquire (10, opened=is_open)
  if (is_open) print *, 'rank', me, 'has unit 10 open'
  inquire (file=trim(folder) // '/left.' // number(me), number=value)
  if (value /= 11) print *, 'rank', me, 'has unit', value

  call random_seed(size=words)
  allocate (seed(words), kept(words))
  seed = me + 1
  call random_seed(put=seed)
  call rank_sleep(1000_c_long)
  call random_seed(get=kept)
  if (any(kept /= seed)) print *, 'rank', me, 'has another seed'
  call srand(me + 1)
  call rank_sleep(1000_c_long)
  drawn = irand()
  if (drawn /= modulo(16807_8 * (me + 1), 2147483647_8)) print *, 'rank', me, 'draws', drawn

  if (me == 1) then
    close (6)
  else
    call rank_sleep(1000_c_long)
  end if
  if (me /= 1) print '(a,i0)', 'still ', me
contains
  function number(value) result(digits)
    integer, intent(in) :: value
    character(:), allocatable :: digits
    write (text, '(i0)') value
    digits = trim(text)
  end function
end program
