// SPDX-License-Identifier: Apache-2.0
// Waits of threads that other threads, timeouts and timers end.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/time.h>
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
  return 0;
}
