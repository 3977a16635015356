/* SPDX-License-Identifier: Apache-2.0
   MPI_THREAD_MULTIPLE: threads that send, receive, probe and take part in collectives at the same time. */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kThreads = 4, kRounds = 20, kLong = 100000 };

static int me, size;
static MPI_Comm comms[kThreads];
static _Thread_local int mine = 7; /* each thread has its own */
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int made, destroyed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int shared, results[kThreads];

static void make(void) { ++made; }
static void destroy(void* value) {
  ++destroyed;
  free(value);
}

static void start(pthread_t* threads, void* (*function)(void*)) {
  for (long i = 0; i < kThreads; ++i)
    if (pthread_create(&threads[i], NULL, function, (void*)i) != 0) abort();
}
static void join(pthread_t* threads) {
  for (int i = 0; i < kThreads; ++i) {
    void* result;
    if (pthread_join(threads[i], &result) != 0) abort();
    results[i] = (int)(long)result;
  }
}
static void say(const char* what) {
  printf("rank %d %s", me, what);
  for (int i = 0; i < kThreads; ++i) printf(" %d", results[i]);
  printf("\n");
}

/* Each thread has a ring of its own, distinguished by the tag. */
static void* ring(void* number) {
  const int i = (int)(long)number;
  int value = me, sum = 0, main_thread = -1;
  for (int round = 0; round < kRounds; ++round) {
    int got = -1;
    MPI_Request requests[2];
    MPI_Irecv(&got, 1, MPI_INT, (me + size - 1) % size, i, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&value, 1, MPI_INT, (me + 1) % size, i, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    sum += got * (i + 1);
    value = got;
  }
  MPI_Is_thread_main(&main_thread);
  return (void*)(long)(sum * 2 + main_thread);
}

/* Long messages, with a probe before. */
static void* probes(void* number) {
  const int i = (int)(long)number, to = (me + 1) % size;
  const int count = kLong * i + i + 1;
  int* out = malloc(sizeof(int) * (size_t)count);
  for (int k = 0; k < count; ++k) out[k] = me + k;
  MPI_Request request;
  MPI_Issend(out, count, MPI_INT, to, i, MPI_COMM_WORLD, &request);
  MPI_Status status;
  int there = 0, got = 0;
  if (i % 2 == 0)
    MPI_Probe(MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &status);
  else
    while (!there) MPI_Iprobe(MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &there, &status);
  MPI_Get_count(&status, MPI_INT, &got);
  int* in = malloc(sizeof(int) * (size_t)got);
  MPI_Recv(in, got, MPI_INT, status.MPI_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int right = got == count;
  for (int k = 0; k < got; ++k) right &= in[k] == status.MPI_SOURCE + k;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(in);
  free(out);
  return (void*)(long)(right ? status.MPI_SOURCE * 10 + i : -1);
}

static void* collectives(void* number) {
  const int i = (int)(long)number;
  int total = 0, sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    const int give = me + i + round;
    MPI_Allreduce(&give, &sum, 1, MPI_INT, MPI_SUM, comms[i]);
    int from = sum;
    MPI_Bcast(&from, 1, MPI_INT, round % size, comms[i]);
    total += from;
    MPI_Barrier(comms[i]);
  }
  MPI_Comm again;
  MPI_Comm_dup(comms[i], &again);
  MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_MAX, again);
  MPI_Comm_free(&again);
  return (void*)(long)(total * 10 + sum);
}

/* Private and shared data of threads. */
static void* locks(void* number) {
  const int i = (int)(long)number;
  int* own = malloc(sizeof *own);
  *own = i;
  pthread_setspecific(key, own);
  pthread_once(&once, make);
  mine += i;
  for (int round = 0; round < kRounds; ++round) {
    pthread_mutex_lock(&mutex);
    const int before = shared;
    sched_yield();
    shared = before + 1;
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_rdlock(&lock);
    sched_yield();
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
  }
  const int serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  static atomic_int serials;
  serials += serial;
  pthread_barrier_wait(&barrier);
  sem_post(&semaphore);
  const int right = *(int*)pthread_getspecific(key) == i && mine == 7 + i && serials == 1;
  if (i == 3) pthread_exit((void*)(long)(right ? 33 : -1));
  return (void*)(long)(right ? i : -1);
}

/* One thread waits for data that another receives, a third for a time. */
static void* hands(void* number) {
  const int i = (int)(long)number;
  static int message;
  if (i == 0) {
    int got = 0;
    MPI_Recv(&got, 1, MPI_INT, (me + size - 1) % size, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_mutex_lock(&mutex);
    message = got;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    return NULL;
  }
  if (i == 1) {
    usleep(1000);
    const int give = 1000 + me;
    MPI_Send(&give, 1, MPI_INT, (me + 1) % size, 77, MPI_COMM_WORLD);
    return NULL;
  }
  int late = 0;
  pthread_mutex_lock(&mutex);
  if (i == 2) {
    while (message == 0) pthread_cond_wait(&condition, &mutex);
  } else {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    until.tv_nsec += 1000000;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      ++until.tv_sec;
    }
    while (late == 0) late = pthread_cond_timedwait(&never, &mutex, &until);
  }
  pthread_mutex_unlock(&mutex);
  return (void*)(long)(i == 2 ? message : late != 0);
}

int main(int argc, char** argv) {
  int provided = -1, asked = -1, main_thread = -1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Query_thread(&asked);
  MPI_Is_thread_main(&main_thread);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  printf("rank %d multiple %d %d main %d\n", me, provided == MPI_THREAD_MULTIPLE, asked == provided, main_thread);
  pthread_key_create(&key, destroy);
  pthread_barrier_init(&barrier, NULL, kThreads);
  sem_init(&semaphore, 0, 0);
  for (int i = 0; i < kThreads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);

  pthread_t threads[kThreads];
  start(threads, ring);
  join(threads);
  say("ring");
  start(threads, probes);
  join(threads);
  say("probes");
  start(threads, collectives);
  int sum = 0; /* the first thread continues meanwhile */
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  join(threads);
  say("collectives");
  printf("rank %d sum %d\n", me, sum);
  start(threads, locks);
  for (int i = 0; i < kThreads; ++i) sem_wait(&semaphore);
  join(threads);
  say("locks");
  printf("rank %d shared %d made %d destroyed %d mine %d\n", me, shared, made, destroyed, mine);
  start(threads, hands);
  join(threads);
  say("hands");
  MPI_Finalize();
  return 0;
}
