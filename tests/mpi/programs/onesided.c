/* SPDX-License-Identifier: Apache-2.0
 * Windows: fence, post-start, locks, all operations, shared memory, dynamic windows. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int me, size;

static void fences(void) {
  int memory[16], out[4] = {me * 10, me * 10 + 1, me * 10 + 2, me * 10 + 3}, in[4] = {-1, -1, -1, -1};
  MPI_Win win;
  for (int i = 0; i < 16; ++i) memory[i] = 1000 * me + i;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  const int right = (me + 1) % size;
  MPI_Win_fence(0, win);
  MPI_Put(out, 4, MPI_INT, right, 2, 4, MPI_INT, win);
  MPI_Get(in, 4, MPI_INT, right, 12, 4, MPI_INT, win);
  MPI_Accumulate(out, 1, MPI_INT, 0, 8, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  printf("%d fence %d %d %d %d\n", me, memory[2], memory[5], in[0], in[3]);
  if (me == 0) printf("accumulated %d\n", memory[8]);
  MPI_Datatype strided;
  MPI_Type_vector(3, 1, 2, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  MPI_Win_fence(0, win);
  MPI_Put(out, 3, MPI_INT, right, 0, 1, strided, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  printf("%d strided %d %d %d\n", me, memory[0], memory[2], memory[4]);
  MPI_Type_free(&strided);
  int *size_of_unit, flag, *flavor;
  MPI_Aint *bytes;
  void *base;
  MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
  MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag);
  MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &size_of_unit, &flag);
  MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
  printf("%d window %d %ld %d %d\n", me, base == memory, (long)*bytes, *size_of_unit, *flavor == MPI_WIN_FLAVOR_CREATE);
  MPI_Win_free(&win);
  printf("%d freed %d\n", me, win == MPI_WIN_NULL);
}

static void posts(void) {
  if (size < 2) return;
  int value = -1, out = me + 70;
  MPI_Win win;
  MPI_Group world, left, right;
  MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  const int l = (me + size - 1) % size, r = (me + 1) % size;
  MPI_Group_incl(world, 1, &l, &left);
  MPI_Group_incl(world, 1, &r, &right);
  for (int round = 0; round < 3; ++round) {
    out += 100;
    MPI_Win_post(left, 0, win);
    MPI_Win_start(right, 0, win);
    MPI_Put(&out, 1, MPI_INT, r, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    printf("%d post %d: %d\n", me, round, value);
  }
  MPI_Group_free(&left);
  MPI_Group_free(&right);
  MPI_Group_free(&world);
  MPI_Win_free(&win);
}

static void locks(void) {
  long *memory, one = 1, before, sum = 0, zero = 0, old = -1;
  MPI_Win win;
  MPI_Win_allocate(4 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  for (int i = 0; i < 4; ++i) memory[i] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 5; ++i) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(&before, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
    MPI_Win_flush(0, win);
    ++before;
    MPI_Put(&before, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < size; ++i) {
    MPI_Fetch_and_op(&one, &old, MPI_LONG, i, 1, MPI_SUM, win);
    MPI_Win_flush(i, win);
    sum += old >= 0 && old < size;
  }
  long expected = 0, mine = me + 1;
  MPI_Compare_and_swap(&mine, &expected, &old, MPI_LONG, 0, 2, win);
  MPI_Win_flush_all(win);
  long gotten = -1;
  MPI_Get_accumulate(&zero, 0, MPI_LONG, &gotten, 1, MPI_LONG, (me + 1) % size, 3, 1, MPI_LONG, MPI_NO_OP, win);
  MPI_Request request;
  long put = me;
  MPI_Win_flush_all(win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  MPI_Rput(&put, 1, MPI_LONG, (me + 1) % size, 3, 1, MPI_LONG, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win);
  printf("%d locks %ld %ld %d got %ld put %ld\n", me, me == 0 ? memory[0] : -1, memory[1],
         me == 0 ? memory[2] >= 1 && memory[2] <= size : 1, gotten, memory[3]);
  MPI_Win_unlock(me, win);
  printf("%d fetched %ld\n", me, sum);
  MPI_Win_free(&win);
}

static void shared(void) {
  MPI_Comm node;
  int *mine, *first, rank, n, unit, sum = 0;
  MPI_Aint bytes;
  MPI_Win win;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &n);
  MPI_Win_allocate_shared(sizeof(int) * 3, sizeof(int), MPI_INFO_NULL, node, &mine, &win);
  MPI_Win_fence(0, win);
  mine[0] = rank + 1;
  MPI_Win_fence(0, win);
  for (int i = 0; i < n; ++i) {
    MPI_Win_shared_query(win, i, &bytes, &unit, &first);
    sum += first[0];
  }
  printf("%d shared %d %ld %d\n", me, sum == n * (n + 1) / 2, (long)bytes, unit);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Comm_free(&node);
}

static void dynamic(void) {
  double values[3] = {me + 0.5, me + 1.5, me + 2.5}, got = 0;
  MPI_Aint where, theirs[64];
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_attach(win, values, sizeof values);
  MPI_Get_address(&values[1], &where);
  MPI_Allgather(&where, 1, MPI_AINT, theirs, 1, MPI_AINT, MPI_COMM_WORLD);
  MPI_Win_fence(0, win);
  MPI_Get(&got, 1, MPI_DOUBLE, (me + 1) % size, theirs[(me + 1) % size], 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  printf("%d dynamic %g\n", me, got);
  MPI_Win_detach(win, values);
  MPI_Win_free(&win);
}

/* Every rank starts before it posts, and an empty epoch. */
static void start_first(void) {
  int box[2] = {-1, -1}, mine = me * 3;
  const int to = (me + 1) % size, from = (me + size - 1) % size;
  MPI_Group world, targets, origins;
  MPI_Win win;
  MPI_Win_create(box, sizeof box, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &to, &targets);
  MPI_Group_incl(world, 1, &from, &origins);
  for (int round = 0; round < 3; ++round) {
    MPI_Win_start(targets, 0, win);
    MPI_Win_post(origins, 0, win);
    MPI_Put(&mine, 1, MPI_INT, to, 1, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    printf("%d started first %d %d\n", me, round, box[1]);
    ++mine;
  }
  MPI_Win_post(MPI_GROUP_EMPTY, 0, win);
  MPI_Win_start(MPI_GROUP_EMPTY, 0, win);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  MPI_Win_free(&win);
}

static int class_of(int code) {
  int result;
  MPI_Error_class(code, &result);
  return result;
}

/* Calls outside of the epochs that they need. */
static void misuse(void) {
  int box[2] = {0, 0}, value = 7;
  MPI_Win win;
  MPI_Win_create(box, sizeof box, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  printf("%d no epoch: %d %d %d %d %d\n", me,
         class_of(MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win)) == MPI_ERR_RMA_SYNC,
         class_of(MPI_Win_unlock(0, win)) == MPI_ERR_RMA_SYNC, class_of(MPI_Win_complete(win)) == MPI_ERR_RMA_SYNC,
         class_of(MPI_Win_wait(win)) == MPI_ERR_RMA_SYNC, class_of(MPI_Win_unlock_all(win)) == MPI_ERR_RMA_SYNC);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, win);
  printf("%d locked: %d\n", me,
         class_of(MPI_Put(&value, -1, MPI_INT, 0, 0, 1, MPI_INT, win)) == MPI_ERR_COUNT);
  MPI_Win_unlock(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Win_unlock(0, win);
  MPI_Win_fence(0, win);
  printf("%d in a fence: %d %d\n", me, class_of(MPI_Put(&value, 1, MPI_INT, 0, -1, 1, MPI_INT, win)) == MPI_ERR_DISP,
         class_of(MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win)) == MPI_ERR_OP);
  if (me == 0) MPI_Put(&value, 1, MPI_INT, size - 1, 0, 2, MPI_INT, win); /* less than the window's size */
  MPI_Win_fence(0, win);
  if (me == size - 1) printf("short put %d %d\n", box[0], box[1]);
  MPI_Win_free(&win);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  fences();
  posts();
  locks();
  shared();
  dynamic();
  start_first();
  misuse();
  MPI_Finalize();
  return 0;
}
