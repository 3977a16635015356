! SPDX-License-Identifier: Apache-2.0
! Units are each rank's own: the procedures of GNU's that take one, WAIT, INQUIRE by file, files named after units, a standard
! unit that one rank closes.
program fortran_units
  use mpi
  implicit none
  integer :: me, n, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  call positions
  call flushed
  call asynchronous_transfers
  call inquiries
  call one_file
  call unnamed_files
  call large_units
  call standard_output
  call closed_output
  call MPI_Finalize(ierr)
contains

  function file_of(rank) result(name)
    integer, intent(in) :: rank
    character(12) :: name
    write (name, '(a,i0)') 'units.', rank
  end function

  subroutine meet
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine

  ! As many bytes as the rank has, and seven.
  subroutine positions
    integer :: before, after, moved, got, put, status, facts(13)
    integer(8) :: wide
    character :: c
    character(8) :: terminal
    open (17, file=file_of(me), status='replace', access='stream', form='unformatted')
    write (17) repeat('a', me), 'bcdefgh'
    before = ftell(17)
    call fseek(17, me + 2, 0, moved)
    call fgetc(17, c, got)
    call fputc(17, 'Z', put)
    after = ftell(17)
    call ftell(17, wide)
    call flush(17)
    call fstat(17, facts, status)
    call ttynam(17, terminal)
    print *, me, 'positions', before, moved, c, got, put, after, wide, status, facts(8), fnum(17) > 2, isatty(17), terminal == ' '
    call functions
    close (17, status='delete')
    call meet
  end subroutine

  ! The same as functions, which a scope uses in one way only. 18 is not connected here.
  subroutine functions
    integer :: got, put, status, facts(13)
    character :: c
    call fseek(17, -1, 1)
    got = fgetc(17, c)
    put = fputc(17, 'Y')
    status = fstat(17, facts)
    print *, me, 'functions', c, got, put, status, facts(8), len_trim(ttynam(17))
    got = fgetc(18, c)
    put = fputc(18, c)
    print *, me, 'none', ftell(18), isatty(18), got, put
  end subroutine

  ! Others read what a rank has flushed, by either procedure.
  subroutine flushed
    integer :: other, status
    character(20) :: text
    open (17, file=file_of(me), status='replace', action='write')
    write (17, '(a,i0)') 'one of ', me
    call flush(17_8)
    write (17, '(a,i0)') 'two of ', me
    if (mod(me, 2) == 0) then
      call flush(17)
    else
      call flush()
    end if
    call meet
    other = mod(me + 1, n)
    open (newunit=ierr, file=file_of(other), status='old', action='read')
    do
      text = 'nothing'
      read (ierr, '(a)', iostat=status) text
      if (status /= 0) exit
      print *, me, 'read ', text
    end do
    close (ierr)
    call meet
    close (17, status='delete')
  end subroutine

  subroutine asynchronous_transfers
    integer, asynchronous :: values(1000), own(1000, 20), all(1000, 40)
    integer :: i, id
    open (17, file=file_of(me), status='replace', asynchronous='yes', form='unformatted', access='stream')
    do i = 1, 20
      values = me + i
      write (17, asynchronous='yes') values
      wait (17)
    end do
    ! WAIT with an id may return before its transfer is done (libgfortran 12): storage of its own for each.
    do i = 1, 20
      own(:, i) = me + 20 + i
      write (17, asynchronous='yes', id=id) own(:, i)
      wait (17, id=id)
    end do
    wait (17)
    all = 0
    rewind (17)
    read (17, asynchronous='yes') all
    wait (17)
    print '(i0, a, 40(1x, i0))', me, ' asynchronous', sum(all, 1)
    close (17, status='delete')
  end subroutine

  ! Of the rank's own file, a neighbour's, which is not connected here, and one that is not there.
  subroutine inquiries
    integer :: unit
    open (17, file=file_of(me), status='replace')
    write (17, '(a)') repeat('x', me)
    flush (17)
    open (newunit=unit, file=trim(file_of(me)) // '.new', status='replace')
    call meet
    call ask(file_of(me))
    call ask(file_of(mod(me + 1, n)))
    call ask('units.none  ')
    inquire (file=trim(file_of(me)) // '.new', number=ierr)
    print *, me, 'new unit', ierr == unit
    inquire (unit=17, number=ierr)
    print *, me, 'number', ierr
    inquire (unit=18, number=ierr)
    print *, me, 'number', ierr
    call meet
    close (17, status='delete')
    close (unit, status='delete')
  end subroutine

  subroutine ask(file)
    character(*), intent(in) :: file
    integer :: number, size
    logical :: is_there, opened, named
    character(12) :: name, access, form, position, readable, writable, both, sequential
    inquire (file=file, exist=is_there, opened=opened, number=number, named=named, name=name, access=access, form=form, &
      position=position, read=readable, write=writable, readwrite=both, sequential=sequential, size=size)
    if (n == 1 .and. opened) position = '' ! one rank is its own neighbour
    print *, me, file, is_there, opened, number, named, name, access, form, position, readable, writable, both, sequential, size
    inquire (file=file, opened=opened, iostat=number)
    print *, me, file, opened, number
  end subroutine

  ! All open it, unless it is open.
  subroutine one_file
    logical :: opened
    integer :: value
    if (me == 0) then
      open (17, file='units.one', status='replace')
      write (17, *) 42
      close (17)
    end if
    call meet
    inquire (file='units.one', opened=opened)
    if (.not. opened) open (17, file='units.one', status='old', action='read')
    read (17, *) value
    print *, me, 'one file', opened, value
    call meet
    close (17)
    if (me == 0) then
      open (17, file='units.one')
      close (17, status='delete')
    end if
    call meet
  end subroutine

  ! Opened without a name, and not at all.
  subroutine unnamed_files
    integer :: rank
    character(20) :: name
    logical :: is_there
    do rank = 0, n - 1
      if (me == rank) then
        open (98)
        write (98, *) rank
        inquire (98, name=name)
        print *, me, name
        open (98, blank='zero')
        inquire (98, blank=name)
        print *, me, name
        write (99, *) rank
        inquire (file='fort.99', number=ierr)
        print *, me, ierr
        write (97) rank
        inquire (97, form=name)
        print *, me, name
      end if
      call meet
      inquire (file='fort.99', exist=is_there, number=ierr)
      print *, me, 'of', rank, is_there, ierr
      call meet
      if (me == rank) then
        close (97, status='delete')
        close (98, status='delete')
        close (99, status='delete')
      end if
      call meet
    end do
  end subroutine

  ! New modes leave it where it is; another file is the rank's only.
  ! Any number may name a unit.
  subroutine large_units
    integer :: i, unit, number
    integer, parameter :: units(4) = [16376, 16384, 20000, huge(0)]
    character(20) :: text
    do i = 1, size(units)
      open (units(i), file=file_of(me), status='replace')
      call meet
      write (units(i), '(a,i0)') 'rank ', me
      inquire (file=file_of(me), number=number)
      call meet
      close (units(i))
      open (newunit=unit, file=file_of(me))
      read (unit, '(a)') text
      close (unit, status='delete')
      print *, me, 'unit', units(i), number, trim(text)
      call meet
    end do
  end subroutine

  subroutine standard_output
    character(20) :: text
    integer :: status
    logical :: opened
    open (6, delim='none')
    call fput('A', status)
    call fputc(6, new_line('a'), status)
    status = fnum(6)
    print *, me, 'the same output', status
    if (me == n - 1) then
      open (6, file='units.output', status='replace')
      write (*, '(a)') 'elsewhere'
      call fput('B', status)
      rewind (6)
      read (6, '(a)') text
      inquire (file='units.output', opened=opened, number=status)
      if (text /= 'elsewhere' .or. .not. opened .or. status /= 6) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
      close (6, status='delete')
    end if
    call meet
    if (me /= n - 1) print *, me, 'still here'
    call meet
  end subroutine

  subroutine closed_output
    logical :: opened, is_there, facts(2), all_facts(2)
    facts = .true.
    if (me == n - 1) then
      close (6)
      inquire (6, opened=opened)
      print *, 'not seen'
      inquire (file='fort.6', exist=is_there)
      facts = [.not. opened, is_there]
      close (6, status='delete')
    end if
    close (5)
    call MPI_Allreduce(facts, all_facts, 2, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierr)
    if (me /= n - 1) print *, me, 'closed there', all_facts
  end subroutine
end program
