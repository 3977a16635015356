// SPDX-License-Identifier: Apache-2.0
// Cartesian and graph topologies (MPI-3.1 sections 7.5.1 to 7.5.8). Ranks are never reordered.
#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "mpi/api.h"
#include "mpi/cartesian.h"
#include "mpi/communicators.h"
#include "mpi/functions/communicator_create.h"

using namespace psim::net::mpi;

namespace {

/// Returns the largest r with r^k ≤ n.
int root(int n, int k) {
  const auto fits = [&](std::int64_t r) {
    std::int64_t product = 1;
    for (int i = 0; i < k; ++i)
      if ((product *= r) > n) return false;
    return true;
  };
  if (k == 1) return n;
  // Doubling first: roots are small, and a step takes k multiplications.
  int low = 1, high = 2;
  while (fits(high)) low = high, high *= 2;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

/// Branch and bound over all factorisations, the most even ones first.
class Search {
 public:
  Search(int nodes, int dims) : chosen_(static_cast<std::size_t>(dims)) {
    find_divisors(nodes);
    walk(0, nodes);
  }
  std::vector<int> best() const { return best_; }

 private:
  /// Combines the powers of the prime factors.
  void find_divisors(int nodes) {
    divisors_ = {1};
    int rest = nodes;
    for (std::int64_t prime = 2; rest > 1; prime += prime == 2 ? 1 : 2) {
      if (prime * prime > rest) prime = rest;
      const std::size_t known = divisors_.size();
      for (std::int64_t power = prime; rest % prime == 0; power *= prime) {
        for (std::size_t i = 0; i < known; ++i) divisors_.push_back(static_cast<int>(divisors_[i] * power));
        rest /= static_cast<int>(prime);
      }
    }
    std::ranges::sort(divisors_);
  }

  void walk(std::size_t index, int rest) {
    const int left = static_cast<int>(chosen_.size() - index), even = root(rest, left);
    const auto spread = [&](int first, int last) { return best_.empty() || first - last <= spread_; };
    if (index > 0 && !spread(chosen_[0], even)) return;
    if (left == 1) {
      if (index > 0 && rest > chosen_[index - 1]) return;
      chosen_[index] = rest;
      const int found = chosen_[0] - rest;
      if (!best_.empty() && found > spread_) return;
      if (!best_.empty() && found == spread_ &&
          !std::lexicographical_compare(best_.rbegin(), best_.rend(), chosen_.rbegin(), chosen_.rend()))
        return;
      best_ = chosen_;
      spread_ = found;
      return;
    }
    for (const int d : divisors_) {
      if (d < even || rest % d != 0) continue;
      if (index > 0 && d > chosen_[index - 1]) break;
      if (index == 0 && !spread(d, even)) break;
      chosen_[index] = d;
      walk(index + 1, rest / d);
    }
  }

  std::vector<int> divisors_, chosen_, best_;
  int spread_ = 0;
};

/// Returns `dims` ≥ 1 sizes in falling order whose product is `nodes` ≥ 1. Their largest and smallest differ
/// least; ties go to the largest smallest size, then to the largest second smallest, and so on.
std::vector<int> balanced_sizes(int nodes, int dims) { return Search(nodes, dims).best(); }

const Topology& topology(MPI_Comm comm, int kind) {
  const Communicator& c = communicator(comm);
  require(c.shared->topology && c.shared->topology->kind == kind, MPI_ERR_TOPOLOGY,
          kind == MPI_CART ? "the communicator has no Cartesian topology" : "the communicator has no graph");
  return *c.shared->topology;
}

template <class Body>
int with(const char* function, MPI_Comm comm, int kind, Body body) {
  return guarded(function, comm, [&] { body(topology(comm, kind)); });
}

}  // namespace

PSIM_MPI(int, Cart_create,
         (MPI_Comm comm, int n, const int* dims, const int* periods, int, MPI_Comm* result)) {
  const CountedCall whole("MPI_Cart_create");
  auto* t = new Topology;
  Ref<Topology> made = t;
  Ref<Group> members;
  if (result != nullptr) *result = MPI_COMM_NULL;
  const int error = guarded("MPI_Cart_create", comm, [&] {
    const Communicator& c = communicator(comm);
    require(result != nullptr, MPI_ERR_ARG, "comm_cart is a null pointer");
    require(!c.shared->inter(), MPI_ERR_COMM, "an intercommunicator has no topology");
    require(n >= 0, MPI_ERR_DIMS, "ndims is negative");
    check_array(dims, n, "dims");
    check_array(periods, n, "periods");
    long long size = 1;
    for (int i = 0; i < n; ++i) {
      require(dims[i] > 0, MPI_ERR_DIMS, "a dimension is not positive");
      size *= dims[i];
      require(size <= c.size(), MPI_ERR_DIMS, "the grid is larger than the communicator");
    }
    t->kind = MPI_CART;
    t->dims.assign(dims, dims + n);
    for (int i = 0; i < n; ++i) t->periods.push_back(periods[i] != 0);
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = 0; i < size; ++i) list.push_back(c.group().world(i));
    members = size == c.size() ? c.shared->local[c.side] : Ref<Group>(new Group(std::move(list)));
  });
  if (error != MPI_SUCCESS) return error;
  return create_with_topology("MPI_Cart_create", comm, members, made, result);
}
PSIM_MPI(int, Graph_create,
         (MPI_Comm comm, int n, const int* index, const int* edges, int, MPI_Comm* result)) {
  const CountedCall whole("MPI_Graph_create");
  auto* t = new Topology;
  Ref<Topology> made = t;
  Ref<Group> members;
  if (result != nullptr) *result = MPI_COMM_NULL;
  const int error = guarded("MPI_Graph_create", comm, [&] {
    const Communicator& c = communicator(comm);
    require(result != nullptr, MPI_ERR_ARG, "comm_graph is a null pointer");
    require(!c.shared->inter(), MPI_ERR_COMM, "an intercommunicator has no topology");
    require(n >= 0 && n <= c.size(), MPI_ERR_ARG, "nnodes is negative or larger than the communicator");
    check_array(index, n, "index");
    for (int i = 0; i < n; ++i)
      require(index[i] >= (i > 0 ? index[i - 1] : 0), MPI_ERR_ARG, "index decreases");
    check_array(edges, n > 0 ? index[n - 1] : 0, "edges");
    for (int i = 0; n > 0 && i < index[n - 1]; ++i)
      require(edges[i] >= 0 && edges[i] < n, MPI_ERR_ARG, "an edge is not a rank of the graph");
    t->kind = MPI_GRAPH;
    t->index.assign(index, index + n);
    if (n > 0) t->edges.assign(edges, edges + index[n - 1]);
    std::vector<std::uint32_t> list;
    for (int i = 0; i < n; ++i) list.push_back(c.group().world(static_cast<std::uint32_t>(i)));
    members = n == c.size() ? c.shared->local[c.side] : Ref<Group>(new Group(std::move(list)));
  });
  if (error != MPI_SUCCESS) return error;
  return create_with_topology("MPI_Graph_create", comm, members, made, result);
}

/// Chooses sizes as close to each other as possible, in falling order.
PSIM_MPI_CALL(Dims_create, (int nodes, int n, int* dims), guarded, [&] {
  require(nodes > 0, MPI_ERR_DIMS, "nnodes is not positive");
  require(n >= 0, MPI_ERR_DIMS, "ndims is negative");
  check_array(dims, n, "dims");
  int rest = nodes, open = 0;
  for (int i = 0; i < n; ++i) {
    require(dims[i] >= 0, MPI_ERR_DIMS);
    if (dims[i] == 0) {
      ++open;
    } else {
      require(rest % dims[i] == 0, MPI_ERR_DIMS);
      rest /= dims[i];
    }
  }
  if (open == 0) return require(rest == 1, MPI_ERR_DIMS);
  const std::vector<int> sizes = balanced_sizes(rest, open);
  std::size_t next = 0;
  for (int i = 0; i < n; ++i)
    if (dims[i] == 0) dims[i] = sizes[next++];
})

PSIM_MPI_CALL(Topo_test, (MPI_Comm comm, int* kind), guarded, comm, [&] {
  const Communicator& c = communicator(comm);
  out(kind) = c.neighbours ? MPI_DIST_GRAPH : c.shared->topology ? c.shared->topology->kind : MPI_UNDEFINED;
})
PSIM_MPI_CALL(Cartdim_get, (MPI_Comm comm, int* n), with, comm, MPI_CART,
              [&](const Topology& t) { out(n) = static_cast<int>(t.dims.size()); })
PSIM_MPI(int, Cart_get, (MPI_Comm comm, int n, int* dims, int* periods, int* coordinates)) {
  return with("MPI_Cart_get", comm, MPI_CART, [&](const Topology& t) {
    require(n >= 0, MPI_ERR_ARG, "maxdims is negative");
    check_array(dims, n, "dims");
    check_array(periods, n, "periods");
    check_array(coordinates, n, "coords");
    const std::vector<int> x = coordinates_of(t, communicator(comm).rank);
    for (std::size_t i = 0; i < std::min(t.dims.size(), static_cast<std::size_t>(n)); ++i) {
      dims[i] = t.dims[i];
      periods[i] = t.periods[i];
      coordinates[i] = x[i];
    }
  });
}
PSIM_MPI(int, Cart_rank, (MPI_Comm comm, const int* coordinates, int* rank)) {
  return with("MPI_Cart_rank", comm, MPI_CART, [&](const Topology& t) {
    check_array(coordinates, static_cast<int>(t.dims.size()), "coords");
    out(rank) = coordinate_rank(t, coordinates);
  });
}
PSIM_MPI(int, Cart_coords, (MPI_Comm comm, int rank, int n, int* coordinates)) {
  return with("MPI_Cart_coords", comm, MPI_CART, [&](const Topology& t) {
    require(rank >= 0 && rank < communicator(comm).size(), MPI_ERR_RANK,
            "the rank is not in the communicator");
    require(n >= 0, MPI_ERR_ARG, "maxdims is negative");
    check_array(coordinates, n, "coords");
    const std::vector<int> x = coordinates_of(t, rank);
    std::copy_n(x.begin(), std::min(x.size(), static_cast<std::size_t>(n)), coordinates);
  });
}
PSIM_MPI(int, Cart_shift, (MPI_Comm comm, int dim, int step, int* source, int* dest)) {
  return with("MPI_Cart_shift", comm, MPI_CART, [&](const Topology& t) {
    require(dim >= 0 && dim < static_cast<int>(t.dims.size()), MPI_ERR_DIMS,
            "the topology has no such dimension");
    require(source != nullptr && dest != nullptr, MPI_ERR_ARG);
    std::tie(*source, *dest) = cart_shift(t, communicator(comm).rank, static_cast<std::size_t>(dim), step);
  });
}
PSIM_MPI(int, Cart_sub, (MPI_Comm comm, const int* remain, MPI_Comm* result)) {
  const CountedCall whole("MPI_Cart_sub");
  int color = 0, key = 0;
  auto* kept = new Topology;
  const Ref<Topology> made = kept;
  const int error = with("MPI_Cart_sub", comm, MPI_CART, [&](const Topology& t) {
    check_array(remain, static_cast<int>(t.dims.size()), "remain_dims");
    kept->kind = MPI_CART;
    const std::vector<int> x = coordinates_of(t, communicator(comm).rank);
    for (std::size_t i = 0; i < t.dims.size(); ++i) {
      int& number = remain[i] ? key : color;
      number = number * t.dims[i] + x[i];
      if (!remain[i]) continue;
      kept->dims.push_back(t.dims[i]);
      kept->periods.push_back(t.periods[i]);
    }
  });
  if (error != MPI_SUCCESS) return error;
  if (const int failed = PMPI_Comm_split(comm, color, key, result)) return failed;
  Shared& shared = *communicator(*result).shared;
  if (!shared.topology) shared.topology = made;
  return MPI_SUCCESS;
}
PSIM_MPI_CALL(Cart_map, (MPI_Comm comm, int n, const int* dims, const int*, int* rank), guarded, comm, [&] {
  require(n >= 0, MPI_ERR_DIMS, "ndims is negative");
  check_array(dims, n, "dims");
  long long size = 1;
  for (int i = 0; i < n; ++i) {
    require(dims[i] > 0, MPI_ERR_DIMS, "a dimension is not positive");
    size *= dims[i];
    require(size <= communicator(comm).size(), MPI_ERR_DIMS, "the grid is larger than the communicator");
  }
  out(rank) = communicator(comm).rank < size ? communicator(comm).rank : MPI_UNDEFINED;
})
PSIM_MPI_CALL(Graph_map, (MPI_Comm comm, int n, const int*, const int*, int* rank), guarded, comm,
              [&] { out(rank) = communicator(comm).rank < n ? communicator(comm).rank : MPI_UNDEFINED; })

PSIM_MPI(int, Graphdims_get, (MPI_Comm comm, int* nodes, int* edges)) {
  return with("MPI_Graphdims_get", comm, MPI_GRAPH, [&](const Topology& t) {
    out(nodes) = static_cast<int>(t.index.size());
    out(edges) = static_cast<int>(t.edges.size());
  });
}
PSIM_MPI(int, Graph_get, (MPI_Comm comm, int max_index, int max_edges, int* index, int* edges)) {
  return with("MPI_Graph_get", comm, MPI_GRAPH, [&](const Topology& t) {
    require(max_index >= 0 && max_edges >= 0, MPI_ERR_ARG, "maxindex or maxedges is negative");
    check_array(index, max_index, "index");
    check_array(edges, max_edges, "edges");
    std::copy_n(t.index.begin(), std::min(t.index.size(), static_cast<std::size_t>(max_index)), index);
    std::copy_n(t.edges.begin(), std::min(t.edges.size(), static_cast<std::size_t>(max_edges)), edges);
  });
}
PSIM_MPI(int, Graph_neighbors_count, (MPI_Comm comm, int rank, int* n)) {
  return with("MPI_Graph_neighbors_count", comm, MPI_GRAPH, [&](const Topology& t) {
    require(rank >= 0 && rank < static_cast<int>(t.index.size()), MPI_ERR_RANK);
    const auto r = static_cast<std::size_t>(rank);
    out(n) = t.index[r] - (r > 0 ? t.index[r - 1] : 0);
  });
}
PSIM_MPI(int, Graph_neighbors, (MPI_Comm comm, int rank, int max, int* neighbours)) {
  return with("MPI_Graph_neighbors", comm, MPI_GRAPH, [&](const Topology& t) {
    require(rank >= 0 && rank < static_cast<int>(t.index.size()), MPI_ERR_RANK);
    const auto r = static_cast<std::size_t>(rank);
    const int first = r > 0 ? t.index[r - 1] : 0;
    require(max >= 0, MPI_ERR_ARG, "maxneighbors is negative");
    check_array(neighbours, max, "neighbors");
    std::copy_n(t.edges.begin() + first, std::min(max, t.index[r] - first), neighbours);
  });
}
