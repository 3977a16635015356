// SPDX-License-Identifier: Apache-2.0
// MPI_Dims_create (MPI-3.1 section 7.5.2).
#pragma once

#include <vector>

namespace psim::net::mpi {

/// `dims` ≥ 1 sizes in falling order whose product is `nodes` ≥ 1: those whose largest and smallest differ
/// least; of several such those whose smallest, and then next to smallest, are largest.
std::vector<int> balanced_sizes(int nodes, int dims);

}  // namespace psim::net::mpi
