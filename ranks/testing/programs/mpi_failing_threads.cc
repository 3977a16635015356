// SPDX-License-Identifier: Apache-2.0
// Threads whose rank fails, or ends before them, depending on its argument.
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* receive(void*) {
  int value;
  pthread_mutex_lock(&mutex);
  MPI_Recv(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return nullptr;
}
static void* lock(void*) {
  usleep(5);
  pthread_mutex_lock(&mutex);
  return nullptr;
}
static void* crash(void* address) {
  usleep(5);
  *static_cast<volatile int*>(address) = 1;
  return nullptr;
}
static void* leave(void*) {
  usleep(5);
  std::exit(3);
}
static void* fail(void*) {
  usleep(5);
  throw 7;
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_t first, second;
  pthread_create(&first, nullptr, receive, nullptr);
  const auto is = [&](const char* how) { return std::strcmp(argv[1], how) == 0; };
  if (is("deadlock")) pthread_create(&second, nullptr, lock, nullptr);
  if (is("crash")) pthread_create(&second, nullptr, crash, nullptr);
  if (is("throw")) pthread_create(&second, nullptr, fail, nullptr);
  if (is("exit")) pthread_create(&second, nullptr, leave, nullptr);
  if (is("return")) return usleep(3), 4;
  pthread_join(first, nullptr);
}
