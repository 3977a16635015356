// SPDX-License-Identifier: Apache-2.0
// Distributed graphs (MPI-3.1 section 7.5.4): each rank keeps only its own neighbours.
#include <memory>
#include <vector>

#include "mpi/collective/algorithms.h"
#include "mpi/collective/call.h"
#include "mpi/communicators.h"
#include "mpi/object/info_handle.h"

using namespace psim::net::mpi;

namespace {

struct Edge {
  int from, to, weight;
};

/// Sends all edges to rank 0, which sends each rank the edges that touch it: first incoming, then outgoing.
Task distribute(Channel c, std::vector<Edge> mine, std::vector<Edge>* touching) {
  int count = static_cast<int>(mine.size());
  if (c.me != 0) {
    c.send_always(0, &count, sizeof count);
    c.send_always(0, mine.data(), mine.size() * sizeof(Edge));
    c.recv(0, &count, sizeof count);
    co_await c.done();
    enter(*c.collective);
    touching->resize(static_cast<std::size_t>(count));
    c.recv(0, touching->data(), touching->size() * sizeof(Edge));
    co_await c.done();
    co_return;
  }
  std::vector<std::vector<Edge>> by_rank(static_cast<std::size_t>(c.size));
  for (int i = 0; i < c.size; ++i) {
    std::vector<Edge> edges = mine;
    if (i > 0) {
      c.recv(i, &count, sizeof count);
      co_await c.done();
      edges.resize(static_cast<std::size_t>(count));
      c.recv(i, edges.data(), edges.size() * sizeof(Edge));
      co_await c.done();
    }
    for (const Edge& e : edges) {
      by_rank[static_cast<std::size_t>(e.to)].push_back(e);
      if (e.from != e.to) by_rank[static_cast<std::size_t>(e.from)].push_back(e);
    }
  }
  enter(*c.collective);
  *touching = by_rank[0];
  for (int i = 1; i < c.size; ++i) {
    const auto& list = by_rank[static_cast<std::size_t>(i)];
    count = static_cast<int>(list.size());
    c.send_always(i, &count, sizeof count);
    c.send_always(i, list.data(), list.size() * sizeof(Edge));
  }
  co_await c.done();
}

int publish_graph(MPI_Comm comm, std::unique_ptr<Neighbours> neighbours, MPI_Comm* result) {
  if (const int error = PMPI_Comm_dup(comm, result)) return error;
  Communicator& made = communicator(*result);
  made.attributes.reset();
  made.neighbours = std::move(neighbours);
  return MPI_SUCCESS;
}

}  // namespace

PSIM_MPI(int, Dist_graph_create_adjacent,
         (MPI_Comm comm, int n_in, const int* sources, const int* source_weights, int n_out,
          const int* destinations, const int* destination_weights, MPI_Info hints, int, MPI_Comm* result)) {
  const CountedCall whole("MPI_Dist_graph_create_adjacent");
  auto n = std::make_unique<Neighbours>();
  const int error = guarded("MPI_Dist_graph_create_adjacent", comm, [&] {
    const int size = communicator(comm).size();
    require(!communicator(comm).shared->inter(), MPI_ERR_COMM, "an intercommunicator has no topology");
    require(result != nullptr, MPI_ERR_ARG, "comm_dist_graph is a null pointer");
    check_info(hints);
    require(n_in >= 0 && n_out >= 0, MPI_ERR_ARG, "a degree is negative");
    check_array(sources, n_in, "sources");
    check_array(destinations, n_out, "destinations");
    if (source_weights != MPI_UNWEIGHTED) check_array(source_weights, n_in, "sourceweights");
    if (destination_weights != MPI_UNWEIGHTED) check_array(destination_weights, n_out, "destweights");
    for (int i = 0; i < n_in; ++i) require(sources[i] >= 0 && sources[i] < size, MPI_ERR_RANK);
    for (int i = 0; i < n_out; ++i) require(destinations[i] >= 0 && destinations[i] < size, MPI_ERR_RANK);
    n->sources.assign(sources, sources + n_in);
    n->destinations.assign(destinations, destinations + n_out);
    n->weighted = source_weights != MPI_UNWEIGHTED && destination_weights != MPI_UNWEIGHTED;
    if (!n->weighted) return;
    if (n_in > 0) n->source_weights.assign(source_weights, source_weights + n_in);
    if (n_out > 0) n->destination_weights.assign(destination_weights, destination_weights + n_out);
  });
  return error != MPI_SUCCESS ? error : publish_graph(comm, std::move(n), result);
}

PSIM_MPI(int, Dist_graph_create,
         (MPI_Comm comm, int n, const int* sources, const int* degrees, const int* destinations,
          const int* weights, MPI_Info hints, int, MPI_Comm* result)) {
  const CountedCall whole("MPI_Dist_graph_create");
  std::vector<Edge> touching;
  const int error =
      collective_call("MPI_Dist_graph_create", comm, nullptr, [&](Collective& c, Communicator& old) {
        require(!c.inter, MPI_ERR_COMM, "an intercommunicator has no topology");
        require(result != nullptr, MPI_ERR_ARG, "comm_dist_graph is a null pointer");
        check_info(hints);
        require(n >= 0, MPI_ERR_ARG, "n is negative");
        check_array(sources, n, "sources");
        check_array(degrees, n, "degrees");
        for (int i = 0; i < n; ++i) {
          require(degrees[i] >= 0, MPI_ERR_ARG, "a degree is negative");
          check_array(destinations, degrees[i], "destinations");
          check_array(weights, degrees[i], "weights");
        }
        std::vector<Edge> mine;
        for (int i = 0, k = 0; i < n; ++i)
          for (int j = 0; j < degrees[i]; ++j, ++k) {
            require(sources[i] >= 0 && sources[i] < old.size() && destinations[k] >= 0 &&
                        destinations[k] < old.size(),
                    MPI_ERR_RANK);
            mine.push_back({sources[i], destinations[k], weights != MPI_UNWEIGHTED ? weights[k] : 1});
          }
        return distribute(c.local, std::move(mine), &touching);
      });
  if (error != MPI_SUCCESS) return error;
  auto neighbours = std::make_unique<Neighbours>();
  const int me = communicator(comm).rank;
  neighbours->weighted = weights != MPI_UNWEIGHTED;
  for (const Edge& e : touching) {
    if (e.to == me) {
      neighbours->sources.push_back(e.from);
      neighbours->source_weights.push_back(e.weight);
    }
    if (e.from == me) {
      neighbours->destinations.push_back(e.to);
      neighbours->destination_weights.push_back(e.weight);
    }
  }
  return publish_graph(comm, std::move(neighbours), result);
}

PSIM_MPI(int, Dist_graph_neighbors_count, (MPI_Comm comm, int* n_in, int* n_out, int* weighted)) {
  return guarded("MPI_Dist_graph_neighbors_count", comm, [&] {
    const Communicator& c = communicator(comm);
    require(c.neighbours != nullptr, MPI_ERR_TOPOLOGY);
    out(n_in) = static_cast<int>(c.neighbours->sources.size());
    out(n_out) = static_cast<int>(c.neighbours->destinations.size());
    out(weighted) = c.neighbours->weighted;
  });
}
PSIM_MPI(int, Dist_graph_neighbors,
         (MPI_Comm comm, int max_in, int* sources, int* source_weights, int max_out, int* destinations,
          int* destination_weights)) {
  return guarded("MPI_Dist_graph_neighbors", comm, [&] {
    const Communicator& c = communicator(comm);
    require(c.neighbours != nullptr, MPI_ERR_TOPOLOGY);
    const Neighbours& n = *c.neighbours;
    require(max_in >= 0 && max_out >= 0, MPI_ERR_ARG, "a degree is negative");
    check_array(sources, max_in, "sources");
    check_array(destinations, max_out, "destinations");
    check_array(source_weights, n.weighted ? max_in : 0, "sourceweights");
    check_array(destination_weights, n.weighted ? max_out : 0, "destweights");
    const auto give = [&](const std::vector<int>& from, int max, int* to) {
      if (max == 0 || to == MPI_UNWEIGHTED || to == MPI_WEIGHTS_EMPTY) return;
      std::copy_n(from.begin(), std::min(from.size(), static_cast<std::size_t>(max)), to);
    };
    give(n.sources, max_in, sources);
    give(n.destinations, max_out, destinations);
    if (!n.weighted) return;
    give(n.source_weights, max_in, source_weights);
    give(n.destination_weights, max_out, destination_weights);
  });
}
