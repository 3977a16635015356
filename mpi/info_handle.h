// SPDX-License-Identifier: Apache-2.0
// Info objects as the user names them.
#pragma once

#include <memory>

#include "mpi/include/mpi.h"
#include "mpi/info.h"

namespace psim::net::mpi {

/// Fails with MPI_ERR_INFO.
InfoList& info(MPI_Info handle);
/// Fails unless the handle is MPI_INFO_NULL or names hints.
inline void check_info(MPI_Info handle) {
  if (handle != MPI_INFO_NULL) info(handle);
}
MPI_Info publish_info(InfoList list);

/// Puts the hints of a handle into a list that may not be there yet; MPI_INFO_NULL has none. Fails with
/// MPI_ERR_INFO.
void merge_info(std::unique_ptr<InfoList>& into, MPI_Info handle);

}  // namespace psim::net::mpi
