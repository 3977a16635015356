// SPDX-License-Identifier: Apache-2.0
// MPI_Dims_create (MPI-3.1 section 7.5.2).
#pragma once

#include <vector>

namespace psim::net::mpi {

/// Returns `dims` ≥ 1 sizes in falling order whose product is `nodes` ≥ 1. Their largest and smallest differ
/// least; ties go to the largest smallest size, then to the largest second smallest, and so on.
std::vector<int> balanced_sizes(int nodes, int dims);

}  // namespace psim::net::mpi
