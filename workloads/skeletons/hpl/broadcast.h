/* SPDX-License-Identifier: Apache-2.0
 * The broadcast of a panel along its row of processes: HPL's four along rings, and its two long ones, which spread parts of
 * the panel over the row and then pass them around. */
#pragma once

#include "panel.h"

/* Sends `out` doubles to a process of the row and receives `in` from it, at once. Unlike exchange(), it sends empty parts
 * too. */
static void pass_part(long out, long in, long partner) {
  MPI_Request request;
  count_message(out);
  LMPI_Isend(NULL, elements(out), MPI_DOUBLE, (int)partner, kPanelTag, row_comm, &request);
  LMPI_Recv(NULL, elements(in), MPI_DOUBLE, (int)partner, kPanelTag, row_comm, MPI_STATUS_IGNORE);
  LMPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Returns the process column of member i: of all columns from the root on, or of all but the one after the root. */
static long member(const struct Panel *panel, long i, int without_next) {
  return around(panel->col + i + (without_next && i > 0), o.q);
}

/* Returns the doubles of `parts` parts from number `first` on. The last part has the rest of the division. */
static long length_of_parts(long all, long count, long first, long parts) {
  const long each = most(all / count, 1), end = first + parts >= count ? all : least(all, (first + parts) * each);
  return most(0, end - first * each);
}

/* The long broadcast to `count` members: halves of what is left go down a binomial tree, so that member i gets part i and those
 * below it in the tree. Then every part passes all members, in both directions around the ring. */
static void spread_and_roll(const struct Panel *panel, long count, long mine, int without_next) {
  for (long bit = power_below(count - 1); bit > 0; bit /= 2) {
    if (mine & (bit - 1)) continue;
    const long receiver = mine | bit;
    if (receiver >= count) continue;
    const long doubles = length_of_parts(panel->length, count, receiver, bit);
    const int to = (int)member(panel, mine ^ bit, without_next);
    if (mine & bit) {
      LMPI_Recv(NULL, elements(doubles), MPI_DOUBLE, to, kPanelTag, row_comm, MPI_STATUS_IGNORE);
    } else {
      count_message(doubles);
      LMPI_Send(NULL, elements(doubles), MPI_DOUBLE, to, kPanelTag, row_comm);
    }
  }
  for (long step = 0; step < count - 1; ++step) {
    const int back = (int)((mine + step) & 1);
    const long away = step / 2, sign = back ? 1 : -1;
    const long out = around(mine + sign * away, count), in = around(mine - sign * (away + 1), count);
    pass_part(length_of_parts(panel->length, count, out, 1), length_of_parts(panel->length, count, in, 1),
              member(panel, around(mine + (back ? -1 : 1), count), without_next));
  }
}

/* As HPL's, the long broadcasts do not return before their end. */
static void broadcast_long(const struct Panel *panel) {
  const long distance = around(my_col - panel->col, o.q);
  if (o.bcast == kLongBroadcast) {
    spread_and_roll(panel, o.q, distance, 0);
    return;
  }
  /* The process after the root gets all, since it factors the next panel. */
  if (distance == 0) send(panel->length, around(my_col + 1, o.q), kPanelTag, row_comm);
  if (distance == 1) receive(panel->length, panel->col, kPanelTag, row_comm);
  if (distance != 1 && o.q > 2) spread_and_roll(panel, o.q - 1, distance == 0 ? 0 : distance - 1, 1);
}

/* Advances the broadcast of a panel along its row; returns whether it is complete. `waits`: until it is. */
static int advance(struct Panel *panel, int waits) {
  if (panel == NULL || panel->broadcast || o.q == 1) return 1;
  if (o.bcast == kLongBroadcast || o.bcast == kLongBroadcastM) {
    broadcast_long(panel);
    return panel->broadcast = 1;
  }
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
