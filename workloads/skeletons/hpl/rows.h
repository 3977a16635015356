/* SPDX-License-Identifier: Apache-2.0
 * The exchange of rows after the pivots of a panel: by a hypercube, or by spreading and rolling. */
#pragma once

#include "broadcast.h"

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
