! SPDX-License-Identifier: Apache-2.0
module mpi
  implicit none
  public
  include 'mpif_constants.h'
  include 'mpi_interfaces.inc'
contains
  include 'mpi_sizeof.inc'
end module mpi
