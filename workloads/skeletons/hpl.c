/* SPDX-License-Identifier: Apache-2.0
 * Skeleton of HPL, the benchmark of linear equations by LU factorisation with partial pivoting:
 *
 *     hpl n=N nb=NB p=P q=Q [bcast=1ring|1ring-m|2ring|2ring-m] [depth=0|1|…] [swap=exchange|long|mix|collective]
 *         [threshold=64] [nbmin=4] [ndiv=2] [columns=NB] [chunks=all] [seed=1] [pivots=FILE]
 *
 * It sends the messages of HPL 2.x for a P x Q grid in row-major order with blocks of NB: the panel's pivot search and
 * recursion, its broadcast with look-ahead, the exchange of rows, and the backward substitution. Computing is left to
 * the models of the regions below. Pivots are drawn from the seed, since a skeleton has no matrix, or read from a file with the
 * row of each pivot, from 0. With HPL's own pivots each process sends HPL's messages.
 *
 *     dgemm(m, n, k)    C(m, n) -= A(m, k) B(k, n)
 *     dtrsm(m, n)       a triangle of order m and n right-hand sides
 *     panel(m, n)       unblocked factorisation of n columns of m rows, without its messages
 *     rows(m, n)        copies of m rows of n columns
 *
 * For large runs two steps can be shortened, each with its own message pattern kept:
 *     columns=K   only K columns of each panel exchange pivots; the others take the mean time of these (at least 2)
 *     chunks=K    the update is cut into at most K pieces between which the broadcast advances; HPL cuts every NB columns
 *     swap=collective    rows are spread by one LMPI_Scatter and collected by one LMPI_Allgather on each column of processes */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmpi.h"

enum { kPanelTag = 1, kRowTag = 2, kSolveTag = 3 };
enum Broadcast { k1Ring, k1RingM, k2Ring, k2RingM };
enum Swap { kExchange, kLong, kMix, kCollective };

static const char *const kBroadcasts[] = {"1ring", "1ring-m", "2ring", "2ring-m", NULL};
static const char *const kSwaps[] = {"exchange", "long", "mix", "collective", NULL};

static struct {
  long n, nb, p, q, bcast, depth, swap, threshold, nbmin, ndiv, columns, chunks, seed;
} o = {.n = 0, .nb = 0, .p = 1, .q = 1, .bcast = k1RingM, .depth = 1, .swap = kMix, .threshold = 64, .nbmin = 4, .ndiv = 2, .seed = 1};

static const char *pivot_file;
static long *pivots; /* of pivot_file */

static int me, my_row, my_col;
static MPI_Comm row_comm, col_comm; /* the processes of my row, and of my column */
static double flops, product_flops, sent_messages, sent_bytes;

/* ---- words of the command ---- */

static void wrong(const char *word, const char *expected) {
  if (me == 0) fprintf(stderr, "hpl: %s: expected %s\n", word, expected);
  LMPI_Abort(MPI_COMM_WORLD, 2);
}

static long number(const char *word, const char *text, long least, long most) {
  char *end, range[80];
  const long value = strtol(text, &end, 10);
  snprintf(range, sizeof range, "a whole number from %ld to %ld", least, most);
  if (*text == 0 || *end != 0 || value < least || value > most) wrong(word, range);
  return value;
}

static long choice(const char *word, const char *text, const char *const *names) {
  char all[200] = "";
  for (long i = 0; names[i]; ++i) {
    if (strcmp(names[i], text) == 0) return i;
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", names[i]);
  }
  wrong(word, all);
  return 0;
}

static void take_words(int count, char **words) {
  const long most = 1L << 40;
  const struct {
    const char *name;
    long *value, least, most;
    const char *const *names;
  } kKeys[] = {{"n", &o.n, 1, most, NULL},          {"nb", &o.nb, 1, 1 << 16, NULL},
               {"p", &o.p, 1, 1 << 20, NULL},       {"q", &o.q, 1, 1 << 20, NULL},
               {"bcast", &o.bcast, 0, 0, kBroadcasts}, {"depth", &o.depth, 0, 64, NULL},
               {"swap", &o.swap, 0, 0, kSwaps},     {"threshold", &o.threshold, 0, most, NULL},
               {"nbmin", &o.nbmin, 1, 1 << 16, NULL}, {"ndiv", &o.ndiv, 2, 1 << 16, NULL},
               {"columns", &o.columns, 1, 1 << 16, NULL}, {"chunks", &o.chunks, 1, most, NULL},
               {"seed", &o.seed, 0, most, NULL}};
  for (int i = 1; i < count; ++i) {
    const char *equals = strchr(words[i], '=');
    if (strncmp(words[i], "pivots=", 7) == 0) {
      pivot_file = equals + 1;
      continue;
    }
    size_t key = 0;
    while (key < sizeof kKeys / sizeof *kKeys &&
           (!equals || strlen(kKeys[key].name) != (size_t)(equals - words[i]) ||
            strncmp(kKeys[key].name, words[i], (size_t)(equals - words[i])) != 0))
      ++key;
    if (key == sizeof kKeys / sizeof *kKeys)
      wrong(words[i], "n=, nb=, p=, q=, bcast=, depth=, swap=, threshold=, nbmin=, ndiv=, columns=, chunks=, seed= or pivots=");
    *kKeys[key].value = kKeys[key].names ? choice(words[i], equals + 1, kKeys[key].names)
                                         : number(words[i], equals + 1, kKeys[key].least, kKeys[key].most);
  }
  if (o.n == 0) wrong("n", "n=N, the order of the matrix");
  if (o.nb == 0) wrong("nb", "nb=NB, the size of blocks");
  int ranks;
  LMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (o.p * o.q != ranks) wrong("p and q", "p times q equal to the number of ranks");
}

static void read_pivots(void) {
  FILE *file = fopen(pivot_file, "r");
  if (!file) wrong(pivot_file, "a file that can be read");
  pivots = malloc((size_t)o.n * sizeof *pivots);
  for (long i = 0; i < o.n; ++i)
    if (fscanf(file, "%ld", &pivots[i]) != 1 || pivots[i] < i || pivots[i] >= o.n)
      wrong(pivot_file, "n rows of pivots, none above its place");
  fclose(file);
}

/* ---- block-cyclic indices ---- */

static long least(long a, long b) { return a < b ? a : b; }
static long most(long a, long b) { return a > b ? a : b; }
/* Returns the number of indices below x that process `at` of `processes` has. */
static long below(long x, long at, long processes) {
  const long blocks = x / o.nb, mine = blocks % processes;
  return blocks / processes * o.nb + (at < mine ? o.nb : at == mine ? x % o.nb : 0);
}
static long local(long first, long count, long at, long processes) {
  return count <= 0 ? 0 : below(first + count, at, processes) - below(first, at, processes);
}
static long owner(long index, long processes) { return index / o.nb % processes; }
static long around(long value, long processes) { return (value % processes + processes) % processes; }
/* Returns the largest power of two <= x. */
static long power_below(long x) {
  long power = 1;
  while (power * 2 <= x) power *= 2;
  return power;
}

/* ---- messages of `doubles` elements ---- */

static void count_message(long doubles) {
  ++sent_messages;
  sent_bytes += 8.0 * (double)doubles;
}
static int elements(long doubles) {
  if (doubles > INT32_MAX) wrong("n", "smaller messages than 2^31 elements");
  return (int)doubles;
}
static void send(long doubles, long to, int tag, MPI_Comm comm) {
  if (doubles <= 0) return;
  count_message(doubles);
  LMPI_Send(NULL, elements(doubles), MPI_DOUBLE, (int)to, tag, comm);
}
static void receive(long doubles, long from, int tag, MPI_Comm comm) {
  if (doubles > 0) LMPI_Recv(NULL, elements(doubles), MPI_DOUBLE, (int)from, tag, comm, MPI_STATUS_IGNORE);
}
/* Sends and receives at once; either may be empty. */
static void exchange(long out, long in, long partner, int tag, MPI_Comm comm) {
  MPI_Request request;
  if (in > 0 && out > 0) {
    LMPI_Irecv(NULL, elements(in), MPI_DOUBLE, (int)partner, tag, comm, &request);
    send(out, partner, tag, comm);
    LMPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    send(out, partner, tag, comm);
    receive(in, partner, tag, comm);
  }
}

/* ---- computing ---- */

static void dgemm(long m, long n, long k) {
  if (m <= 0 || n <= 0 || k <= 0) return;
  flops += 2.0 * (double)m * (double)n * (double)k;
  product_flops += 2.0 * (double)m * (double)n * (double)k;
  BSIM_Add_model("dgemm", m, n, k);
}
static void dtrsm(long m, long n) {
  if (m <= 0 || n <= 0) return;
  flops += (double)m * (double)m * (double)n;
  BSIM_Add_model("dtrsm", m, n);
}
static void rows(long m, long n) {
  if (m > 0 && n > 0) BSIM_Add_model("rows", m, n);
}

/* ---- a panel ---- */

struct Panel {
  long first, width;   /* global index of its first row and column; its columns */
  long row, col;       /* the process row and column that own its first block */
  long m, n;           /* my rows from `first` on; my columns from `first` on that have not been updated */
  int broadcast;       /* it is here */
  int spread;          /* `moves` are known */
  long *to, *from;     /* by process row: rows of the current row that go there, and rows that come from there */
  long length;         /* doubles of its broadcast */
};

static void open_panel(struct Panel *panel, long first) {
  panel->first = first;
  panel->width = least(o.nb, o.n - first);
  panel->row = owner(first, o.p);
  panel->col = owner(first, o.q);
  panel->m = local(first, o.n - first, my_row, o.p);
  panel->n = local(first, o.n - first + 1, my_col, o.q);
  panel->broadcast = panel->spread = 0;
  const long below_diagonal = most(0, panel->m - (my_row == panel->row ? panel->width : 0));
  panel->length = below_diagonal * panel->width + panel->width * panel->width + panel->width + 1;
}

/* Searches the pivot of one column and swaps its rows: HPL's combination of maximum and swap. The process row of the
 * diagonal block also sends its own row. */
static void pivot_column(const struct Panel *panel) {
  const long width = panel->width, one = width + 4, two = one + width, half = power_below(o.p);
  const long distance = around(my_row - panel->row, o.p), rest = o.p - half, mirror = distance ^ half;
  const int folds = rest != 0 && mirror < o.p;
  if (folds && (distance & half)) {
    if (distance == half)
      exchange(one, width, around(mirror + panel->row, o.p), kRowTag, col_comm);
    else
      send(one, around(mirror + panel->row, o.p), kRowTag, col_comm);
  } else if (folds) {
    if (distance == 0)
      exchange(width, one, around(mirror + panel->row, o.p), kRowTag, col_comm);
    else
      receive(one, around(mirror + panel->row, o.p), kRowTag, col_comm);
  }
  if (distance < half) {
    for (long bit = 1; bit < half; bit *= 2) {
      /* The row of the diagonal block travels with the data of those that have it already. */
      const int has = distance < bit, gets = !has && distance < 2 * bit;
      exchange(has ? two : one, gets ? two : one, around((distance ^ bit) + panel->row, o.p), kRowTag, col_comm);
    }
  } else if (rest > 1) {
    const long root = panel->row + half, mine = distance - half;
    long mask = 2 * power_below(rest - 1) - 1;
    for (long bit = power_below(rest - 1); bit > 0; bit /= 2) {
      mask ^= bit;
      if (mine & mask) continue;
      const long partner = mine ^ bit;
      if (mine & bit)
        receive(width, around(root + partner, o.p), kRowTag, col_comm);
      else if (partner < rest)
        send(width, around(root + partner, o.p), kRowTag, col_comm);
    }
  }
  if (folds) {
    if (distance & half)
      receive(one, around(mirror + panel->row, o.p), kRowTag, col_comm);
    else
      send(one, around(mirror + panel->row, o.p), kRowTag, col_comm);
  }
}

/* Factors `n` columns from `offset` on of a panel with `m` local rows left, right-looking by parts. */
static void factor(const struct Panel *panel, long m, long n, long offset) {
  if (n <= o.nbmin) {
    for (long i = 0; i < n; ++i) pivot_column(panel);
    if (m > 0) {
      const int diagonal = my_row == panel->row;
      for (long i = 0; i < n; ++i) flops += 2.0 * (double)most(0, m - (diagonal ? i + 1 : 0)) * (double)(n - 1 - i);
      BSIM_Add_model("panel", m, n);
    }
    return;
  }
  const long part = ((n + o.nbmin - 1) / o.nbmin + o.ndiv - 1) / o.ndiv * o.nbmin;
  for (long done = 0; done < n;) {
    const long width = least(part, n - done), left = n - done - width;
    factor(panel, m, width, offset + done);
    dtrsm(width, left);
    if (my_row == panel->row) m -= width;
    dgemm(m, left, width);
    done += width;
  }
}

static void factor_panel(struct Panel *panel) {
  if (my_col != panel->col) return;
  if (o.columns >= panel->width) {
    factor(panel, panel->m, panel->width, 0);
  } else {
    /* The first exchange waits for all processes of the column; the next ones show the time of each. */
    pivot_column(panel);
    const double begin = LMPI_Wtime();
    for (long i = 1; i < o.columns; ++i) pivot_column(panel);
    const double each = (LMPI_Wtime() - begin) / (double)(o.columns - 1);
    BSIM_Add_time(each * (double)(panel->width - o.columns));
    const double m = (double)panel->m, n = (double)panel->width;
    flops += m * n * n;
    if (m > 0) BSIM_Add_model("panel", panel->m, panel->width);
  }
  panel->n -= panel->width;
}

/* Advances the broadcast of a panel along its row; returns whether it is complete. `waits`: until it is. */
static int advance(struct Panel *panel, int waits) {
  if (panel == NULL || panel->broadcast || o.q == 1) return 1;
  const long size = o.q, root = panel->col, next = around(my_col + 1, size), before = around(my_col - 1, size);
  const long second = around(root + (size + 1) / 2, size);
  const int two = o.bcast == k2Ring || o.bcast == k2RingM, modified = o.bcast == k1RingM || o.bcast == k2RingM;
  if (my_col == root) {
    send(panel->length, next, kPanelTag, row_comm);
    if (modified && size > 2 && !(two && around(next + 1, size) == second))
      send(panel->length, around(next + 1, size), kPanelTag, row_comm);
    if (two && size > 2) send(panel->length, second, kPanelTag, row_comm);
  } else {
    long from = before;
    if (modified && size > 2 && around(before - 1, size) == root) from = root;
    if (two && my_col == second && size > 2) from = root;
    if (!waits) {
      int here;
      LMPI_Iprobe((int)from, kPanelTag, row_comm, &here, MPI_STATUS_IGNORE);
      if (!here) return 0;
    }
    receive(panel->length, from, kPanelTag, row_comm);
    if (next != root && !(modified && before == root && size > 2) && !(two && next == second))
      send(panel->length, next, kPanelTag, row_comm);
  }
  return panel->broadcast = 1;
}

/* ---- exchange of rows ---- */

static uint64_t random_bits(uint64_t x) {
  x += 0x9e3779b97f4a7c15u * (uint64_t)(o.seed + 1);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
/* Returns the row that becomes row `index`: any below it. */
static long pivot_of(long index) {
  if (pivots) return pivots[index];
  return index + (long)((unsigned __int128)random_bits((uint64_t)index) * (uint64_t)(o.n - index) >> 64);
}

/* A row with the row whose contents it has after the swaps so far. */
struct Place {
  long row, contents;
};
static struct Place *places;
static long place_count, place_size;
static long *contents_of(long row) {
  size_t at = (size_t)random_bits((uint64_t)row) & (size_t)(place_size - 1);
  while (places[at].row >= 0 && places[at].row != row) at = (at + 1) & (size_t)(place_size - 1);
  if (places[at].row < 0) places[at] = (struct Place){row, row};
  return &places[at].contents;
}

/* Counts the rows that move between the process row of the panel and each other. */
static void find_moves(struct Panel *panel) {
  if (panel->spread) return;
  panel->spread = 1;
  for (long i = 0; i < place_size; ++i) places[i].row = -1;
  for (long i = 0; i < panel->width; ++i) {
    long *a = contents_of(panel->first + i), *b = contents_of(pivot_of(panel->first + i));
    const long row = *a;
    *a = *b;
    *b = row;
  }
  memset(panel->to, 0, (size_t)o.p * sizeof *panel->to);
  memset(panel->from, 0, (size_t)o.p * sizeof *panel->from);
  for (long i = 0; i < place_size; ++i) {
    if (places[i].row < 0) continue;
    const long goes = owner(places[i].row, o.p), comes = owner(places[i].contents, o.p);
    ++panel->from[comes];
    if (comes == panel->row && (goes != panel->row || places[i].row < panel->first + panel->width)) ++panel->to[goes];
  }
}

/* The order of process rows in a long swap: those that pass on more data hold more rows. `length` has the rows of each
 * place, then their sums; `at` the process row of a place, `place` the place of a process row. */
struct Order {
  long *length, *at, *place;
};
static struct Order order;
static long *share;

static int ones(long x) {
  int count = 0;
  for (; x; x &= x - 1) ++count;
  return count;
}

static void find_order(const struct Panel *panel) {
  const long p = o.p;
  int deepest = 0;
  for (long i = 0; i < p; ++i) {
    order.at[i] = around(i + panel->row, p);
    order.length[i] = panel->to[order.at[i]];
    deepest = ones(i) > deepest ? ones(i) : deepest;
  }
  for (int depth = 1; depth <= deepest; ++depth)
    for (long j = 1; j < p; ++j)
      for (long i = 2; i < p && ones(j) == depth; ++i)
        if (ones(i) > depth && order.length[j] < order.length[i]) {
          const long length = order.length[i], at = order.at[i];
          order.length[i] = order.length[j], order.length[j] = length;
          order.at[i] = order.at[j], order.at[j] = at;
        }
  long sum = 0;
  for (long i = 0; i < p; ++i) {
    const long length = order.length[i];
    order.length[i] = sum;
    sum += length;
    order.place[order.at[i]] = i;
  }
  order.length[p] = sum;
}

/* Sends parts of the rows at place `source` to the places after it along a binomial tree, or (left) to those before it.
 * share[i] … share[i + 1] are the rows for place i. */
static void spread(struct Panel *next, const long *rows_of, long n, long source, int left) {
  const long places_here = left ? source + 1 : o.p - source, last = places_here - 1;
  const long mine = order.place[my_row];
  if (last == 0 || (left ? mine > source : mine < source)) return;
  const long distance = left ? source - mine : mine - source;
  long mask = 2 * power_below(last) - 1;
  for (long bit = power_below(last); bit > 0; bit /= 2) {
    mask ^= bit;
    if ((distance & mask) == 0) {
      const long partner = distance ^ bit, receiver = distance | bit, end = least(receiver + bit, places_here);
      const long at = source - receiver; /* to the left HPL sends the rows of one place more */
      const long count = receiver >= places_here ? 0
                         : left                  ? rows_of[at + 1] - rows_of[at - least(at, bit)]
                                                 : rows_of[source + end] - rows_of[source + receiver];
      if (count > 0 && partner < places_here) {
        const long to = order.at[left ? source - partner : source + partner];
        if (distance & bit)
          receive(count * n, to, kRowTag, col_comm);
        else
          send(count * n, to, kRowTag, col_comm);
      }
    }
    advance(next, 0);
  }
}

/* Gives each place an even share of the rows. */
static void level(struct Panel *next, long n) {
  const long p = o.p, sum = order.length[p], small = sum / p, larger = sum % p, large = (sum + p - 1) / p;
  if (p <= 2) return;
  long place = 0; /* HPL does not look at the last one */
  for (; place < p - 1; ++place) {
    const long length = order.length[place + 1] - order.length[place];
    if (length != small && length != large) break;
  }
  if (place == p - 1) return;
  for (place = 0; place < p; ++place) {
    const long first = order.length[place], length = order.length[place + 1] - first;
    const long target = place < larger ? place * large : place * small + larger, size = place < larger ? large : small;
    const int left = first < target, right = target + size < first + length;
    if (length == 0 || (!left && !right)) continue;
    long at = first, rest = length;
    for (long i = 0; i < p; ++i) {
      const long end = i < larger ? (i + 1) * large : i * small + larger + small;
      long count = end > at && rest > 0 ? least(end - at, rest) : 0;
      rest -= count;
      share[i] = at;
      at += count;
      share[i + 1] = at;
    }
    if (left) spread(next, share, n, place, 1);
    if (right) spread(next, share, n, place, 0);
  }
  for (long i = 0; i < p; ++i) order.length[i] = i < larger ? i * large : i * small + larger;
}

/* Passes the shares around the ring of places, in both directions. */
static void roll(struct Panel *next, long n) {
  const long p = o.p, mine = order.place[my_row];
  const long before = order.at[around(mine - 1, p)], after = order.at[around(mine + 1, p)];
  for (long k = 0; k < p - 1; ++k) {
    const long step = k / 2;
    const int back = (mine + k) & 1;
    const long out = around(back ? mine + step : mine - step, p), in = around(back ? mine - step - 1 : mine + step + 1, p);
    exchange((order.length[out + 1] - order.length[out]) * n, (order.length[in + 1] - order.length[in]) * n,
             back ? before : after, kRowTag, col_comm);
    advance(next, 0);
  }
}

static void swap_long(struct Panel *next, struct Panel *panel, long n) {
  find_order(panel);
  if (my_row == panel->row) rows(panel->width, n);
  spread(next, order.length, n, 0, 0);
  if (my_row != panel->row) rows(panel->to[my_row], n);
  level(next, n);
  roll(next, n);
  rows(panel->width, n);
}

/* Exchanges rows along a hypercube: the process row of the panel spreads its rows, all collect theirs. */
static void swap_by_exchange(struct Panel *next, struct Panel *panel, long n) {
  const long p = o.p, half = power_below(p), rest = p - half, all = panel->width * n, wide = n + 1;
  const long distance = around(my_row - panel->row, p), mirror = distance ^ half;
  long *held = share; /* rows by distance from the panel's process row */
  for (long i = 0; i < p; ++i) held[i] = i == 0 ? 0 : panel->from[around(panel->row + i, p)];
  rows(panel->from[my_row], n);
  advance(next, 0);
  if (rest != 0 && mirror < p) {
    const long partner = around(mirror + panel->row, p);
    if (distance == 0)
      exchange(all, held[mirror] * wide, partner, kRowTag, col_comm);
    else if (distance == half)
      exchange(held[distance] * wide, all, partner, kRowTag, col_comm);
    else if (distance & half)
      send(held[distance] * wide, partner, kRowTag, col_comm);
    else
      receive(held[mirror] * wide, partner, kRowTag, col_comm);
  }
  for (long i = 1; i < rest; ++i) held[i] += held[i + half];
  advance(next, 0);
  if (distance < half) {
    for (long bit = 1; bit < half; bit *= 2) {
      const long other = distance ^ bit, partner = around(other + panel->row, p);
      if (distance < bit) /* has the rows of the panel */
        exchange(all, held[other] * wide, partner, kRowTag, col_comm);
      else if (distance < 2 * bit)
        exchange(held[distance] * wide, all, partner, kRowTag, col_comm);
      else
        exchange(held[distance] * wide, held[other] * wide, partner, kRowTag, col_comm);
      for (long i = 0; i < half; ++i)
        if ((i & bit) == 0) held[i] = held[i | bit] = held[i] + held[i | bit];
      advance(next, 0);
    }
  } else if (rest > 1) {
    const long root = panel->row + half, mine = distance - half;
    long mask = 2 * power_below(rest - 1) - 1;
    for (long bit = power_below(rest - 1); bit > 0; bit /= 2) {
      mask ^= bit;
      if ((mine & mask) == 0) {
        if (mine & bit)
          receive(all, around(root + (mine ^ bit), p), kRowTag, col_comm);
        else if ((mine ^ bit) < rest)
          send(all, around(root + (mine ^ bit), p), kRowTag, col_comm);
      }
      advance(next, 0);
    }
  }
  if (rest != 0 && mirror < p) {
    if (distance & half)
      receive(all, around(mirror + panel->row, p), kRowTag, col_comm);
    else
      send(all, around(mirror + panel->row, p), kRowTag, col_comm);
  }
  rows(panel->width, n);
  advance(next, 0);
}

static void swap_rows(struct Panel *next, struct Panel *panel, long n) {
  if (o.p == 1) return rows(panel->width, n);
  if (o.swap == kCollective) {
    const long each = (panel->width * n + o.p - 1) / o.p;
    count_message(each);
    rows(panel->width, n);
    LMPI_Scatter(NULL, elements(each), MPI_DOUBLE, NULL, elements(each), MPI_DOUBLE, (int)panel->row, col_comm);
    LMPI_Allgather(NULL, elements(each), MPI_DOUBLE, NULL, elements(each), MPI_DOUBLE, col_comm);
    rows(panel->width, n);
    return;
  }
  find_moves(panel);
  if (o.swap == kLong || (o.swap == kMix && n > o.threshold))
    swap_long(next, panel, n);
  else
    swap_by_exchange(next, panel, n);
}

/* ---- the factorisation ---- */

/* Updates the panel's next `n` local columns, and advances the broadcast of `next` meanwhile. */
static void update(struct Panel *next, struct Panel *panel, long n) {
  n = least(n, panel->n);
  if (n <= 0) {
    advance(next, 1);
    return;
  }
  const int diagonal = my_row == panel->row;
  const long m = panel->m - (diagonal ? panel->width : 0);
  int here = advance(next, 0);
  swap_rows(next, panel, n);
  const long piece = o.chunks ? most(o.nb, (n + o.chunks - 1) / o.chunks) : o.nb;
  for (long left = n; left > 0;) {
    const long columns = here ? left : least(piece, left);
    dtrsm(panel->width, columns);
    dgemm(m, columns, panel->width);
    if (diagonal && o.p > 1) rows(panel->width, columns);
    left -= columns;
    if (!here) here = advance(next, 0);
  }
  advance(next, 1);
  panel->n -= n;
}

/* HPL without look-ahead. */
static void solve_in_order(void) {
  struct Panel panel = {.to = calloc((size_t)o.p, sizeof(long)), .from = calloc((size_t)o.p, sizeof(long))};
  for (long first = 0; first < o.n; first += o.nb) {
    open_panel(&panel, first);
    factor_panel(&panel);
    advance(&panel, 1);
    update(NULL, &panel, panel.n);
  }
  free(panel.to);
  free(panel.from);
}

/* HPL with look-ahead: a panel is factored and sent as soon as its columns are up to date. */
static void solve_ahead(void) {
  struct Panel *panels = calloc((size_t)o.depth + 1, sizeof *panels);
  struct Panel **panel = calloc((size_t)o.depth + 1, sizeof *panel);
  for (long k = 0; k <= o.depth; ++k) {
    panel[k] = &panels[k];
    panels[k].to = calloc((size_t)o.p, sizeof(long));
    panels[k].from = calloc((size_t)o.p, sizeof(long));
  }
  const long depth = least(o.depth, (o.n + o.nb - 1) / o.nb), start = least(depth * o.nb, o.n);
  long columns = local(start, o.n + 1 - start, my_col, o.q); /* mine that are not factored */
  for (long k = 0; k < depth; ++k) open_panel(panel[k], k * o.nb);
  for (long k = 0; k < depth; ++k) {
    factor_panel(panel[k]);
    advance(panel[k], 1);
    if (k < depth - 1) {
      const long after = panel[k]->first + panel[k]->width;
      update(NULL, panel[k], local(after, start - after, my_col, o.q));
    }
  }
  for (long first = start; first < o.n; first += o.nb) {
    struct Panel *next = panel[depth];
    open_panel(next, first);
    long mine = 0;
    if (my_col == next->col) {
      mine = next->width;
      for (long k = 0; k < depth; ++k) update(NULL, panel[k], mine);
      factor_panel(next);
    }
    update(next, panel[0], columns - mine);
    struct Panel *const done = panel[0];
    for (long k = 0; k < depth; ++k) panel[k] = panel[k + 1];
    panel[depth] = done;
    columns -= mine;
  }
  for (long k = 0; k < depth; ++k) update(NULL, panel[k], local(o.n, 1, my_col, o.q));
  for (long k = 0; k <= o.depth; ++k) {
    free(panels[k].to);
    free(panels[k].from);
  }
  free(panels);
  free(panel);
}

/* ---- the backward substitution ---- */

static void dgemv(long m, long n) {
  if (m <= 0 || n <= 0) return;
  flops += 2.0 * (double)m * (double)n;
  BSIM_Add_model("dgemv", m, n);
}

/* The solution's blocks travel up the column of processes that has them; each column passes its sums to the next. */
static void substitute(void) {
  long n = o.n;
  const long last = (n - 1) / o.nb, ahead = most((o.q - 1) * o.nb, o.nb);
  long row = last % o.p, col = last % o.q, width = n - last * o.nb;
  long rows_here = local(0, n, my_row, o.p);
  const long right_hand = owner(n, o.q);
  if (col != right_hand) {
    if (my_col == right_hand) send(rows_here, col, kSolveTag, row_comm);
    if (my_col == col) receive(rows_here, right_hand, kSolveTag, row_comm);
  }
  long count = least(n - width, ahead), near_before = local(most(0, n - width - count), count, my_row, o.p);
  if (my_row == row) rows_here -= width;
  long rows_before = rows_here;
  if (my_col == col && my_row == row) dgemv(width, width);
  long row_before = row, col_before = col, width_before = width;
  row = around(row - 1, o.p), col = around(col - 1, o.q);
  n -= width;
  width = o.nb;
  count = least(n - width, ahead);
  long near = local(most(0, n - width - count), count, my_row, o.p);
  while (n > 0) {
    if (my_row == row) rows_here -= width;
    if (my_col == col_before) {
      const long up = around(my_row - 1, o.p);
      if (my_row == row_before) {
        if (o.p > 1) send(width_before, up, kSolveTag, col_comm);
      } else {
        receive(width_before, around(my_row + 1, o.p), kSolveTag, col_comm);
      }
      if (near_before > 0) {
        dgemv(near_before, width_before);
        if (o.q > 1) send(near_before, col, kSolveTag, row_comm);
      }
      if (my_row != row_before && my_row != around(row_before + 1, o.p)) send(width_before, up, kSolveTag, col_comm);
    } else if (my_col == col) {
      receive(near_before, col_before, kSolveTag, row_comm);
    }
    if (my_col == col && my_row == row) dgemv(width, width);
    if (my_col == col_before) dgemv(rows_before - near_before, width_before);
    if (my_row == row) rows_before -= width;
    row_before = row, col_before = col, near_before = near, width_before = width;
    n -= width;
    row = around(row - 1, o.p), col = around(col - 1, o.q);
    count = least(n - width, ahead);
    near = local(most(0, n - width - count), count, my_row, o.p);
  }
  if (my_col != col_before) return;
  const long distance = around(my_row - row_before, o.p);
  long mask = 2 * power_below(most(o.p - 1, 1)) - 1;
  for (long bit = power_below(most(o.p - 1, 1)); bit > 0 && o.p > 1; bit /= 2) {
    mask ^= bit;
    if (distance & mask) continue;
    const long partner = distance ^ bit;
    if (distance & bit)
      receive(width_before, around(partner + row_before, o.p), kSolveTag, col_comm);
    else if (partner < o.p)
      send(width_before, around(partner + row_before, o.p), kSolveTag, col_comm);
  }
}

int main(int argc, char **argv) {
  LMPI_Init(&argc, &argv);
  LMPI_Comm_rank(MPI_COMM_WORLD, &me);
  take_words(argc, argv);
  if (pivot_file) read_pivots();
  if (o.columns == 0) o.columns = o.nb;
  if (o.columns < o.nb && o.columns < 2) wrong("columns", "at least 2, or all of a panel");
  my_row = (int)(me / o.q), my_col = (int)(me % o.q);
  LMPI_Comm_split(MPI_COMM_WORLD, my_row, my_col, &row_comm);
  LMPI_Comm_split(MPI_COMM_WORLD, my_col, my_row, &col_comm);
  for (place_size = 16; place_size < 4 * o.nb; place_size *= 2) continue;
  places = malloc((size_t)place_size * sizeof *places);
  order.length = calloc((size_t)o.p + 1, sizeof(long));
  order.at = calloc((size_t)o.p, sizeof(long));
  order.place = calloc((size_t)o.p, sizeof(long));
  share = calloc((size_t)o.p + 1, sizeof(long));
  LMPI_Barrier(MPI_COMM_WORLD);
  const double begin = LMPI_Wtime();
  if (o.depth == 0 || o.q == 1)
    solve_in_order();
  else
    solve_ahead();
  substitute();
  LMPI_Barrier(MPI_COMM_WORLD);
  const double seconds = LMPI_Wtime() - begin, n = (double)o.n;
  if (me == 0)
    printf("HPL: n %ld, nb %ld, %ld x %ld: %.6f s, %.3f GFlop/s\n", o.n, o.nb, o.p, o.q, seconds,
           (2.0 / 3.0 * n * n * n + 1.5 * n * n) / seconds * 1e-9);
  if (getenv("HPL_COUNTS") != NULL)
    printf("rank %d: %.0f messages, %.0f bytes, %.0f flop, %.0f of them in matrix products\n", me, sent_messages, sent_bytes, flops,
           product_flops);
  LMPI_Comm_free(&row_comm);
  LMPI_Comm_free(&col_comm);
  free(pivots);
  free(places);
  free(order.length);
  free(order.at);
  free(order.place);
  free(share);
  LMPI_Finalize();
  return 0;
}
