// SPDX-License-Identifier: Apache-2.0
// Handles and statuses between C and Fortran (MPI-4.1 sections 19.3.4, 19.3.5): handles are the same
// integers.
#include <cstring>

#include "mpi/api.h"

PSIM_MPI(MPI_Fint, Comm_c2f, (MPI_Comm handle)) { return handle; }
PSIM_MPI(MPI_Comm, Comm_f2c, (MPI_Fint handle)) { return handle; }
PSIM_MPI(MPI_Fint, Group_c2f, (MPI_Group handle)) { return handle; }
PSIM_MPI(MPI_Group, Group_f2c, (MPI_Fint handle)) { return handle; }
PSIM_MPI(MPI_Fint, Type_c2f, (MPI_Datatype handle)) { return handle; }
PSIM_MPI(MPI_Datatype, Type_f2c, (MPI_Fint handle)) { return handle; }
PSIM_MPI(MPI_Fint, Op_c2f, (MPI_Op handle)) { return handle; }
PSIM_MPI(MPI_Op, Op_f2c, (MPI_Fint handle)) { return handle; }
PSIM_MPI(MPI_Fint, Request_c2f, (MPI_Request handle)) { return handle; }
PSIM_MPI(MPI_Request, Request_f2c, (MPI_Fint handle)) { return handle; }
PSIM_MPI(MPI_Fint, Info_c2f, (MPI_Info handle)) { return handle; }
PSIM_MPI(MPI_Info, Info_f2c, (MPI_Fint handle)) { return handle; }
PSIM_MPI(MPI_Fint, Win_c2f, (MPI_Win handle)) { return handle; }
PSIM_MPI(MPI_Win, Win_f2c, (MPI_Fint handle)) { return handle; }
PSIM_MPI(MPI_Fint, Errhandler_c2f, (MPI_Errhandler handle)) { return handle; }
PSIM_MPI(MPI_Errhandler, Errhandler_f2c, (MPI_Fint handle)) { return handle; }
PSIM_MPI(MPI_Fint, Message_c2f, (MPI_Message handle)) { return handle; }
PSIM_MPI(MPI_Message, Message_f2c, (MPI_Fint handle)) { return handle; }
PSIM_MPI(MPI_Fint, Session_c2f, (MPI_Session handle)) { return handle; }
PSIM_MPI(MPI_Session, Session_f2c, (MPI_Fint handle)) { return handle; }

PSIM_MPI(int, Status_c2f, (const MPI_Status* from, MPI_Fint* to)) {
  std::memcpy(to, from, sizeof *from);
  return MPI_SUCCESS;
}
PSIM_MPI(int, Status_f2c, (const MPI_Fint* from, MPI_Status* to)) {
  std::memcpy(to, from, sizeof *to);
  return MPI_SUCCESS;
}
PSIM_MPI(int, Status_c2f08, (const MPI_Status* from, MPI_F08_status* to)) {
  *to = *from;
  return MPI_SUCCESS;
}
PSIM_MPI(int, Status_f082c, (const MPI_F08_status* from, MPI_Status* to)) {
  *to = *from;
  return MPI_SUCCESS;
}
PSIM_MPI(int, Status_f2f08, (const MPI_Fint* from, MPI_F08_status* to)) { return PMPI_Status_f2c(from, to); }
PSIM_MPI(int, Status_f082f, (const MPI_F08_status* from, MPI_Fint* to)) { return PMPI_Status_c2f(from, to); }
