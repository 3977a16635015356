// SPDX-License-Identifier: Apache-2.0
// Two threads take two locks in opposite order.
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *other(void *unused) {
  pthread_mutex_lock(&two);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&one);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&thread, 0, other, 0);
  pthread_mutex_lock(&one);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&two);
  return 0;
}
