/* SPDX-License-Identifier: Apache-2.0
 * Skeleton of HPL, the benchmark of linear equations by LU factorisation with partial pivoting:
 *
 *     hpl n=N nb=NB p=P q=Q [bcast=1ring|1ring-m|2ring|2ring-m|long|long-m] [depth=0|1|…] [swap=exchange|long|mix|collective]
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
#include <stdio.h>
#include <stdlib.h>

#include "hpl/rows.h"
#include "hpl/substitution.h"

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
