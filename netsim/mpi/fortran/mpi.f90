! SPDX-License-Identifier: Apache-2.0
module mpi
  implicit none
  public
  include 'mpif.h'
  include 'mpi_interfaces.inc'
end module mpi
