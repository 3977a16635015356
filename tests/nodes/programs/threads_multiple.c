// SPDX-License-Identifier: Apache-2.0
// Threads of a rank that call MPI at the same time (MPI_THREAD_MULTIPLE). Each part prints the sum of what each rank received.
// With the argument "stuck" a thread of rank 0 waits for a message that no rank sends.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kRounds = 8, kLong = 5000 };
static int me, size, next, last;
static long sums[kThreads];
static MPI_Comm comms[kThreads];

static void run(void* (*body)(void*)) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, body, (void*)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
}

static void report(const char* part) {
  long sum = 0, all = 0;
  for (int i = 0; i < kThreads; ++i) sum += sums[i], sums[i] = 0;
  MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) printf("%s: %ld\n", part, all);
}

// Short and long messages to the thread of the same number.
static void* ring(void* number) {
  const int mine = (int)(long)number;
  static int give[kThreads][kLong], got[kThreads][kLong];
  for (int round = 0; round < kRounds; ++round) {
    const int count = round % 2 != 0 ? kLong : 1;
    give[mine][0] = me * 100 + mine * 10 + round, give[mine][count - 1] = give[mine][0];
    MPI_Sendrecv(give[mine], count, MPI_INT, next, mine, got[mine], count, MPI_INT, last, mine, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sums[mine] += got[mine][0] + got[mine][count - 1];
  }
  return 0;
}

// All threads receive from any source with any tag: each message is received once.
static void* wildcard(void* number) {
  const int mine = (int)(long)number;
  for (int round = 0; round < kRounds; ++round) {
    int give = me * 100 + mine * 10 + round, got = -1;
    MPI_Send(&give, 1, MPI_INT, next, mine, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sums[mine] += got;
  }
  return 0;
}

// Matched probes of the same messages by all threads.
static void* probes(void* number) {
  const int mine = (int)(long)number;
  for (int round = 0; round < kRounds; ++round) {
    int give = me * 100 + mine * 10 + round, got = -1, count = 0;
    MPI_Message message;
    MPI_Status status;
    MPI_Send(&give, 1, MPI_INT, next, 7, MPI_COMM_WORLD);
    MPI_Mprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Mrecv(&got, count, MPI_INT, &message, MPI_STATUS_IGNORE);
    sums[mine] += got;
  }
  return 0;
}

static void* waitany(void* number) {
  const int mine = (int)(long)number;
  int give[kRounds], got[kRounds], which, flag;
  MPI_Request sends[kRounds], receives[kRounds];
  for (int i = 0; i < kRounds; ++i) MPI_Irecv(&got[i], 1, MPI_INT, last, 10 * mine + i, MPI_COMM_WORLD, &receives[i]);
  for (int i = 0; i < kRounds; ++i) {
    give[i] = me * 100 + mine * 10 + i;
    MPI_Isend(&give[i], 1, MPI_INT, next, 10 * mine + i, MPI_COMM_WORLD, &sends[i]);
  }
  for (int i = 0; i < kRounds - 1; ++i) {
    MPI_Waitany(kRounds, receives, &which, MPI_STATUS_IGNORE);
    sums[mine] += got[which];
  }
  do MPI_Testany(kRounds, receives, &which, &flag, MPI_STATUS_IGNORE);
  while (!flag);
  sums[mine] += got[which];
  MPI_Waitall(kRounds, sends, MPI_STATUSES_IGNORE);
  return 0;
}

// Threads of one rank send to each other, and to themselves.
static void* inside(void* number) {
  const int mine = (int)(long)number;
  int give = 1000 * me + mine, got = -1;
  MPI_Request request;
  MPI_Irecv(&got, 1, MPI_INT, me, mine, MPI_COMM_WORLD, &request);
  MPI_Send(&give, 1, MPI_INT, me, (mine + 1) % kThreads, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  sums[mine] += got;
  return 0;
}

// Collectives and one-sided operations, each thread on its own communicator.
static void* collectives(void* number) {
  const int mine = (int)(long)number;
  MPI_Win window;
  long memory = 0, one = mine + 1, all = 0;
  MPI_Allreduce(&one, &all, 1, MPI_LONG, MPI_SUM, comms[mine]);
  MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, comms[mine], &window);
  MPI_Win_fence(0, window);
  for (int to = 0; to < size; ++to) MPI_Accumulate(&one, 1, MPI_LONG, to, 0, 1, MPI_LONG, MPI_SUM, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  sums[mine] += all + 10 * memory;
  return 0;
}

// A thread computes, without MPI, while another waits for a message that the third thread sends.
static volatile int started;
static void* mixed(void* number) {
  const int mine = (int)(long)number;
  int got = 5;
  if (mine == 0) {
    started = 1;
    MPI_Recv(&got, 1, MPI_INT, last, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (mine == 1) {
    for (volatile int i = 0; i < 2000; ++i);
  } else if (mine == 2) {
    while (!started);
    MPI_Send(&got, 1, MPI_INT, next, 99, MPI_COMM_WORLD);
  }
  sums[mine] += got;
  return 0;
}

static void* stuck(void* number) {
  if ((long)number == 1 && me == 0) MPI_Recv(0, 0, MPI_INT, last, 1234, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if ((long)number == 2 && me == 0) MPI_Probe(last, 4321, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}

int main(int argc, char** argv) {
  int provided = 0, queried = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Query_thread(&queried);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  next = (me + 1) % size, last = (me + size - 1) % size;
  for (int i = 0; i < kThreads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  if (me == 0) printf("multiple: %d %d\n", provided == MPI_THREAD_MULTIPLE, queried == MPI_THREAD_MULTIPLE);
  if (argc > 1) run(stuck);
  run(ring), report("ring");
  run(wildcard), report("wildcard");
  run(probes), report("probes");
  run(waitany), report("waitany");
  run(inside), report("inside");
  run(collectives), report("collectives");
  run(mixed), report("mixed");
  MPI_Finalize();
}
