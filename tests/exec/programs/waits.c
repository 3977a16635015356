// SPDX-License-Identifier: Apache-2.0
// Waits of threads that other threads, timeouts and timers end.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static int to[2], from[2];
static long milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
static void between(const char* name, long begin, long least, long most) {
  const long passed = milliseconds() - begin;
  printf("%s: %s\n", name, passed >= least && passed <= most ? "on time" : "at another time");
}
static void on_alarm(int number) {
  (void)number;
  write(to[1], "a", 1);
}
static void* other(void* argument) {
  char c;
  (void)argument;
  for (int i = 0; i < 3; ++i) {
    read(to[0], &c, 1);
    usleep(5000);
    write(from[1], &c, 1);
  }
  return 0;
}

static char large[300000], got[300000];
static void* reader(void* argument) {
  size_t done = 0;
  for (ssize_t n; done < 3 * sizeof large && (n = read(*(int*)argument, got, 1000 + done % 77)) > 0;
       done += n)
    for (ssize_t i = 0; i < n; ++i)
      if (got[i] != (char)((done + i) % sizeof large % 251)) return puts("other bytes"), (void*)0;
  SHOW(done);
  return 0;
}
// Writes of more than a pipe holds, read by another thread.
static void large_writes(int read_end, int write_end, int socket) {
  pthread_t thread;
  for (size_t i = 0; i < sizeof large; ++i) large[i] = i % 251;
  struct iovec pieces[] = {{large, 7}, {large + 7, 0}, {large + 7, sizeof large - 7}};
  pthread_create(&thread, 0, reader, &read_end);
  SHOW(write(write_end, large, sizeof large));
  SHOW(writev(write_end, pieces, 3));
  SHOW(socket ? send(write_end, large, sizeof large, 0) : write(write_end, large, sizeof large));
  pthread_join(thread, 0);
}

static pthread_t first;
static volatile int signals;
static void on_signal(int number) { (void)number, ++signals; }
static void* sender(void* argument) {
  (void)argument;
  usleep(3000);
  pthread_kill(first, SIGUSR1);
  usleep(100000);
  return 0;
}
// Waits whose mask lets a signal through, or holds it back, while another thread sends it.
static void masks(int fd) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  struct pollfd p = {fd, POLLIN, 0};
  struct timespec most = {0, 40000000};
  pthread_t thread;
  sigset_t none, one;
  sigemptyset(&none), sigemptyset(&one), sigaddset(&one, SIGUSR1);
  sigaction(SIGUSR1, &action, 0);
  first = pthread_self();
  for (int i = 0; i < 4; ++i) {
    const int files = i & 1;
    pthread_sigmask(SIG_SETMASK, i & 2 ? &none : &one, 0);
    pthread_create(&thread, 0, sender, 0);
    const long begin = milliseconds();
    CALL(ppoll(&p, files, &most, i & 2 ? &one : &none));
    between("mask", begin, i & 2 ? 40 : 0, i & 2 ? 99 : 39);
    if (i < 2) SHOW(signals);  // qemu calls the handler late in the other case
    pthread_join(thread, 0);
  }
  pthread_sigmask(SIG_SETMASK, &none, 0);
}

int main(void) {
  setbuf(stdout, 0);
  pthread_t thread;
  char c = 'x';
  pipe(to), pipe(from);
  pthread_create(&thread, 0, other, 0);

  // Another thread writes before the timeout.
  struct pollfd p = {from[0], POLLIN, 0};
  long begin = milliseconds();
  write(to[1], &c, 1);
  CALL(poll(&p, 1, 20000));
  between("poll", begin, 5, 2000);
  CALL(read(from[0], &c, 1));
  CALL(poll(&p, 1, 30));

  begin = milliseconds();
  write(to[1], &c, 1);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(from[0], &set);
  struct timeval most = {20, 0};
  CALL(select(from[0] + 1, &set, 0, 0, &most));
  between("select", begin, 5, 2000);
  CALL(read(from[0], &c, 1));

  // Each waits for the other; a timer's handler writes.
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, 0);
  struct itimerval once = {{0, 0}, {0, 50000}};
  begin = milliseconds();
  setitimer(ITIMER_REAL, &once, 0);
  CALL(read(from[0], &c, 1));
  SHOW(c);
  between("timer", begin, 55, 2000);
  pthread_join(thread, 0);
  masks(from[0]);

  int pair[2];
  large_writes(to[0], to[1], 0);
  CALL(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  large_writes(pair[0], pair[1], 1);
  return 0;
}
