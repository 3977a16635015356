/* SPDX-License-Identifier: Apache-2.0
 * The backward substitution. */
#pragma once

#include "steps.h"

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
