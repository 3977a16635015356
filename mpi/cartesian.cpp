// SPDX-License-Identifier: Apache-2.0
#include "mpi/cartesian.h"

#include "mpi/object/failure.h"

namespace psim::net::mpi {

int coordinate_rank(const Topology& t, const int* coordinates) {
  int rank = 0;
  for (std::size_t i = 0; i < t.dims.size(); ++i) {
    int x = coordinates[i];
    if (t.periods[i])
      x = (x % t.dims[i] + t.dims[i]) % t.dims[i];
    else
      require(x >= 0 && x < t.dims[i], MPI_ERR_ARG, "a coordinate is outside its dimension");
    rank = rank * t.dims[i] + x;
  }
  return rank;
}

std::vector<int> coordinates_of(const Topology& t, int rank) {
  std::vector<int> x(t.dims.size());
  for (std::size_t i = t.dims.size(); i-- > 0; rank /= t.dims[i]) x[i] = rank % t.dims[i];
  return x;
}

std::pair<int, int> cart_shift(const Topology& t, int rank, std::size_t dim, int step) {
  std::vector<int> x = coordinates_of(t, rank);
  const auto neighbour = [&](int by) {
    std::vector<int> y = x;
    y[dim] += by;
    return t.periods[dim] || (y[dim] >= 0 && y[dim] < t.dims[dim]) ? coordinate_rank(t, y.data())
                                                                   : MPI_PROC_NULL;
  };
  return {neighbour(-step), neighbour(step)};
}

}  // namespace psim::net::mpi
