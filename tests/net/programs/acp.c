/* SPDX-License-Identifier: Apache-2.0
   All calls of ACP, as its programs use them: addresses are exchanged through starter memory. */
#include <acp.h>
#include <stdio.h>
#include <string.h>

static int rank, procs, failed;
#define EXPECT(condition) \
  if (!(condition)) printf("rank %d, line %d: not so: %s\n", rank, __LINE__, #condition), failed = 1

enum { kWords = 1000 };
static uint64_t shared[kWords]; /* a global: each rank has its own */
static acp_ga_t addresses[64];  /* of `shared` by rank */
static acp_ga_t mine;

/* Rank 0 gathers the addresses in its starter memory, where all ranks read them. */
static void exchange(void) {
  acp_ga_t* starter = acp_query_address(acp_query_starter_ga(rank));
  const acp_atkey_t key = acp_register_memory(shared, sizeof shared, 0);
  EXPECT(key != ACP_ATKEY_NULL);
  mine = acp_query_ga(key, shared);
  EXPECT(mine != ACP_GA_NULL && acp_query_address(mine + 16) == &shared[2]);
  EXPECT(acp_query_rank(mine) == rank && acp_query_color(mine) == 0);
  starter[0] = mine;
  acp_sync();
  acp_copy(acp_query_starter_ga(0) + 8 * (rank + 1), acp_query_starter_ga(rank), 8, ACP_HANDLE_NULL);
  acp_complete(ACP_HANDLE_ALL);
  acp_sync();
  if (rank != 0) acp_copy(acp_query_starter_ga(rank) + 8, acp_query_starter_ga(0) + 8, 8 * procs, ACP_HANDLE_NULL);
  acp_complete(ACP_HANDLE_ALL);
  memcpy(addresses, starter + 1, procs * sizeof *addresses);
  for (int i = 0; i < procs; ++i) EXPECT(acp_query_rank(addresses[i]) == i);
  EXPECT(procs == 1 || acp_query_address(addresses[(rank + 1) % procs]) == NULL);
  acp_sync();
}

static void copies(void) {
  const int right = (rank + 1) % procs, left = (rank + procs - 1) % procs;
  for (int i = 0; i < 100; ++i) shared[i] = 1000 * rank + i, shared[100 + i] = shared[200 + i] = 0;
  acp_sync();
  acp_copy(addresses[right] + 800, addresses[rank], 800, ACP_HANDLE_NULL);                   /* put */
  const acp_handle_t got = acp_copy(addresses[rank] + 1600, addresses[right], 800, ACP_HANDLE_NULL); /* get */
  EXPECT(got != (acp_handle_t)ACP_HANDLE_NULL);
  acp_complete(got); /* and the put before it */
  EXPECT(acp_inquire(got) == 0);
  for (int i = 0; i < 100; ++i) EXPECT(shared[200 + i] == (uint64_t)(1000 * right + i));
  acp_sync();
  for (int i = 0; i < 100; ++i) EXPECT(shared[100 + i] == (uint64_t)(1000 * left + i));
  /* Between two other ranks. */
  if (rank == 0) acp_complete(acp_copy(addresses[procs - 1] + 2400, addresses[procs / 2], 8, ACP_HANDLE_NULL));
  acp_sync();
  if (rank == procs - 1) EXPECT(shared[300] == (uint64_t)(1000 * (procs / 2)));
  acp_sync();
}

/* A long copy, then a flag after it, with all kinds of ordering. */
static void orders(void) {
  const int right = (rank + 1) % procs;
  for (int way = 0; way < 3; ++way) {
    for (int i = 0; i < 500; ++i) shared[i] = 7000 + way;
    shared[999] = 0;
    acp_sync();
    const acp_handle_t data = acp_copy(addresses[right] + 4000, addresses[rank], 3992, ACP_HANDLE_NULL);
    const acp_handle_t order = way == 0   ? data
                               : way == 1 ? (acp_handle_t)ACP_HANDLE_ALL
                                          : (acp_handle_t)ACP_HANDLE_CONT;
    const acp_handle_t flag = acp_copy(addresses[right] + 7992, addresses[rank] + 8, 8, order);
    while (*(volatile uint64_t*)&shared[999] == 0) acp_inquire(flag), acp_inquire(ACP_HANDLE_ALL);
    EXPECT(shared[998] == 7000u + way); /* the last of the data arrived before the flag */
    acp_complete(flag);
    acp_sync();
  }
}

static void atomics(void) {
  for (int i = 0; i < 20; ++i) shared[i] = 0;
  acp_sync();
  const acp_ga_t counter = addresses[0], old = mine + 80;
  /* Tickets: each rank draws ten; no two draw the same. */
  for (int i = 0; i < 10; ++i) {
    acp_complete(acp_add8(old, counter, 1, ACP_HANDLE_NULL));
    acp_complete(acp_or8(old + 8, addresses[0] + 8 * (1 + shared[10] % 4), UINT64_C(1) << (shared[10] / 4 % 64), ACP_HANDLE_NULL));
    EXPECT((shared[11] >> (shared[10] / 4 % 64) & 1) == 0);
  }
  acp_sync();
  if (rank == 0) EXPECT(shared[0] == 10u * procs);
  acp_sync();
  if (rank == procs - 1) {
    uint32_t* word = (uint32_t*)&shared[11];
    acp_complete(acp_swap8(old, counter, 0xf0f0, ACP_HANDLE_NULL));
    EXPECT(shared[10] == 10u * procs);
    acp_complete(acp_xor8(old, counter, 0xffff, ACP_HANDLE_NULL));
    acp_complete(acp_and8(old, counter, 0x0ff0, ACP_HANDLE_NULL));
    EXPECT(shared[10] == 0x0f0f);
    acp_complete(acp_cas8(old, counter, 1, 2, ACP_HANDLE_NULL));
    EXPECT(shared[10] == 0x0f00);
    acp_complete(acp_cas8(old, counter, 0x0f00, UINT64_C(1) << 32, ACP_HANDLE_NULL));
    acp_complete(acp_add4(old + 8, counter, 0xffffffff, ACP_HANDLE_NULL));
    EXPECT(word[0] == 0);
    acp_complete(acp_add4(old + 8, counter, 3, ACP_HANDLE_NULL));
    EXPECT(word[0] == 0xffffffff);
    acp_complete(acp_swap4(old + 8, counter + 4, 12, ACP_HANDLE_NULL));
    EXPECT(word[0] == 1); /* no carry into this word */
    acp_complete(acp_or4(old + 8, counter, 8, ACP_HANDLE_NULL));
    EXPECT(word[0] == 2);
    acp_complete(acp_xor4(old + 8, counter, 3, ACP_HANDLE_NULL));
    acp_complete(acp_and4(old + 8, counter, 1, ACP_HANDLE_NULL));
    EXPECT(word[0] == 9);
    acp_complete(acp_cas4(old + 8, counter, 1, 77, ACP_HANDLE_NULL));
    acp_complete(acp_copy(old + 16, counter, 8, ACP_HANDLE_NULL));
    EXPECT(shared[12] == (UINT64_C(12) << 32 | 77));
  }
  acp_sync();
}

/* Rank 0 and every other rank, in both directions, short and long; two channels of a pair are separate. */
static void channels(void) {
  static char out[100000], in[100000];
  memset(out, 'a' + rank, sizeof out);
  for (int other = 1; other < procs; ++other) {
    if (rank != 0 && rank != other) continue;
    const int peer = rank == 0 ? other : 0;
    acp_ch_t to = acp_create_ch(rank, peer), from = acp_create_ch(peer, rank), second = acp_create_ch(0, other);
    EXPECT(to != ACP_CH_NULL && from != ACP_CH_NULL && second != ACP_CH_NULL);
    EXPECT(acp_nbrecv_ch(to, in, 1) == ACP_REQUEST_NULL && acp_nbsend_ch(from, out, 1) == ACP_REQUEST_NULL);
    for (size_t size = 1; size <= sizeof out; size *= 10) {
      acp_request_t both[2] = {acp_nbsend_ch(to, out, size), acp_nbrecv_ch(from, in, sizeof in)};
      size_t sizes[2];
      EXPECT(acp_waitall_ch(both, 2, sizes) == 0 && sizes[1] == size);
      EXPECT(in[0] == 'a' + peer && in[size - 1] == 'a' + peer);
    }
    if (rank == 0) {
      acp_request_t late = acp_nbsend_ch(second, "2", 1);
      acp_wait_ch(acp_nbsend_ch(to, "1", 1));
      acp_wait_ch(late);
    } else {
      acp_wait_ch(acp_nbrecv_ch(from, in, 1));
      EXPECT(in[0] == '1');
      acp_wait_ch(acp_nbrecv_ch(second, in, 1));
      EXPECT(in[0] == '2');
    }
    acp_request_t freed = acp_nbfree_ch(second);
    EXPECT(acp_nbsend_ch(second, out, 1) == ACP_REQUEST_NULL);
    acp_wait_ch(freed);
    if (rank == 0) {
      EXPECT(acp_free_ch(to) == 0 && acp_free_ch(from) == 0);
    } else { /* in another order: neither waits for the other */
      acp_request_t both[2] = {acp_nbfree_ch(to), acp_nbfree_ch(from)};
      EXPECT(acp_waitall_ch(both, 2, NULL) == 0);
    }
  }
  EXPECT(acp_create_ch(rank, rank) == ACP_CH_NULL && acp_create_ch(rank, procs) == ACP_CH_NULL);
  EXPECT(acp_wait_ch(ACP_REQUEST_NULL) == (size_t)-1 && acp_free_ch(ACP_CH_NULL) == -1);
}

static void refusals(void) {
  const acp_handle_t null = (acp_handle_t)ACP_HANDLE_NULL;
  EXPECT(acp_init(NULL, NULL) == -1);
  EXPECT(acp_query_starter_ga(procs) == ACP_GA_NULL && acp_query_starter_ga(-1) == ACP_GA_NULL);
  EXPECT(acp_register_memory(shared, 8, 1) == ACP_ATKEY_NULL && acp_register_memory(shared, 0, 0) == ACP_ATKEY_NULL);
  EXPECT(acp_register_memory(NULL, 8, 0) == ACP_ATKEY_NULL && acp_colors() == 1);
  EXPECT(acp_query_rank(ACP_GA_NULL) == -1 && acp_query_color(ACP_GA_NULL) == -1);
  EXPECT(acp_query_address(ACP_GA_NULL) == NULL && acp_query_ga(ACP_ATKEY_NULL, shared) == ACP_GA_NULL);
  EXPECT(acp_copy(mine, ACP_GA_NULL, 8, ACP_HANDLE_NULL) == null);
  EXPECT(acp_copy(mine + sizeof shared - 4, mine, 8, ACP_HANDLE_NULL) == null);
  EXPECT(acp_copy(mine, mine, 8, 1 << 30) == null);
  EXPECT(acp_add8(mine + 4, mine, 1, ACP_HANDLE_NULL) == null && acp_add4(mine, mine + 2, 1, ACP_HANDLE_NULL) == null);
  EXPECT(procs == 1 || acp_add8(addresses[(rank + 1) % procs], mine, 1, ACP_HANDLE_NULL) == null);
  EXPECT(acp_inquire(1 << 30) == 0 && acp_inquire(ACP_HANDLE_NULL) == 0);
  acp_complete(1 << 30), acp_complete(ACP_HANDLE_NULL);
  static char other[64];
  const acp_atkey_t key = acp_register_memory(other, sizeof other, 0);
  EXPECT(acp_query_ga(key, shared) == ACP_GA_NULL && acp_query_ga(key, other + 63) != ACP_GA_NULL);
  EXPECT(acp_unregister_memory(key) == 0 && acp_unregister_memory(key) == -1);
  EXPECT(acp_query_ga(key, other) == ACP_GA_NULL && acp_unregister_memory(acp_query_starter_ga(rank)) == -1);
}

/* The ranks rotate. */
static void reset(void) {
  uint64_t* starter = acp_query_address(acp_query_starter_ga(rank));
  starter[0] = 1;
  const int new_rank = procs - 1 - rank;
  EXPECT(acp_reset(new_rank) == 0);
  rank = new_rank;
  EXPECT(acp_rank() == rank && acp_procs() == procs);
  starter = acp_query_address(acp_query_starter_ga(rank));
  EXPECT(starter != NULL && starter[0] == 0);
  EXPECT(acp_query_address(mine) == NULL);
  exchange();
  copies();
}

int main(int argc, char** argv) {
  EXPECT(acp_rank() == -1 && acp_procs() == -1 && acp_colors() == -1 && acp_sync() == -1 && acp_finalize() == -1);
  EXPECT(acp_init(&argc, &argv) == 0);
  rank = acp_rank();
  procs = acp_procs();
  if (argc > 1 && !strcmp(argv[1], "abort")) {
    if (rank == 1) acp_abort("on request");
    acp_sync();
  }
  exchange();
  if (argc > 1 && !strcmp(argv[1], "beyond")) {
    acp_complete(acp_copy(mine, addresses[(rank + 1) % procs] + sizeof shared, 8, ACP_HANDLE_NULL));
    return 0;
  }
  if (argc > 1 && !strcmp(argv[1], "ranks")) acp_reset(0);
  copies();
  orders();
  atomics();
  channels();
  refusals();
  reset();
  EXPECT(acp_finalize() == 0 && acp_rank() == -1);
  if (rank == 0 && !failed) printf("all of ACP on %d ranks\n", procs);
  return failed;
}
