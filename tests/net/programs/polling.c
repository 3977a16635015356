/* SPDX-License-Identifier: Apache-2.0
 * Ranks that poll. First argument: the way.
 *   tests      all polling functions, in a ring, by loops that do nothing else and by loops that count
 *   live-lock  all poll for a message that is never sent;  count: the same, and count
 *   one        rank 0 polls for a message that is never sent, while the others wait for rank 0
 *   spin       rank 0 waits for a variable of its own, without a call
 *   shared     ranks of a node take turns by variables in a shared window, without a call
 *   shared-0   the same, but rank 1 never passes its turn on
 *   abort      rank 0 ends the job while the others poll */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, left, right;
static long counted;

static void send(int tag, int length, MPI_Request *request) {
  static char data[300000];
  MPI_Isend(data, length, MPI_CHAR, right, tag, MPI_COMM_WORLD, request);
}

__attribute__((noinline)) static int come_in(int tag, int counts) {
  int flag;
  counted += counts;
  MPI_Iprobe(left, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  return flag;
}

static void tests(int counts) {
  static char room[2][300000];
  const int lengths[2] = {100, 300000};
  MPI_Request request[3];
  for (int i = 0; i < 2; ++i) {
    const int length = lengths[i];
    int flag, index, done, indices[3];
    if (rank % 3 == 0) MPI_Barrier(MPI_COMM_SELF);
    /* MPI_Test, MPI_Iprobe */
    send(1, length, &request[0]);
    while (!come_in(1, counts)) continue;
    MPI_Recv(room[0], length, MPI_CHAR, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (flag = 0; !flag; counted += counts) MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    /* MPI_Improbe */
    MPI_Message message;
    send(2, length, &request[0]);
    do {
      counted += counts;
      MPI_Improbe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    } while (!flag);
    MPI_Mrecv(room[0], length, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    /* MPI_Testall, with a non-blocking collective */
    send(3, length, &request[0]);
    MPI_Irecv(room[0], length, MPI_CHAR, left, 3, MPI_COMM_WORLD, &request[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &request[2]);
    for (flag = 0; !flag; counted += counts) MPI_Testall(3, request, &flag, MPI_STATUSES_IGNORE);
    /* MPI_Testany, MPI_Testsome, MPI_Request_get_status */
    send(4, length, &request[0]);
    MPI_Irecv(room[0], length, MPI_CHAR, left, 4, MPI_COMM_WORLD, &request[1]);
    for (flag = 0; !flag; counted += counts) MPI_Request_get_status(request[1], &flag, MPI_STATUS_IGNORE);
    for (int left_over = 2; left_over > 0;) {
      MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
      left_over -= flag;
      counted += counts;
    }
    for (int k = 0; k < 2; ++k) MPI_Irecv(room[k], length, MPI_CHAR, left, 5 + k, MPI_COMM_WORLD, &request[k]);
    for (int k = 0; k < 2; ++k) {
      MPI_Request sent;
      send(5 + k, length, &sent);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
    for (int left_over = 2; left_over > 0;) {
      MPI_Testsome(2, request, &done, indices, MPI_STATUSES_IGNORE);
      left_over -= done;
      counted += counts;
    }
  }
  /* MPI_Win_test, and a window that another rank writes */
  volatile int *memory;
  MPI_Win window;
  MPI_Group all, from, to;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  *memory = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &left, &from);
  MPI_Group_incl(all, 1, &right, &to);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_post(from, 0, window);
  MPI_Win_start(to, 0, window);
  const int one = 1;
  if (rank % 2 == 0) MPI_Barrier(MPI_COMM_SELF);
  MPI_Put(&one, 1, MPI_INT, right, 0, 1, MPI_INT, window);
  MPI_Win_complete(window);
  for (int flag = 0; !flag; counted += counts) MPI_Win_test(window, &flag);
  MPI_Win_lock_all(0, window);
  MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, window);
  MPI_Win_flush_all(window);
  for (int flag; *memory != left; counted += counts)
    MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

__attribute__((noinline)) static void ask_for_nothing(int counts) {
  for (int flag = 0; !flag; counted += counts)
    MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void spin(void) {
  for (volatile int stop = 0; !stop;) continue;  // on one line, which messages then name wherever it is interrupted
}

/* A ring of turns in the memory of a node. */
__attribute__((noinline)) static void shared(int gives) {
  MPI_Comm node;
  MPI_Win window;
  MPI_Aint size;
  volatile int *turn;
  int me, all, unit;
  long waited = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &me);
  MPI_Comm_size(node, &all);
  MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node, &turn, &window);
  MPI_Win_shared_query(window, 0, &size, &unit, &turn);
  if (me == 0) *turn = 0;
  MPI_Barrier(node);
  for (int round = 0; round < 3; ++round) {
    while (*turn != round * all + me) ++waited;
    if (gives || me != 1) *turn = round * all + me + 1;
  }
  MPI_Barrier(node);
  printf("rank %d saw turn %d at %.9f s\n", rank, *turn, MPI_Wtime());
  MPI_Win_free(&window);
  counted = waited;
}

int main(int argc, char **argv) {
  const char *how = argv[1];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  if (!strcmp(how, "tests")) {
    tests(0);
    const double quiet = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    tests(1);
    printf("rank %d: %.12f s, %.12f s, %ld polls counted\n", rank, quiet, MPI_Wtime() - begin, counted);
  }
  if (!strcmp(how, "live-lock")) ask_for_nothing(0);
  if (!strcmp(how, "count")) ask_for_nothing(1);
  if (!strcmp(how, "one") && rank == 0) ask_for_nothing(0);
  if (!strcmp(how, "one") && rank != 0) MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(how, "spin") && rank == 0) spin();
  if (!strcmp(how, "shared")) shared(1);
  if (!strcmp(how, "shared-0")) shared(0);
  if (!strcmp(how, "abort") && rank != 0) ask_for_nothing(0);
  if (!strcmp(how, "abort")) {
    MPI_Send(NULL, 0, MPI_CHAR, right, 1, MPI_COMM_WORLD);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Finalize();
  return 0;
}
