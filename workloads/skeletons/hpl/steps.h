/* SPDX-License-Identifier: Apache-2.0
 * What all phases use: block-cyclic indices, messages and computing. */
#pragma once

#include <stdint.h>

#include "words.h"

enum { kPanelTag = 1, kRowTag = 2, kSolveTag = 3 };
static int my_row, my_col;
static MPI_Comm row_comm, col_comm; /* the processes of my row, and of my column */
static double flops, product_flops, sent_messages, sent_bytes;

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
