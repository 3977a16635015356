/* SPDX-License-Identifier: Apache-2.0
 * torus_trees BYTES SHAPE TREES SEGMENT: a broadcast over several trees at once, as libraries of machines with several network ports send long
 * messages. SHAPE is that of the torus, such as 8x8x8, with at most three sizes. Messages have no contents: run it with --data none.
 *
 *     TREES = 3 or 6      one tree for each dimension, or two. Trees share no link of the torus, and each carries its part of the vector in
 *                         segments. A tree leaves rank 0 along its own dimension; the nodes of this line send along the next dimension, and so
 *                         on. The nodes that are level with rank 0 receive last, from the far end of the rings of the first dimension.
 *                         Trees of the second half go in the other direction.
 *     TREES = 2           Open MPI's binary tree: ranks 2 i + 1 and 2 i + 2 receive from rank i
 *     TREES = 1           a chain of all ranks
 *
 * Prints microseconds, one line for each rank. The broadcast takes the longest of them.
 *
 *     psim-cc -O2 -o torus_trees torus_trees.c
 *     psim net -n 64 --data none --set topology.shape=4x4x4 --set nic.ports=6 ./torus_trees 8388608 4x4x4 6 16384 */
#include <mgen.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMostTrees = 6, kMostChildren = 3, kAhead = 4, kTag = 1 };

typedef struct {
  int parent, children[kMostChildren], count;
  long first, end;      /* first segment of the tree's part of the vector, and the number of segments */
  long arrived, posted; /* segments received, and receives posted */
  MGEN_Request receives[kAhead];
} Tree;

static int rank, ranks, sizes[3] = {1, 1, 1}, dimensions, trees_asked;
static long bytes, segment;

static int rank_of(const int *at) { return at[0] + sizes[0] * (at[1] + sizes[1] * at[2]); }

static void add(Tree *tree, const int *at) { tree->children[tree->count++] = rank_of(at); }

/* Fills in parent and children of this rank, in the tree that begins with dimension `first` in direction `step`. */
static void make_tree(Tree *tree, int first, int step) {
  int at[3] = {rank % sizes[0], rank / sizes[0] % sizes[1], rank / sizes[0] / sizes[1]};
  int order[3] = {0, 1, 2}, to[3];
  for (int i = 0; i < dimensions; ++i) order[i] = (first + i) % dimensions;
  /* Positions along each dimension, in the tree's direction. */
  int along[3] = {0, 0, 0};
  for (int i = 0; i < dimensions; ++i) along[i] = step > 0 ? at[order[i]] : (sizes[order[i]] - at[order[i]]) % sizes[order[i]];
  tree->parent = -1;
  if (rank != 0) {
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
    if (rank == 0 && sizes[order[0]] > 1) {
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

static void post(Tree *tree, int t) {
  for (; tree->posted < tree->end && tree->posted < tree->arrived + kAhead; ++tree->posted)
    MGEN_Irecv(NULL, size_of(tree, tree->posted), MGEN_BYTE, tree->parent, kTag + t, MGEN_COMM_WORLD, &tree->receives[tree->posted % kAhead]);
}

int main(int argc, char **argv) {
  MGEN_Init(&argc, &argv);
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  if (argc == 5) {
    bytes = atol(argv[1]), trees_asked = atoi(argv[3]), segment = atol(argv[4]);
    dimensions = sscanf(argv[2], "%dx%dx%d", &sizes[0], &sizes[1], &sizes[2]);
  }
  if (argc != 5 || bytes < 1 || segment < 1 || dimensions < 1 || sizes[0] < 1 || sizes[1] < 1 || sizes[2] < 1 || sizes[0] * sizes[1] * sizes[2] != ranks ||
      (trees_asked != 1 && trees_asked != 2 && trees_asked != 3 && trees_asked != 6)) {
    if (rank == 0) fprintf(stderr, "torus_trees: expected BYTES SHAPE TREES SEGMENT, and a shape with one node per rank\n");
    MGEN_Abort(MGEN_COMM_WORLD, 2);
  }
  Tree trees[kMostTrees] = {0};
  const int lattice = trees_asked >= 3, used = lattice ? trees_asked / 3 * dimensions : 1;
  const long segments = (bytes + segment - 1) / segment;
  long sends = 0, left = 0;
  for (int t = 0; t < used; ++t) {
    Tree *tree = &trees[t];
    tree->first = segments * t / used, tree->end = segments * (t + 1) / used - tree->first;
    if (lattice)
      make_tree(tree, t % dimensions, t < dimensions ? 1 : -1);
    else {
      tree->parent = rank == 0 ? -1 : (rank - 1) / trees_asked;
      for (int i = 1; i <= trees_asked && trees_asked * rank + i < ranks; ++i) tree->children[tree->count++] = trees_asked * rank + i;
    }
    sends += tree->end * tree->count;
    if (rank != 0) left += tree->end;
  }
  MGEN_Request *sent = malloc((size_t)(sends + 1) * sizeof *sent);
  long number = 0;
  MGEN_Barrier(MGEN_COMM_WORLD);
  MGEN_Barrier(MGEN_COMM_WORLD);
  const double begin = MGEN_Wtime();
  if (rank == 0) {
    for (long i = 0; i < segments; ++i) /* the trees in turn */
      for (int t = 0; t < used; ++t)
        for (int c = 0; c < trees[t].count && i < trees[t].end; ++c)
          MGEN_Isend(NULL, size_of(&trees[t], i), MGEN_BYTE, trees[t].children[c], kTag + t, MGEN_COMM_WORLD, &sent[number++]);
  }
  for (int t = 0; t < used && rank != 0; ++t) post(&trees[t], t);
  while (left > 0) {
    MGEN_Request next[kMostTrees];
    int which;
    for (int t = 0; t < used; ++t)
      next[t] = trees[t].arrived < trees[t].end ? trees[t].receives[trees[t].arrived % kAhead] : MGEN_REQUEST_NULL;
    MGEN_Waitany(used, next, &which, MGEN_STATUS_IGNORE);
    Tree *tree = &trees[which];
    for (int c = 0; c < tree->count; ++c)
      MGEN_Isend(NULL, size_of(tree, tree->arrived), MGEN_BYTE, tree->children[c], kTag + which, MGEN_COMM_WORLD, &sent[number++]);
    ++tree->arrived, --left;
    post(tree, which);
  }
  MGEN_Waitall((int)number, sent, MGEN_STATUSES_IGNORE);
  printf("%.2f us\n", (MGEN_Wtime() - begin) * 1e6);
  free(sent);
  MGEN_Finalize();
  return 0;
}
