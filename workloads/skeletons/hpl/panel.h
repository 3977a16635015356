/* SPDX-License-Identifier: Apache-2.0
 * A panel, and its factorisation: pivot search and recursion. */
#pragma once

#include "steps.h"

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
