! SPDX-License-Identifier: Apache-2.0
! Large counts in module mpi_f08: one name for INTEGER and for INTEGER(MPI_COUNT_KIND). Each line says what the standard demands, and
! prints 1.
program large08
  use mpi_f08
  implicit none
  integer, parameter :: wide = MPI_COUNT_KIND, near = MPI_ADDRESS_KIND
  integer(wide), parameter :: big = 5000000000_wide
  integer :: rank, size, up, down, i, small, position
  integer(wide) :: count, extent, low, ni, na, nc, nd, contents(5), wide_position
  integer(near) :: unit, bytes, external_size
  integer :: combiner, integers(5)
  integer(near) :: addresses(5)
  integer, asynchronous :: in(8), out(8)
  integer, allocatable :: all(:), ones(:), places(:)
  integer(wide), allocatable :: wide_ones(:)
  integer(near), allocatable :: far(:)
  character :: packed(64)
  character, asynchronous :: room(4000)
  type(MPI_Datatype) :: type, types(2)
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  type(MPI_Win) :: win
  type(MPI_File) :: file
  type(MPI_Op) :: op
  integer(MPI_OFFSET_KIND) :: offset
  integer :: f_status(MPI_STATUS_SIZE)
  type(MPI_Status) :: again
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  up = mod(rank + 1, size)
  down = mod(rank + size - 1, size)
  allocate (all(size), ones(size), places(size), wide_ones(size), far(size))
  ones = 1
  wide_ones = 1
  places = [(size - i, i = 1, size)]
  far = places
  out = [(100 * rank + i, i = 1, 8)]

  call MPI_Irecv(in, 8, MPI_INTEGER, down, 1, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(out, 8_wide, MPI_INTEGER, up, 1, MPI_COMM_WORLD, requests(2))
  call MPI_Wait(requests(1), status)
  call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
  call MPI_Get_count(status, MPI_INTEGER, small)
  call MPI_Get_count(status, MPI_INTEGER, count)
  call say('message', small == 8 .and. count == 8 .and. in(8) == 100 * down + 8)
  in = 0
  call MPI_Sendrecv(out, 8_wide, MPI_INTEGER, up, 1, in, 8_wide, MPI_INTEGER, down, 1, MPI_COMM_WORLD, status)
  call MPI_Get_elements(status, MPI_INTEGER, count)
  call say('both', count == 8 .and. in(1) == 100 * down + 1)

  call MPI_Allreduce(rank, small, 1_wide, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Allreduce(rank, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call say('allreduce', small == size * (size - 1) / 2 .and. small == i)
  all = -1
  call MPI_Allgatherv(rank, 1_wide, MPI_INTEGER, all, wide_ones, far, MPI_INTEGER, MPI_COMM_WORLD)
  call say('allgatherv', all(1) == size - 1 .and. all(size) == 0)
  all = -1
  call MPI_Allgatherv(rank, 1, MPI_INTEGER, all, ones, places, MPI_INTEGER, MPI_COMM_WORLD)
  call say('allgatherv of integers', all(1) == size - 1 .and. all(size) == 0)
  call MPI_Bcast_init(small, 1_wide, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
  if (rank == 0) small = 42
  call MPI_Start(requests(1))
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call MPI_Request_free(requests(1))
  call say('persistent', small == 42)
  call MPI_Op_create_c(add, .true., op)
  call MPI_Allreduce([rank, 1], in, 2_wide, MPI_INTEGER, op, MPI_COMM_WORLD)
  call MPI_Op_free(op)
  call say('own operation', in(1) == size * (size - 1) / 2 .and. in(2) == size)

  call MPI_Type_contiguous(big, MPI_INTEGER, type)
  call MPI_Type_size(type, count)
  call MPI_Type_size(type, small)
  call MPI_Type_get_extent_c(type, low, extent)
  call say('contiguous', count == 4 * big .and. small == MPI_UNDEFINED .and. low == 0 .and. extent == 4 * big)
  call MPI_Type_get_envelope(type, ni, na, nc, nd, combiner)
  call say('envelope', ni == 0 .and. na == 0 .and. nc == 1 .and. nd == 1 .and. combiner == MPI_COMBINER_CONTIGUOUS)
  call MPI_Type_get_contents(type, ni, na, nc, nd, integers, addresses, contents, types)
  call say('contents', contents(1) == big .and. types(1) == MPI_INTEGER)
  call MPI_Type_free(type)
  call MPI_Type_create_struct(2_wide, [1_wide, big], [0_wide, 8_wide], [MPI_INTEGER, MPI_CHARACTER], type)
  call MPI_Type_size(type, count)
  call MPI_Type_free(type)
  call say('struct', count == big + 4)
  call MPI_Type_create_subarray(2, [big, 4_wide], [big - 1, 2_wide], [1_wide, 1_wide], MPI_ORDER_FORTRAN, MPI_CHARACTER, type)
  call MPI_Type_size(type, count)
  call MPI_Type_free(type)
  call say('subarray', count == 2 * (big - 1))

  wide_position = 0
  call MPI_Pack(out, 3_wide, MPI_INTEGER, packed, 64_wide, wide_position, MPI_COMM_WORLD)
  position = 0
  in = 0
  call MPI_Unpack(packed, 64, position, in, 3, MPI_INTEGER, MPI_COMM_WORLD)
  call say('pack', wide_position == position .and. in(3) == out(3))
  call MPI_Pack_external_size('external32', 3_wide, MPI_INTEGER, count)
  call MPI_Pack_external_size('external32', 3, MPI_INTEGER, external_size)
  wide_position = 0
  call MPI_Pack_external('external32', out, 3_wide, MPI_INTEGER, packed, 64_wide, wide_position)
  call say('external', count == 12 .and. external_size == 12 .and. wide_position == 12)
  wide_position = 0
  in = 0
  call MPI_Unpack_external('external32', packed, 64_wide, wide_position, in, 3_wide, MPI_INTEGER)
  call say('external data', in(2) == out(2))

  call MPI_Buffer_attach(room, 4000_wide)
  call MPI_Bsend(out, 8_wide, MPI_INTEGER, up, 2, MPI_COMM_WORLD)
  call MPI_Recv(in, 8_wide, MPI_INTEGER, down, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Buffer_detach(room, count)
  call say('buffer', count == 4000 .and. in(8) == 100 * down + 8)
  call MPI_Comm_attach_buffer(MPI_COMM_WORLD, room, 3000)
  call MPI_Comm_detach_buffer(MPI_COMM_WORLD, room, small)
  call say('buffer of a communicator', small == 3000)

  in = out
  bytes = 32
  unit = 4
  call MPI_Win_create(in, bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_fence(0, win)
  call MPI_Put(rank, 1_wide, MPI_INTEGER, up, 1_near, 1_wide, MPI_INTEGER, win)
  call MPI_Put(rank, 1, MPI_INTEGER, up, 3_near, 1, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  call MPI_Win_free(win)
  call say('window', in(2) == down .and. in(4) == down .and. in(3) == out(3))

  call MPI_File_open(MPI_COMM_WORLD, 'large08_file', MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
    MPI_INFO_NULL, file)
  offset = 32 * rank
  call MPI_File_write_at(file, offset, out, 8_wide, MPI_INTEGER, status)
  in = 0
  call MPI_File_read_at(file, offset, in, 8, MPI_INTEGER, status)
  call MPI_File_close(file)
  call say('file', in(8) == out(8))

  call MPI_Status_set_source(status, 7)
  call MPI_Status_set_elements(status, MPI_INTEGER, big)
  call MPI_Status_f082f(status, f_status)
  call MPI_Status_f2f08(f_status, again)
  call MPI_Get_elements(again, MPI_INTEGER, count)
  call say('status', f_status(1) == 7 .and. again%MPI_SOURCE == 7 .and. count == big)
  call MPI_Finalize()
contains
  subroutine add(a, b, n, of)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: a, b
    integer(MPI_COUNT_KIND) :: n
    type(MPI_Datatype) :: of
    integer, pointer :: x(:), y(:)
    call c_f_pointer(a, x, [n])
    call c_f_pointer(b, y, [n])
    if (of == MPI_INTEGER) y = x + y
  end subroutine
  subroutine say(what, good)
    character(*), intent(in) :: what
    logical, intent(in) :: good
    print '(i0, a, a, a, i0)', rank, ': ', what, ': ', merge(1, 0, good)
  end subroutine
end program
