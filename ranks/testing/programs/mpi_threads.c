/* SPDX-License-Identifier: Apache-2.0
   All uses of POSIX and C11 threads that need no second library for comparison. Rank 0 prints the number of errors. */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int me, size, wrong, cleaned;
static _Thread_local int initialised = 11;
static _Thread_local char zeros[100];
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
                       plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void expect(int right, int line) {
  if (right) return;
  ++wrong;
  printf("rank %d: line %d\n", me, line);
}
#define EXPECT(x) expect(x, __LINE__)

static struct timespec in_a_while(clockid_t clock, long nanoseconds) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += nanoseconds;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

static void* variables(void* number) {
  EXPECT(initialised == 11 && zeros[99] == 0);
  initialised = (int)(long)number;
  zeros[99] = 1;
  int got = 0;
  MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % size, (int)(long)number, &got, 1, MPI_INT, (me + size - 1) % size, (int)(long)number,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(got == (me + size - 1) % size && initialised == (int)(long)number && zeros[99] == 1);
  return NULL;
}

static void clean(void* amount) { cleaned += (int)(long)amount; }
static void* waits_for_ever(void* unused) {
  pthread_cleanup_push(clean, (void*)1L);
  pthread_cleanup_push(clean, (void*)10L);
  pthread_mutex_lock(&plain);
  pthread_cleanup_push((void (*)(void*))pthread_mutex_unlock, &plain);
  pthread_cond_wait(&condition, &plain);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}
static void* leaves(void* unused) {
  (void)unused;
  pthread_cleanup_push(clean, (void*)100L);
  pthread_exit((void*)5L);
  pthread_cleanup_pop(0);
  return NULL;
}

static void* contends(void* unused) {
  EXPECT(pthread_mutex_trylock(&recursive) == EBUSY);
  EXPECT(pthread_mutex_unlock(&recursive) == EPERM);
  const struct timespec soon = in_a_while(CLOCK_REALTIME, 1000);
  EXPECT(pthread_mutex_timedlock(&recursive, &soon) == ETIMEDOUT);
  EXPECT(pthread_mutex_lock(&recursive) == 0);
  EXPECT(pthread_mutex_unlock(&recursive) == 0);
  return unused;
}

static void* sleeps(void* unused) {
  usleep(1000);
  return unused;
}
static void* detached(void* done) {
  MPI_Barrier(MPI_COMM_SELF);
  sem_post(done);
  return NULL;
}

static mtx_t mtx;
static cnd_t cnd;
static int c11_state;
static int c11(void* number) {
  mtx_lock(&mtx);
  while (c11_state != (int)(long)number) cnd_wait(&cnd, &mtx);
  ++c11_state;
  cnd_broadcast(&cnd);
  mtx_unlock(&mtx);
  thrd_yield();
  if ((long)number == 2) thrd_exit(20);
  return (int)(long)number * 10;
}

static void* last(void* unused) {
  (void)unused;
  int sum = 0;
  MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) printf("wrong %d\n", sum);
  MPI_Finalize();
  return NULL;
}

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT(level == MPI_THREAD_MULTIPLE);
  pthread_t threads[8], self = pthread_self();
  void* result = NULL;
  initialised = 3;
  pthread_mutex_lock(&recursive); /* before there are threads */
  for (long i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, variables, (void*)(100 + i));
  EXPECT(!pthread_equal(threads[0], threads[1]) && !pthread_equal(threads[0], self) && pthread_equal(self, pthread_self()));
  for (int i = 0; i < 8; ++i) EXPECT(pthread_join(threads[i], NULL) == 0);
  EXPECT(pthread_join(threads[0], NULL) == ESRCH);
  EXPECT(initialised == 3 && zeros[99] == 0);

  pthread_create(&threads[0], NULL, contends, NULL);
  pthread_mutex_lock(&recursive);
  usleep(10);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_join(threads[0], NULL);
  EXPECT(pthread_mutex_destroy(&recursive) == 0);
  EXPECT(pthread_mutex_lock(&checking) == 0 && pthread_mutex_lock(&checking) == EDEADLK && pthread_mutex_unlock(&checking) == 0);

  pthread_create(&threads[0], NULL, waits_for_ever, NULL);
  usleep(10);
  pthread_cancel(threads[0]);
  EXPECT(pthread_join(threads[0], &result) == 0 && result == PTHREAD_CANCELED && cleaned == 11);
  EXPECT(pthread_mutex_trylock(&plain) == 0 && pthread_mutex_unlock(&plain) == 0);
  pthread_create(&threads[0], NULL, leaves, NULL);
  EXPECT(pthread_join(threads[0], &result) == 0 && result == (void*)5L && cleaned == 111);

  /* Times. */
  const double begin = MPI_Wtime();
  for (int i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, sleeps, NULL);
  EXPECT(pthread_tryjoin_np(threads[0], NULL) == EBUSY);
  struct timespec soon = in_a_while(CLOCK_REALTIME, 1000);
  EXPECT(pthread_timedjoin_np(threads[0], NULL, &soon) == ETIMEDOUT);
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  const double time = MPI_Wtime() - begin;
  EXPECT(time > 0.001 && time < 0.0011);
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  soon = in_a_while(CLOCK_REALTIME, 1000);
  EXPECT(sem_timedwait(&semaphore, &soon) == -1 && errno == ETIMEDOUT);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 16 << 20);
  for (int i = 0; i < 8; ++i) pthread_create(&threads[i], &attributes, detached, &semaphore);
  for (int i = 0; i < 8; ++i) sem_wait(&semaphore);

  mtx_init(&mtx, mtx_plain);
  cnd_init(&cnd);
  thrd_t c11_threads[3];
  for (long i = 2; i >= 0; --i) EXPECT(thrd_create(&c11_threads[i], c11, (void*)i) == thrd_success);
  for (int i = 0; i < 3; ++i) {
    int value = -1;
    EXPECT(thrd_join(c11_threads[i], &value) == thrd_success && value == i * 10);
  }

  /* The process lives until its last thread ends. */
  pthread_create(&threads[0], NULL, last, NULL);
  pthread_exit(NULL);
}
