// SPDX-License-Identifier: Apache-2.0
// Positions in Cartesian topologies (MPI-3.1 section 7.5).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "mpi/communicator.h"

namespace psim::net::mpi {

/// Returns the rank at `coordinates`, which wrap around in periodic dimensions. Fails with MPI_ERR_ARG
/// outside of the grid.
int coordinate_rank(const Topology& t, const int* coordinates);
std::vector<int> coordinates_of(const Topology& t, int rank);
/// Returns source and destination of a shift (MPI-3.1 section 7.5.6).
std::pair<int, int> cart_shift(const Topology& t, int rank, std::size_t dim, int step);

}  // namespace psim::net::mpi
