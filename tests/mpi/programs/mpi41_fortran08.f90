! SPDX-License-Identifier: Apache-2.0
! Functions of MPI-4.1 in module mpi_f08. Each line says what the standard demands, and prints 1.
program fortran08
  use mpi_f08
  implicit none
  integer :: rank, size, up, down, i, got, length, error, which, counts(1)
  integer, asynchronous :: in(6), out(6)
  logical :: flag
  character(len=20) :: value
  type(MPI_Info) :: info
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  type(MPI_Session) :: session
  type(MPI_Group) :: group
  type(MPI_Comm) :: comm
  type(MPI_Datatype) :: wide
  integer, parameter :: k = selected_int_kind(30)
  integer(k) :: most, total
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  up = mod(rank + 1, size)
  down = mod(rank + size - 1, size)

  out = [(100 * rank + i, i = 1, 6)]
  call MPI_Isendrecv(out, 6, MPI_INTEGER, up, 3, in, 6, MPI_INTEGER, down, 3, MPI_COMM_WORLD, requests(1))
  requests(2) = MPI_REQUEST_NULL
  flag = .false.
  do while (.not. flag)
    call MPI_Request_get_status_any(2, requests, which, flag, status)
  end do
  call MPI_Status_get_source(status, got)
  call say('isendrecv', which == 1 .and. got == down .and. requests(1) /= MPI_REQUEST_NULL)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call say('its data', in(6) == 100 * down + 6)
  call MPI_Request_get_status_all(2, requests, flag, MPI_STATUSES_IGNORE)
  call say('none left', flag)

  call MPI_Info_create(info)
  call MPI_Info_set(info, 'colour', 'green')
  length = 3
  call MPI_Info_get_string(info, 'colour', length, value, flag)
  call say('string', flag .and. length == 5 .and. value == 'gre')
  length = len(value)
  call MPI_Info_get_string(info, 'colour', length, value, flag)
  call say('whole string', flag .and. length == 5 .and. value == 'green')
  call MPI_Info_free(info)

  call MPI_Allreduce_init(rank, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
  do i = 1, 2
    call MPI_Start(requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    call say('persistent allreduce', got == size * (size - 1) / 2)
  end do
  call MPI_Request_free(requests(1))

  most = 10_k**30 + rank
  call MPI_Type_create_f90_integer(30, wide)
  call MPI_Allreduce(most, total, 1, wide, MPI_SUM, MPI_COMM_WORLD)
  call say('sum of thirty digits', total == size * 10_k**30 + size * (size - 1) / 2)
  call MPI_Allreduce(most, total, 1, MPI_INTEGER16, MPI_MAX, MPI_COMM_WORLD)
  call say('most of thirty digits', total == 10_k**30 + size - 1)

  call MPI_Psend_init(out, 3, 2_MPI_COUNT_KIND, MPI_INTEGER, up, 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
  call MPI_Precv_init(in, 2, 3_MPI_COUNT_KIND, MPI_INTEGER, down, 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2))
  in = 0
  call MPI_Startall(2, requests)
  call MPI_Pready_range(0, 1, requests(1))
  counts(1) = 2
  call MPI_Pready_list(1, counts, requests(1))
  flag = .false.
  do while (.not. flag)
    call MPI_Parrived(requests(2), 1, flag)
  end do
  call say('second half', in(6) == 100 * down + 6)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call say('partitions', all(in == [(100 * down + i, i = 1, 6)]))
  call MPI_Request_free(requests(1))
  call MPI_Request_free(requests(2))

  call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session)
  call MPI_Session_get_num_psets(session, MPI_INFO_NULL, got)
  length = len(value)
  call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, length, value)
  call say('process set', got >= 2 .and. value == 'mpi://WORLD' .and. length == 11)
  call MPI_Group_from_session_pset(session, 'mpi://WORLD', group)
  call MPI_Comm_create_from_group(group, 'tag', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm)
  call MPI_Group_free(group)
  call MPI_Allreduce(rank, got, 1, MPI_INTEGER, MPI_SUM, comm)
  call say('communicator of a session', got == size * (size - 1) / 2)
  call MPI_Comm_free(comm)
  call MPI_Group_from_session_pset(session, 'mpi://NOBODY', group, error)
  call say('unknown set', error /= MPI_SUCCESS)
  call MPI_Session_finalize(session)
  call say('finalized', session == MPI_SESSION_NULL)

  call MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0)
  call MPI_Bsend(out, 6, MPI_INTEGER, up, 2, MPI_COMM_WORLD)
  call MPI_Recv(in, 6, MPI_INTEGER, down, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Buffer_flush()
  call MPI_Buffer_detach(out, got)
  call say('automatic buffer', got == 0 .and. in(1) == 100 * down + 1)
  call MPI_Finalize()
contains
  subroutine say(what, good)
    character(len=*), intent(in) :: what
    logical, intent(in) :: good
    print '(i0, a, a, a, i0)', rank, ': ', what, ': ', merge(1, 0, good)
  end subroutine say
end program fortran08
