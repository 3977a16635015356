! SPDX-License-Identifier: Apache-2.0
! mpif.h in fixed form: functions without a declaration, attributes with Fortran callbacks, types with INTEGER
! displacements, buffered sends, a print of a function that calls MPI.
      program older
      implicit none
      include 'mpif.h'
      integer me, n, ierr, key, value, state, copies, status(6)
      integer old, lengths(2), places(2), types(2), a, b, extent, i
      integer sum_of, comm, bytes, request
      integer, parameter :: room = 4096
      character buffer(room)
      logical flag, found
      double precision t, record(4)
      integer(kind=MPI_ADDRESS_KIND) wide, extra
      external copy_it, delete_it, copy_wide, delete_wide
      external query_it, free_it, cancel_it
      common /counts/ copies
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, n, ierr)
      t = MPI_WTIME()
      flag = t .ge. 0d0 .and. MPI_WTICK() .gt. 0d0
      print *, 'rank', me, flag
! Attributes, old and new.
      copies = 0
      state = 100
      call MPI_KEYVAL_CREATE(copy_it, delete_it, key, state, ierr)
      call MPI_ATTR_PUT(MPI_COMM_WORLD, key, 7 + me, ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_ATTR_GET(comm, key, value, found, ierr)
      print *, 'rank', me, 'copied', value, found, copies
      call MPI_COMM_FREE(comm, ierr)
      call MPI_ATTR_DELETE(MPI_COMM_WORLD, key, ierr)
      call MPI_ATTR_GET(MPI_COMM_WORLD, key, value, found, ierr)
      print *, 'rank', me, 'deleted', found, copies
      call MPI_KEYVAL_FREE(key, ierr)
      call MPI_KEYVAL_CREATE(MPI_DUP_FN, MPI_NULL_DELETE_FN, key,
     &     state, ierr)
      call MPI_ATTR_PUT(MPI_COMM_WORLD, key, 3, ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_ATTR_GET(comm, key, value, found, ierr)
      print *, 'rank', me, 'duplicated', value, found
      call MPI_COMM_FREE(comm, ierr)
      call MPI_ATTR_GET(MPI_COMM_WORLD, MPI_TAG_UB, value, found, ierr)
      print *, 'rank', me, 'tags', value .ge. 32767, found
      extra = 1000
      call MPI_COMM_CREATE_KEYVAL(copy_wide, delete_wide, key, extra,
     &     ierr)
      wide = 5000000000_MPI_ADDRESS_KIND + me
      call MPI_COMM_SET_ATTR(MPI_COMM_WORLD, key, wide, ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      wide = 0
      call MPI_COMM_GET_ATTR(comm, key, wide, found, ierr)
      print *, 'rank', me, 'wide', wide, found
      call MPI_COMM_FREE(comm, ierr)
      call MPI_COMM_DELETE_ATTR(MPI_COMM_WORLD, key, ierr)
      print *, 'rank', me, 'wide deleted', copies
! Constructors of types of MPI-1.
      call MPI_ADDRESS(record(1), a, ierr)
      call MPI_ADDRESS(record(3), b, ierr)
      lengths = 1
      places(1) = 0
      places(2) = b - a
      types = MPI_DOUBLE_PRECISION
      call MPI_TYPE_STRUCT(2, lengths, places, types, old, ierr)
      call MPI_TYPE_COMMIT(old, ierr)
      call MPI_TYPE_EXTENT(old, extent, ierr)
      call MPI_TYPE_SIZE(old, bytes, ierr)
      record = [(me * 10d0 + i, i = 1, 4)]
      call MPI_BCAST(record, 1, old, 0, MPI_COMM_WORLD, ierr)
      print '(a,i3,2i5,4f8.1)', 'struct', me, extent, bytes, record
      call MPI_TYPE_FREE(old, ierr)
      call MPI_TYPE_HVECTOR(2, 1, 16, MPI_DOUBLE_PRECISION, old, ierr)
      call MPI_TYPE_UB(old, extent, ierr)
      print *, 'rank', me, 'hvector', extent
      call MPI_TYPE_FREE(old, ierr)
! An attached buffer.
      bytes = room
      call MPI_BUFFER_ATTACH(buffer, bytes, ierr)
      call MPI_BSEND(me, 1, MPI_INTEGER, mod(me + 1, n), 4,
     &     MPI_COMM_WORLD, ierr)
      call MPI_RECV(value, 1, MPI_INTEGER, MPI_ANY_SOURCE, 4,
     &     MPI_COMM_WORLD, status, ierr)
      call MPI_BUFFER_DETACH(buffer, bytes, ierr)
      print *, 'rank', me, 'buffered', value, bytes
! A generalized request.
      extra = 9
      call MPI_GREQUEST_START(query_it, free_it, cancel_it, extra,
     &     request, ierr)
      call MPI_GREQUEST_COMPLETE(request, ierr)
      call MPI_WAIT(request, status, ierr)
      call MPI_GET_COUNT(status, MPI_INTEGER, value, ierr)
      print *, 'rank', me, 'generalized', value, status(MPI_TAG), copies
      print *, 'rank', me, 'state left', extra
! The names PMPI_, and MPI_PCONTROL without further arguments.
      call PMPI_COMM_SIZE(MPI_COMM_SELF, value, ierr)
      call MPI_PCONTROL(1)
! While one rank is within a print, other ranks print.
      print *, 'rank', me, 'sum', sum_of(me), 'printed'
      write (*, '(a,i3,a,i4)') 'rank', me, ' again', sum_of(me + 1)
      write (*, '(a,i3)', advance='no') 'rank ', me
      write (*, '(a)') ' ends'
      call MPI_FINALIZE(ierr)
      end

      integer function sum_of(x)
      implicit none
      include 'mpif.h'
      integer x, ierr
      call MPI_ALLREDUCE(x, sum_of, 1, MPI_INTEGER, MPI_SUM,
     &     MPI_COMM_WORLD, ierr)
      end

      subroutine copy_it(comm, key, state, in, out, flag, ierr)
      implicit none
      integer comm, key, state, in, out, ierr, copies
      logical flag
      common /counts/ copies
      copies = copies + 1
      out = in + state
      flag = .true.
      ierr = 0
      end

      subroutine delete_it(comm, key, value, state, ierr)
      implicit none
      integer comm, key, value, state, ierr, copies
      common /counts/ copies
      copies = copies + value
      ierr = 0
      end

      subroutine copy_wide(comm, key, state, in, out, flag, ierr)
      implicit none
      include 'mpif.h'
      integer comm, key, ierr
      integer(kind=MPI_ADDRESS_KIND) state, in, out
      logical flag
      out = in + state
      flag = .true.
      ierr = MPI_SUCCESS
      end

      subroutine delete_wide(comm, key, value, state, ierr)
      implicit none
      include 'mpif.h'
      integer comm, key, ierr, copies
      integer(kind=MPI_ADDRESS_KIND) value, state
      common /counts/ copies
      copies = copies + int(mod(value, 1000_MPI_ADDRESS_KIND))
      ierr = MPI_SUCCESS
      end

      subroutine query_it(extra, status, ierr)
      implicit none
      include 'mpif.h'
      integer(kind=MPI_ADDRESS_KIND) extra
      integer status(MPI_STATUS_SIZE), ierr
      status(MPI_SOURCE) = MPI_UNDEFINED
      status(MPI_TAG) = int(extra)
      call MPI_STATUS_SET_ELEMENTS(status, MPI_INTEGER, 3, ierr)
      call MPI_STATUS_SET_CANCELLED(status, .false., ierr)
      end

      subroutine free_it(extra, ierr)
      implicit none
      include 'mpif.h'
      integer(kind=MPI_ADDRESS_KIND) extra
      integer ierr, copies
      common /counts/ copies
      copies = copies + int(extra)
      extra = extra - 1
      ierr = MPI_SUCCESS
      end

      subroutine cancel_it(extra, complete, ierr)
      implicit none
      include 'mpif.h'
      integer(kind=MPI_ADDRESS_KIND) extra
      logical complete
      integer ierr
      ierr = MPI_SUCCESS
      end
