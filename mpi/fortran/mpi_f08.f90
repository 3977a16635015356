! SPDX-License-Identifier: Apache-2.0
! Handles are types with one integer, so the procedures are those of module mpi. The last argument is optional. Procedures with
! large counts have the names of those with INTEGER counts, except where only kinds that are equal would differ.
module mpi_f08
  implicit none
  public
  integer, parameter :: MPI_ADDRESS_KIND = 8, MPI_OFFSET_KIND = 8, MPI_COUNT_KIND = 8, MPI_INTEGER_KIND = 4
  integer, parameter :: MPI_STATUS_SIZE = 6
  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .false., MPI_ASYNC_PROTECTS_NONBLOCKING = .false.
  type, bind(C) :: MPI_Status
    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR
    integer, private :: rest(3)
  end type MPI_Status
  include 'mpi_f08_constants.inc'
  integer :: MPI_BOTTOM, MPI_IN_PLACE, MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1), MPI_ERRCODES_IGNORE(1)
  character(len=1) :: MPI_ARGV_NULL(1), MPI_ARGVS_NULL(1, 1)
  type(MPI_Status) :: MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE(1)
  common /psim_mpi_bottom/ MPI_BOTTOM
  integer :: MPI_BUFFER_AUTOMATIC
  common /psim_mpi_in_place/ MPI_IN_PLACE
  common /psim_mpi_buffer_automatic/ MPI_BUFFER_AUTOMATIC
  common /psim_mpi_errcodes_ignore/ MPI_ERRCODES_IGNORE
  common /psim_mpi_argv_null/ MPI_ARGV_NULL, MPI_ARGVS_NULL
  common /psim_mpi_unweighted/ MPI_UNWEIGHTED
  common /psim_mpi_weights_empty/ MPI_WEIGHTS_EMPTY
  common /psim_mpi_status_ignore/ MPI_STATUS_IGNORE
  common /psim_mpi_statuses_ignore/ MPI_STATUSES_IGNORE
  include 'mpi_f08_interfaces.inc'
contains
  include 'mpi_f08_operators.inc'
  include 'mpi_sizeof.inc'
end module mpi_f08
