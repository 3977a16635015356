/* SPDX-License-Identifier: Apache-2.0
 * Cartesian and graph topologies and collectives of neighbours. */
#include <mpi.h>
#include <stdio.h>

static int me, size;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int good = 0;
  for (int n = 1; n <= 130; ++n)
    for (int d = 1; d <= 3; ++d) {
      int dims[3] = {0, 0, 0};
      MPI_Dims_create(n, d, dims);
      int product = 1;
      for (int i = 0; i < d; ++i) product *= dims[i];
      good += product == n && (d < 2 || dims[0] >= dims[1]);
    }
  printf("%d dims %d\n", me, good);
  int dims[2] = {0, 2}, periods[2] = {1, 0}, coords[2], rank, source, dest, kind;
  if (size < 2) dims[1] = 1;
  if (size % 2 == 1) dims[0] = size / dims[1];
  else MPI_Dims_create(size, 2, dims);
  MPI_Comm cart, row;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
  if (cart != MPI_COMM_NULL) {
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_coords(cart, rank, 2, coords);
    MPI_Topo_test(cart, &kind);
    printf("%d cart %d %d %d kind %d\n", me, rank, coords[0], coords[1], kind == MPI_CART);
    for (int d = 0; d < 2; ++d)
      for (int step = -1; step <= 2; ++step) {
        MPI_Cart_shift(cart, d, step, &source, &dest);
        printf("%d shift %d %d: %d %d\n", me, d, step, source == MPI_PROC_NULL ? -1 : source, dest == MPI_PROC_NULL ? -1 : dest);
      }
    int around[4] = {-1, -1, -1, -1}, out[4], in[4] = {-1, -1, -1, -1};
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, around, 1, MPI_INT, cart);
    printf("%d around %d %d %d %d\n", me, around[0], around[1], around[2], around[3]);
    if (dims[0] > 2) {
      for (int i = 0; i < 4; ++i) out[i] = rank * 10 + i;
      MPI_Request request;
      MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, cart, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    printf("%d alltoall %d\n", me, in[2]);
    int remain[2] = {0, 1}, n;
    MPI_Cart_sub(cart, remain, &row);
    MPI_Comm_rank(row, &rank);
    MPI_Comm_size(row, &n);
    int subdims, sub[1], subperiods[1], subcoords[1];
    MPI_Cartdim_get(row, &subdims);
    MPI_Cart_get(row, 1, sub, subperiods, subcoords);
    printf("%d row %d of %d: %d %d %d %d\n", me, rank, n, subdims, sub[0], subperiods[0], subcoords[0]);
    MPI_Comm_free(&row);
    MPI_Comm_free(&cart);
  }
  /* One rank as the neighbour on both sides: data sent up are received from below. */
  if (size >= 2) {
    MPI_Comm pair, ring;
    MPI_Comm_split(MPI_COMM_WORLD, me < size / 2 * 2 ? me / 2 : MPI_UNDEFINED, me, &pair);
    if (pair != MPI_COMM_NULL) {
      int two = 2, yes = 1, ends[2] = {me * 10 - 1, me * 10 + 1}, got[2], ones[2] = {1, 1}, places[2] = {0, 1};
      MPI_Cart_create(pair, 1, &two, &yes, 0, &ring);
      MPI_Neighbor_alltoall(ends, 1, MPI_INT, got, 1, MPI_INT, ring);
      printf("%d ring of two %d %d\n", me, got[0], got[1]);
      MPI_Neighbor_alltoallv(ends, ones, places, MPI_INT, got, ones, places, MPI_INT, ring);
      printf("%d ring of two, v %d %d\n", me, got[0], got[1]);
      MPI_Comm_free(&ring);
      MPI_Comm_free(&pair);
    }
  }
  /* A ring as a graph. */
  int index[64], edges[128], count, neighbours[2];
  MPI_Comm graph;
  for (int i = 0; i < size; ++i) {
    index[i] = 2 * (i + 1);
    edges[2 * i] = (i + size - 1) % size;
    edges[2 * i + 1] = (i + 1) % size;
  }
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
  MPI_Graph_neighbors_count(graph, me, &count);
  MPI_Graph_neighbors(graph, me, 2, neighbours);
  printf("%d graph %d: %d %d\n", me, count, neighbours[0], neighbours[1]);
  if (size > 2) {
    int both[2];
    MPI_Neighbor_allgather(&me, 1, MPI_INT, both, 1, MPI_INT, graph);
    printf("%d graph around %d %d\n", me, both[0], both[1]);
  }
  MPI_Comm_free(&graph);
  /* Distributed graphs: every rank sends to all higher ranks. */
  int sources[64], destinations[64], weights_in[64], weights_out[64], n_in = 0, n_out = 0, weighted;
  for (int i = 0; i < me; ++i) sources[n_in] = i, weights_in[n_in++] = i + 1;
  for (int i = me + 1; i < size; ++i) destinations[n_out] = i, weights_out[n_out++] = me + 1;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n_in, sources, weights_in, n_out, destinations, weights_out, MPI_INFO_NULL, 0, &graph);
  int a, b;
  MPI_Dist_graph_neighbors_count(graph, &a, &b, &weighted);
  printf("%d adjacent %d %d %d\n", me, a, b, weighted);
  int from[64], counts_out[64], places_out[64], counts_in[64], places_in[64], out[64];
  for (int i = 0; i < 64; ++i) from[i] = -1, out[i] = me * 100 + i, counts_out[i] = counts_in[i] = 1, places_out[i] = places_in[i] = i;
  MPI_Neighbor_alltoallv(out, counts_out, places_out, MPI_INT, from, counts_in, places_in, MPI_INT, graph);
  for (int i = 0; i < n_in; ++i) printf("%d from %d: %d\n", me, i, from[i]);
  MPI_Comm_free(&graph);
  int degree = 1, to = (me + 1) % size, weight = 5;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &to, &degree, &me, &weight, MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_neighbors_count(graph, &a, &b, &weighted);
  MPI_Dist_graph_neighbors(graph, 1, sources, weights_in, 1, destinations, weights_out);
  printf("%d dist %d %d %d: %d %d %d %d\n", me, a, b, weighted, sources[0], weights_in[0], destinations[0], weights_out[0]);
  MPI_Topo_test(graph, &kind);
  printf("%d kind %d\n", me, kind == MPI_DIST_GRAPH);
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
