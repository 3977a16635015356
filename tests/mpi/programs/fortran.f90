! SPDX-License-Identifier: Apache-2.0
! Module mpi: point-to-point, collectives in place, user operations, types, names, indices from one.
program fortran_mpi
  use mpi
  implicit none
  integer :: me, size, ierr, i, which, count, kind, status(MPI_STATUS_SIZE), requests(2), comm, op
  integer :: values(4), sums(4), color
  double precision :: x(3), y(3), t
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: name
  integer(kind=MPI_ADDRESS_KIND) :: bound
  integer(kind=MPI_OFFSET_KIND) :: place
  integer :: file, handler, failed
  external :: larger, file_fails
  common /failures/ failed
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  values = [(me * 10 + i, i = 1, 4)]
  call MPI_Allreduce(values, sums, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  print '(a,i0,a,4i8)', 'rank ', me, ' sums', sums
  call MPI_Allreduce(MPI_IN_PLACE, values, 4, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
  print '(a,i0,a,4i8)', 'rank ', me, ' most', values
  x = [1.5d0, 2.5d0, 3.5d0] * (me + 1)
  call MPI_Irecv(y, 3, MPI_DOUBLE_PRECISION, mod(me + size - 1, size), 5, MPI_COMM_WORLD, requests(2), ierr)
  requests(1) = MPI_REQUEST_NULL
  call MPI_Send(x, 3, MPI_DOUBLE_PRECISION, mod(me + 1, size), 5, MPI_COMM_WORLD, ierr)
  call MPI_Waitany(2, requests, which, status, ierr)
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count, ierr)
  print '(a,i0,a,3f8.2,4i4)', 'rank ', me, ' got', y, which, count, status(MPI_SOURCE), status(MPI_TAG)
  color = mod(me, 2)
  call MPI_Comm_split(MPI_COMM_WORLD, color, me, comm, ierr)
  call MPI_Comm_set_name(comm, 'half of them', ierr)
  call MPI_Comm_get_name(comm, name, count, ierr)
  print '(a,i0,3a,i0)', 'rank ', me, ' ', trim(name), ' ', count
  call MPI_Comm_free(comm, ierr)
  call MPI_Op_create(larger, .true., op, ierr)
  values = [(mod(me * 7 + i, 5), i = 1, 4)]
  call MPI_Allreduce(values, sums, 4, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
  print '(a,i0,a,4i8)', 'rank ', me, ' larger', sums
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, bound, flag, ierr)
  print '(a,i0,2l2)', 'rank ', me, flag, bound >= 32767
  call MPI_Type_vector(2, 1, 2, MPI_INTEGER, kind, ierr)
  call MPI_Type_commit(kind, ierr)
  values = me
  call MPI_Bcast(values, 1, kind, size - 1, MPI_COMM_WORLD, ierr)
  print '(a,i0,a,4i8)', 'rank ', me, ' strided', values
  call MPI_Type_free(kind, ierr)
  t = MPI_Wtime()
  call MPI_Sendrecv(me, 1, MPI_INTEGER, mod(me + 1, size), 1, i, 1, MPI_INTEGER, mod(me + size - 1, size), 1, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  if (me == 0) call MPI_File_delete('psim-fortran.data', MPI_INFO_NULL, ierr)
  call MPI_File_open(MPI_COMM_WORLD, 'psim-fortran.data', MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
                     MPI_INFO_NULL, file, ierr)
  place = 16 + 16 * me
  call MPI_File_write_at_all(file, place, values, 4, MPI_INTEGER, status, ierr)
  call MPI_Type_vector(2, 1, 2, MPI_INTEGER, kind, ierr)
  call MPI_Type_commit(kind, ierr)
  place = 16
  call MPI_File_set_view(file, place, MPI_INTEGER, kind, 'native', MPI_INFO_NULL, ierr)
  sums = -1
  call MPI_File_read(file, sums, 2, MPI_INTEGER, status, ierr)
  call MPI_File_get_position(file, place, ierr)
  call MPI_Get_count(status, MPI_INTEGER, count, ierr)
  print '(a,i0,a,6i8)', 'rank ', me, ' file', sums, count, int(place)
  failed = 0
  call MPI_File_create_errhandler(file_fails, handler, ierr)
  call MPI_File_set_errhandler(file, handler, ierr)
  call MPI_Errhandler_free(handler, ierr)
  call MPI_File_call_errhandler(file, MPI_ERR_OTHER, ierr)
  print '(a,i0,a,2l2)', 'rank ', me, ' file of the error', failed == file, file /= MPI_FILE_NULL
  call MPI_File_close(file, ierr)
  print '(a,i0,a,l2)', 'rank ', me, ' closed', file == MPI_FILE_NULL
  call MPI_Type_free(kind, ierr)
  ! One unit number, with a separate file on each rank.
  write (name, '(a,i0)') 'psim-unit.', me
  open (10, file=name)
  write (10, *) me
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  write (10, *) me * 2
  rewind (10)
  read (10, *) i, count
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  close (10, status='delete')
  print '(a,i0,a,2i8)', 'rank ', me, ' unit', i, count
  flag = MPI_Wtime() >= t  ! not inside a print, which holds the unit while others run
  print '(a,i0,a,i0,l2)', 'rank ', me, ' left ', i, flag
  call MPI_Finalize(ierr)
end program

subroutine file_fails(file, code)
  implicit none
  integer :: file, code, failed
  common /failures/ failed
  failed = file
end subroutine

subroutine larger(in, inout, n, kind)
  implicit none
  integer :: n, kind, in(n), inout(n)
  inout = max(in, inout)
end subroutine
