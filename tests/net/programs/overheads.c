// SPDX-License-Identifier: Apache-2.0
// Each collective compared with the same algorithm written with MPI_Isend, MPI_Recv and MPI_Sendrecv: its time on each
// rank, in ps. Arguments: a collective, its algorithm, 4-byte elements of a block, and library, hand or waitall (by
// hand, with one wait for all receives). Each run measures one, because earlier messages change the arbitration of
// the routers. The last rank of the world does not take part, so that the barrier of all ranks can differ from the
// measured one.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MPI_Comm comm;
static int me, n;
static int in[1 << 16], out[1 << 16];

/// Consecutive sends do not wait for each other, as in the collectives.
static MPI_Request sends[64];
static int under_way, all_at_once;
static void s(int to, int elements) { MPI_Isend(in, elements, MPI_INT, to, 0, comm, &sends[under_way++]); }
static void all_sent(void) {
  MPI_Waitall(under_way, sends, MPI_STATUSES_IGNORE);
  under_way = 0;
}
static void r(int from, int elements) {
  all_sent();
  MPI_Recv(out, elements, MPI_INT, from, 0, comm, MPI_STATUS_IGNORE);
}
static void x(int to, int sent, int from, int received) {
  all_sent();
  MPI_Sendrecv(in, sent, MPI_INT, to, 0, out, received, MPI_INT, from, 0, comm, MPI_STATUS_IGNORE);
}
static void any_order(int posted, MPI_Request* requests) {
  if (all_at_once) MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE), posted = 0;
  for (int done = 0, which; done < posted; ++done) MPI_Waitany(posted, requests, &which, MPI_STATUS_IGNORE);
}
/// Receives one message from every other rank, in the order of arrival.
static void from_all(int elements, int sending) {
  MPI_Request requests[64];
  int posted = 0;
  for (int i = 1; i < n; ++i)
    MPI_Irecv(out, elements, MPI_INT, (me - i + n) % n, 0, comm, &requests[posted++]);
  for (int i = 1; sending && i < n; ++i) s((me + i) % n, elements);
  any_order(posted, requests);
}

static void up(int elements) {  // a binomial tree to rank 0
  int bit = 1;
  for (; bit < n && !(me & bit); bit *= 2)
    if (me + bit < n) r(me + bit, elements);
  if (me) s(me - bit, elements);
}
static void down(int elements) {
  int bit = 1;
  while (bit < n && !(me & bit)) bit *= 2;
  if (me) r(me - bit, elements);
  for (bit /= 2; bit > 0; bit /= 2)
    if (me + bit < n) s(me + bit, elements);
}
static int least(int a, int b) { return a < b ? a : b; }
/// As up() and down(), with a block for each rank of the subtree.
static void gather_up(int block) {
  int span = 1, bit = 1;
  while (span < n && !(me & span)) span *= 2;
  span = least(span, n - me);
  MPI_Request requests[64];
  int posted = 0;
  for (; bit < n && !(me & bit); bit *= 2)
    if (me + bit < n)
      MPI_Irecv(out, least(bit, n - me - bit) * block, MPI_INT, me + bit, 0, comm, &requests[posted++]);
  any_order(posted, requests);
  if (me) s(me - bit, span * block);
}
static void scatter_down(int block) {
  int bit = 1;
  while (bit < n && !(me & bit)) bit *= 2;
  if (me) r(me - bit, least(bit, n - me) * block);
  for (bit /= 2; bit > 0; bit /= 2)
    if (me + bit < n) s(me + bit, least(bit, n - me - bit) * block);
}
static void ring(int block) {
  for (int i = 1; i < n; ++i) x((me + 1) % n, block, (me + n - 1) % n, block);
}
static void to_all(int block) {
  for (int i = 1; i < n; ++i) s(i, block);
}

// Powers of two; ranks above are folded onto their neighbours.
static int size, extra, place;
static void fold_ranks(void) {
  for (size = 1; size * 2 <= n; size *= 2) continue;
  extra = n - size;
  place = me < 2 * extra ? (me % 2 ? me / 2 : -1) : me - extra;
}
static int rank_at(int p) { return p < extra ? p * 2 + 1 : p + extra; }
static int first_of(int elements, int part) { return (int)((long)elements * part / size); }
static void fold(int elements) {
  if (me >= 2 * extra) return;
  if (place < 0)
    s(me + 1, elements);
  else
    r(me - 1, elements);
}
static void unfold(int elements) {
  if (me >= 2 * extra) return;
  if (place < 0)
    r(me + 1, elements);
  else
    s(me - 1, elements);
}
static void halve(int elements) {
  int first = 0, last = size;
  for (int half = size / 2; half > 0; half /= 2) {
    const int peer = place ^ half, middle = first + half, low = place < middle;
    const int give_first = low ? middle : first, give_last = low ? last : middle;
    first = low ? first : middle;
    last = low ? middle : last;
    x(rank_at(peer), first_of(elements, give_last) - first_of(elements, give_first), rank_at(peer),
      first_of(elements, last) - first_of(elements, first));
  }
}

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

static MPI_Comm near, leaders;  // the ranks of this node, and the first ranks of all nodes
static int near_root, even;
static void on(MPI_Comm ranks) {
  comm = ranks;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &n);
}
static void make_levels(void) {
  const MPI_Comm whole = comm;
  const int rank = me, all = n;
  MPI_Comm_split_type(whole, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
  on(near);
  int root = rank, least_size, most_size;
  MPI_Bcast(&root, 1, MPI_INT, 0, near);
  near_root = root == 0;
  MPI_Allreduce(&n, &least_size, 1, MPI_INT, MPI_MIN, whole);
  MPI_Allreduce(&n, &most_size, 1, MPI_INT, MPI_MAX, whole);
  even = least_size == most_size;
  MPI_Comm_split(whole, me == 0 ? 0 : MPI_UNDEFINED, 0, &leaders);
  comm = whole, me = rank, n = all;
}

static int by_hand(const char* what, const char* how, int block);
static void on_leaders(const char* what, const char* how, int block) {
  if (leaders == MPI_COMM_NULL) return;
  on(leaders);
  by_hand(what, how, block);
  on(near);
}
static int in_two_levels(const char* what, int block) {
  const int whole = n;
  if (is(what, "allgather") && !even) return by_hand(what, "bruck", block);
  on(near);
  if (is(what, "barrier")) {
    me ? s(0, 0) : from_all(0, 0);
    on_leaders(what, "dissemination", 0);
    me ? r(0, 0) : to_all(0);
    all_sent();
  } else if (is(what, "bcast")) {
    if (near_root) by_hand(what, "binomial", block);
    on_leaders(what, "binomial", block);
    if (!near_root) by_hand(what, "binomial", block);
  } else if (is(what, "reduce")) {
    if (!near_root) by_hand(what, "binomial", block);
    on_leaders(what, "binomial", block);
    if (near_root) by_hand(what, "binomial", block);
  } else if (is(what, "allreduce")) {
    by_hand("reduce", "binomial", block);
    on_leaders(what, "recursive-doubling", block);
    by_hand("bcast", "binomial", block);
  } else if (is(what, "allgather")) {
    by_hand("gather", "binomial", block);
    on_leaders(what, "bruck", n * block);
    by_hand("bcast", "binomial", whole * block);
  } else {
    return 0;
  }
  return 1;
}

/// Returns 0 for an unknown algorithm.
static int by_hand(const char* what, const char* how, int block) {
  const int all = n * block;
  fold_ranks();
  if (is(how, "two-level")) {
    return in_two_levels(what, block);
  } else if (is(what, "barrier") && is(how, "dissemination")) {
    for (int d = 1; d < n; d *= 2) x((me + d) % n, 0, (me - d + n) % n, 0);
  } else if (is(what, "barrier") && is(how, "tree")) {
    up(0), down(0);
  } else if (is(what, "bcast") && is(how, "binomial")) {
    down(block);
  } else if (is(what, "bcast") && is(how, "linear")) {
    me ? r(0, block) : to_all(block);
  } else if (is(what, "bcast") && is(how, "chain")) {
    if (me) r(me - 1, block);
    if (me + 1 < n) s(me + 1, block);
  } else if (is(what, "bcast") && is(how, "scatter-ring")) {
    scatter_down(block / n), ring(block / n);
  } else if (is(what, "reduce") && is(how, "binomial")) {
    up(block);
  } else if (is(what, "reduce") && is(how, "linear")) {
    if (me) s(0, block);
    for (int i = 1; !me && i < n; ++i) r(i, block);
  } else if (is(what, "reduce") && is(how, "rabenseifner")) {
    fold(block);
    if (place >= 0) halve(block);
    MPI_Request requests[64];
    int posted = 0;
    for (int p = 0; me == 0 && p < size; ++p)
      if (rank_at(p) != 0)
        MPI_Irecv(out, first_of(block, p + 1) - first_of(block, p), MPI_INT, rank_at(p), 0, comm,
                  &requests[posted++]);
    if (place >= 0 && me) s(0, first_of(block, place + 1) - first_of(block, place));
    any_order(posted, requests);
  } else if (is(what, "allreduce") && is(how, "recursive-doubling")) {
    fold(block);
    for (int bit = 1; place >= 0 && bit < size; bit *= 2)
      x(rank_at(place ^ bit), block, rank_at(place ^ bit), block);
    unfold(block);
  } else if (is(what, "allreduce") && is(how, "rabenseifner")) {
    fold(block);
    if (place >= 0) {
      halve(block);
      for (int bit = 1; bit < size; bit *= 2) {
        const int peer = place ^ bit, mine = place / bit * bit, theirs = peer / bit * bit;
        x(rank_at(peer), first_of(block, mine + bit) - first_of(block, mine), rank_at(peer),
          first_of(block, theirs + bit) - first_of(block, theirs));
      }
    }
    unfold(block);
  } else if (is(what, "allreduce") && is(how, "ring")) {
    ring(block / n), ring(block / n);
  } else if (is(what, "allreduce") && is(how, "reduce-bcast")) {
    up(block), down(block);
  } else if (is(what, "gather") && is(how, "binomial")) {
    gather_up(block);
  } else if (is(what, "gather") && is(how, "linear")) {
    me ? s(0, block) : from_all(block, 0);
  } else if (is(what, "scatter") && is(how, "binomial")) {
    scatter_down(block);
  } else if (is(what, "scatter") && is(how, "linear")) {
    me ? r(0, block) : to_all(block);
  } else if (is(what, "allgather") && is(how, "ring")) {
    ring(block);
  } else if (is(what, "allgather") && (is(how, "bruck") || (is(how, "recursive-doubling") && n != size))) {
    for (int have = 1; have < n; have *= 2)
      x((me - have + n) % n, least(have, n - have) * block, (me + have) % n, least(have, n - have) * block);
  } else if (is(what, "allgather") && is(how, "recursive-doubling")) {
    for (int bit = 1; bit < n; bit *= 2) x(me ^ bit, bit * block, me ^ bit, bit * block);
  } else if (is(what, "allgather") && is(how, "gather-bcast")) {
    gather_up(block), down(all);
  } else if (is(what, "alltoall") && is(how, "pairwise")) {
    for (int i = 1; i < n; ++i) x((me + i) % n, block, (me - i + n) % n, block);
  } else if (is(what, "alltoall") && is(how, "linear")) {
    from_all(block, 1);
  } else if (is(what, "alltoall") && is(how, "bruck")) {
    for (int bit = 1; bit < n; bit *= 2) {
      int blocks = 0;
      for (int i = bit; i < n; ++i) blocks += (i & bit) != 0;
      x((me + bit) % n, blocks * block, (me - bit + n) % n, blocks * block);
    }
  } else if (is(what, "reduce-scatter") && is(how, "pairwise")) {
    for (int i = 1; i < n; ++i) x((me + i) % n, block, (me - i + n) % n, block);
  } else if (is(what, "reduce-scatter") && is(how, "reduce-scatter")) {
    up(all);
    me ? r(0, block) : to_all(block);
  } else if (is(what, "scan") && is(how, "linear")) {
    if (me) r(me - 1, block);
    if (me + 1 < n) s(me + 1, block);
  } else if (is(what, "scan") && is(how, "recursive-doubling")) {
    for (int bit = 1; bit < n; bit *= 2)
      if ((me ^ bit) < n) x(me ^ bit, block, me ^ bit, block);
  } else {
    return 0;
  }
  all_sent();
  return 1;
}

static void collective(const char* what, int block) {
  if (is(what, "barrier")) MPI_Barrier(comm);
  if (is(what, "bcast")) MPI_Bcast(in, block, MPI_INT, 0, comm);
  if (is(what, "reduce")) MPI_Reduce(in, out, block, MPI_INT, MPI_SUM, 0, comm);
  if (is(what, "allreduce")) MPI_Allreduce(in, out, block, MPI_INT, MPI_SUM, comm);
  if (is(what, "gather")) MPI_Gather(in, block, MPI_INT, out, block, MPI_INT, 0, comm);
  if (is(what, "scatter")) MPI_Scatter(in, block, MPI_INT, out, block, MPI_INT, 0, comm);
  if (is(what, "allgather")) MPI_Allgather(in, block, MPI_INT, out, block, MPI_INT, comm);
  if (is(what, "alltoall")) MPI_Alltoall(in, block, MPI_INT, out, block, MPI_INT, comm);
  if (is(what, "reduce-scatter")) MPI_Reduce_scatter_block(in, out, block, MPI_INT, MPI_SUM, comm);
  if (is(what, "scan")) MPI_Scan(in, out, block, MPI_INT, MPI_SUM, comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int world, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_split(MPI_COMM_WORLD, world == ranks - 1, world, &comm);
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &n);
  make_levels();
  const int block = atoi(argv[3]);
  double time, all[64];
  int known = 1;
  MPI_Barrier(MPI_COMM_WORLD);  // the hardware's: all ranks leave at the same time
  const double begin = MPI_Wtime();
  if (world < ranks - 1) {
    all_at_once = is(argv[4], "waitall");
    if (is(argv[4], "hand") || all_at_once)
      known = by_hand(argv[1], argv[2], block);
    else
      collective(argv[1], block);
  }
  time = MPI_Wtime() - begin;
  if (!known) MPI_Abort(MPI_COMM_WORLD, 9);
  MPI_Barrier(MPI_COMM_WORLD);  // the results of no rank delay messages of another
  MPI_Gather(&time, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; world == 0 && i < ranks - 1; ++i) printf("%.0f\n", all[i] * 1e12);
  MPI_Finalize();
  return 0;
}
