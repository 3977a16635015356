/* SPDX-License-Identifier: Apache-2.0
 * torus_trees BYTES SHAPE TREES SEGMENT [bcast|reduce|allreduce [RATE]]: collectives over several trees at once, as libraries of machines with
 * several network ports make them for long messages. SHAPE is that of the torus, such as 8x8x8, with at most three sizes; 8x8x8:4 has four ranks on
 * each node. Messages have no contents: run it with --data none.
 *
 *     TREES = 3 or 6      one tree for each dimension, or two. Trees share no link of the torus, and each carries its part of the vector in
 *                         segments. A tree leaves rank 0 along its own dimension; the nodes of this line send along the next dimension, and so
 *                         on. The nodes that are level with rank 0 receive last, from the far end of the rings of the first dimension.
 *                         Trees of the second half go in the other direction. The ranks of a node are a chain.
 *     TREES = 2           Open MPI's binary tree: ranks 2 i + 1 and 2 i + 2 receive from rank i
 *     TREES = 1           a chain of all ranks
 *
 * A reduction goes from the leaves to rank 0. A rank reduces RATE GB of received vectors per second (no time without RATE), and sends a segment on
 * when all children have sent it. An allreduce is a reduction and then a broadcast.
 * Prints microseconds, one line for each rank. The collective takes the longest of them.
 *
 *     psim-cc -O2 -o torus_trees torus_trees.c
 *     psim net -n 64 --data none --set topology.shape=4x4x4 --set nic.ports=6 ./torus_trees 8388608 4x4x4 6 16384 */
#include <mgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostTrees = 6, kMostChildren = 4, kAhead = 4, kTag = 1 };

typedef struct {
  int parent, children[kMostChildren], count;
  long first, end; /* first segment of the tree's part of the vector, and the number of segments */
  long passed;     /* segments passed on */
} Tree;

/* Segments of a tree from one of its ranks. */
typedef struct {
  int tree, from;
  long arrived, posted; /* segments received, and receives posted */
  MGEN_Request receives[kAhead];
} Stream;

static int rank, ranks, sizes[3] = {1, 1, 1}, dimensions, node_ranks = 1, trees_asked, used;
static long bytes, segment;
static double rate; /* of reducing, in bytes per second; 0: no time */
static Tree trees[kMostTrees];

static int rank_of(const int *at) { return node_ranks * (at[0] + sizes[0] * (at[1] + sizes[1] * at[2])); }

static void add(Tree *tree, const int *at) { tree->children[tree->count++] = rank_of(at); }

/* Fills in parent and children of this rank, in the tree that begins with dimension `first` in direction `step`. */
static void make_tree(Tree *tree, int first, int step) {
  const int node = rank / node_ranks, inside = rank % node_ranks;
  if (inside + 1 < node_ranks) tree->children[tree->count++] = rank + 1;
  if (inside > 0) {
    tree->parent = rank - 1;
    return;
  }
  int at[3] = {node % sizes[0], node / sizes[0] % sizes[1], node / sizes[0] / sizes[1]};
  int order[3] = {0, 1, 2}, to[3];
  for (int i = 0; i < dimensions; ++i) order[i] = (first + i) % dimensions;
  /* Positions along each dimension, in the tree's direction. */
  int along[3] = {0, 0, 0};
  for (int i = 0; i < dimensions; ++i) along[i] = step > 0 ? at[order[i]] : (sizes[order[i]] - at[order[i]]) % sizes[order[i]];
  tree->parent = -1;
  if (node != 0) {
    to[0] = at[0], to[1] = at[1], to[2] = at[2];
    int back = 0; /* the last dimension in which this node differs from rank 0 */
    for (int i = 1; i < dimensions; ++i)
      if (along[i] > 0) back = i;
    if (along[0] == 0) back = 0; /* level with rank 0: from the far end of the ring */
    const int d = order[back];
    to[d] = (at[d] - step + sizes[d]) % sizes[d];
    tree->parent = rank_of(to);
  }
  if (along[0] == 0) { /* of the nodes level with rank 0 only rank 0 sends */
    if (node == 0 && sizes[order[0]] > 1) {
      to[0] = to[1] = to[2] = 0;
      to[order[0]] = (step + sizes[order[0]]) % sizes[order[0]];
      add(tree, to);
    }
    return;
  }
  int last = 0;
  for (int i = 1; i < dimensions; ++i)
    if (along[i] > 0) last = i;
  for (int i = last; i < dimensions; ++i) {
    const int d = order[i];
    if (along[i] + 1 >= sizes[d]) continue;
    to[0] = at[0], to[1] = at[1], to[2] = at[2];
    to[d] = (at[d] + step + sizes[d]) % sizes[d];
    add(tree, to);
  }
  if (along[0] + 1 == sizes[order[0]]) { /* closes the ring */
    to[0] = at[0], to[1] = at[1], to[2] = at[2];
    to[order[0]] = (at[order[0]] + step + sizes[order[0]]) % sizes[order[0]];
    if (rank_of(to) != 0) add(tree, to);
  }
}

static int size_of(const Tree *tree, long i) {
  const long at = (tree->first + i) * segment;
  return (int)(at + segment > bytes ? bytes - at : segment);
}

static void post(Stream *stream) {
  const Tree *tree = &trees[stream->tree];
  for (; stream->posted < tree->end && stream->posted < stream->arrived + kAhead; ++stream->posted)
    MGEN_Irecv(NULL, size_of(tree, stream->posted), MGEN_BYTE, stream->from, kTag + stream->tree, MGEN_COMM_WORLD,
               &stream->receives[stream->posted % kAhead]);
}

/* Passes segments from rank 0 to the leaves, or from the leaves to rank 0 if `reducing`. */
static void pass(int reducing) {
  Stream streams[kMostTrees * kMostChildren];
  MGEN_Request *sent, next[kMostTrees * kMostChildren];
  int count = 0, sources[kMostTrees], targets[kMostTrees];
  const int *to[kMostTrees];
  long sends = 0, number = 0, left = 0, most = 0;
  for (int t = 0; t < used; ++t) {
    const Tree *tree = &trees[t];
    const int inner = rank != 0;
    const int *from = reducing ? tree->children : &tree->parent;
    to[t] = reducing ? &tree->parent : tree->children;
    sources[t] = reducing ? tree->count : inner, targets[t] = reducing ? inner : tree->count;
    for (int i = 0; i < sources[t]; ++i) streams[count++] = (Stream){.tree = t, .from = from[i]};
    trees[t].passed = 0;
    sends += tree->end * targets[t], left += tree->end * sources[t];
    if (tree->end > most) most = tree->end;
  }
  sent = malloc((size_t)(sends + 1) * sizeof *sent);
  for (int i = 0; i < count; ++i) post(&streams[i]);
  for (long i = 0; i < most; ++i) /* where a tree begins, all its segments, the trees in turn */
    for (int t = 0; t < used; ++t)
      for (int c = 0; c < targets[t] && sources[t] == 0 && i < trees[t].end; ++c)
        MGEN_Isend(NULL, size_of(&trees[t], i), MGEN_BYTE, to[t][c], kTag + t, MGEN_COMM_WORLD, &sent[number++]);
  while (left > 0) {
    int which, ready = 1;
    for (int i = 0; i < count; ++i)
      next[i] = streams[i].arrived < trees[streams[i].tree].end ? streams[i].receives[streams[i].arrived % kAhead] : MGEN_REQUEST_NULL;
    MGEN_Waitany(count, next, &which, MGEN_STATUS_IGNORE);
    Stream *stream = &streams[which];
    const int t = stream->tree;
    Tree *tree = &trees[t];
    if (reducing && rate > 0) MGEN_Comp(size_of(tree, stream->arrived) / rate);
    ++stream->arrived, --left;
    for (int i = 0; i < count; ++i) ready = ready && (streams[i].tree != t || streams[i].arrived > tree->passed);
    for (int c = 0; c < targets[t] && ready; ++c)
      MGEN_Isend(NULL, size_of(tree, tree->passed), MGEN_BYTE, to[t][c], kTag + t, MGEN_COMM_WORLD, &sent[number++]);
    tree->passed += ready;
    post(stream);
  }
  MGEN_Waitall((int)number, sent, MGEN_STATUSES_IGNORE);
  free(sent);
}

int main(int argc, char **argv) {
  const char *operation = argc > 5 ? argv[5] : "bcast";
  const int reduces = strcmp(operation, "bcast") != 0, broadcasts = strcmp(operation, "reduce") != 0;
  MGEN_Init(&argc, &argv);
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  if (argc >= 5) {
    const char *inside = strchr(argv[2], ':');
    bytes = atol(argv[1]), trees_asked = atoi(argv[3]), segment = atol(argv[4]);
    dimensions = sscanf(argv[2], "%dx%dx%d", &sizes[0], &sizes[1], &sizes[2]);
    if (inside != NULL) node_ranks = atoi(inside + 1);
    if (argc > 6) rate = atof(argv[6]) * 1e9;
  }
  const int lattice = trees_asked >= 3;
  if (argc < 5 || argc > 7 || bytes < 1 || segment < 1 || dimensions < 1 || sizes[0] < 1 || sizes[1] < 1 || sizes[2] < 1 || node_ranks < 1 ||
      sizes[0] * sizes[1] * sizes[2] * node_ranks != ranks || (trees_asked != 1 && trees_asked != 2 && trees_asked != 3 && trees_asked != 6) ||
      (reduces && strcmp(operation, "reduce") != 0 && strcmp(operation, "allreduce") != 0) || rate < 0) {
    if (rank == 0)
      fprintf(stderr,
              "torus_trees: expected BYTES SHAPE TREES SEGMENT [bcast|reduce|allreduce [RATE]], and a shape with one node per rank, "
              "or with the ranks of a node as in 4x4x4:4\n");
    MGEN_Abort(MGEN_COMM_WORLD, 2);
  }
  used = lattice ? trees_asked / 3 * dimensions : 1;
  const long segments = (bytes + segment - 1) / segment;
  for (int t = 0; t < used; ++t) {
    Tree *tree = &trees[t];
    tree->first = segments * t / used, tree->end = segments * (t + 1) / used - tree->first;
    if (lattice)
      make_tree(tree, t % dimensions, t < dimensions ? 1 : -1);
    else {
      tree->parent = rank == 0 ? -1 : (rank - 1) / trees_asked;
      for (int i = 1; i <= trees_asked && trees_asked * rank + i < ranks; ++i) tree->children[tree->count++] = trees_asked * rank + i;
    }
  }
  MGEN_Barrier(MGEN_COMM_WORLD);
  MGEN_Barrier(MGEN_COMM_WORLD);
  const double begin = MGEN_Wtime();
  if (reduces) pass(1);
  if (broadcasts) pass(0);
  printf("%.2f us\n", (MGEN_Wtime() - begin) * 1e6);
  MGEN_Finalize();
  return 0;
}
