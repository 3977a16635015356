// SPDX-License-Identifier: Apache-2.0
// Handles of info objects.
#pragma once

#include <memory>

#include "mpi/include/mpi.h"
#include "mpi/object/info.h"

namespace psim::net::mpi {

/// Returns the list of a handle. Fails with MPI_ERR_INFO.
InfoList& info(MPI_Info handle);
/// Fails unless the handle is MPI_INFO_NULL or names hints.
inline void check_info(MPI_Info handle) {
  if (handle != MPI_INFO_NULL) info(handle);
}
MPI_Info publish_info(InfoList list);
/// Fails with MPI_ERR_INFO, also for MPI_INFO_ENV.
void free_info(MPI_Info handle);

/// Merges the hints of a handle into a list, which is made if needed; MPI_INFO_NULL has none. Fails with
/// MPI_ERR_INFO.
void merge_info(std::unique_ptr<InfoList>& into, MPI_Info handle);

}  // namespace psim::net::mpi
