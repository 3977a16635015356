// SPDX-License-Identifier: Apache-2.0
// eventfd, timerfd and epoll, in one thread, with signals, threads and children.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static long milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
static void between(const char* name, long begin, long least, long most) {
  const long passed = milliseconds() - begin;
  printf("%s: %s\n", name, passed >= least && passed <= most ? "on time" : "at another time");
}

static void numbers(void) {
  uint64_t n = 5;
  char few[4];
  int e = eventfd(3, EFD_NONBLOCK), s = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
  CALL(write(e, &n, 8));
  CALL(read(e, &n, 8));
  SHOW(n);
  CALL(read(e, &n, 8));
  CALL(read(e, few, 4));
  CALL(write(e, few, 4));
  n = UINT64_MAX;
  CALL(write(e, &n, 8));
  n = UINT64_MAX - 1;
  CALL(write(e, &n, 8));
  CALL(write(e, &n, 8));
  CALL(read(e, &n, 8));
  SHOW(n == UINT64_MAX - 1);
  CALL(read(s, &n, 8));
  SHOW(n);
  CALL(read(s, &n, 8));
  CALL(read(s, &n, 8));
  CALL(fcntl(s, F_GETFD));
  CALL(fcntl(e, F_GETFD));
  CALL(eventfd(0, 99));
  close(e), close(s);
}

static void timers(void) {
  uint64_t n = 0;
  struct itimerspec every = {{0, 20000000}, {0, 10000000}}, left;
  int t = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), u = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
  CALL(timerfd_create(99, 0));
  CALL(timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0));
  CALL(read(u, &n, 8));
  CALL(write(u, &n, 8));
  long begin = milliseconds();
  CALL(timerfd_settime(t, 0, &every, 0));
  CALL(timerfd_gettime(t, &left));
  SHOW(left.it_interval.tv_nsec), SHOW(left.it_value.tv_nsec > 0);
  CALL(read(t, &n, 8));
  SHOW(n);
  between("first", begin, 10, 25);
  usleep(70000);
  CALL(read(t, &n, 8));
  SHOW(n >= 3 && n <= 6);
  struct itimerspec never = {{0, 0}, {0, 0}}, at = {{0, 0}, {0, 0}};
  CALL(timerfd_settime(t, 0, &never, &left));
  SHOW(left.it_value.tv_nsec > 0);
  struct pollfd p = {t, POLLIN | POLLOUT, 0};
  CALL(poll(&p, 1, 30));
  fd_set set;
  FD_ZERO(&set);
  FD_SET(t, &set);
  struct timeval soon = {0, 1000};
  CALL(select(t + 1, 0, &set, 0, &soon));
  clock_gettime(CLOCK_REALTIME, &at.it_value);
  at.it_value.tv_sec -= 10, at.it_interval.tv_sec = 1;
  CALL(timerfd_settime(u, TFD_TIMER_ABSTIME, &at, 0));
  CALL(read(u, &n, 8));
  SHOW(n);  // it has expired every second since
  at.it_interval.tv_sec = 0;
  CALL(timerfd_settime(u, 0, &never, 0));
  clock_gettime(CLOCK_REALTIME, &at.it_value);
  at.it_value.tv_sec -= 1;
  CALL(timerfd_settime(u, TFD_TIMER_ABSTIME, &at, 0));
  p.fd = u;
  CALL(poll(&p, 1, 1000));
  SHOW(p.revents);
  CALL(timerfd_settime(u, 0, &never, 0));
  CALL(read(u, &n, 8));
  CALL(timerfd_settime(0, 0, &never, 0));
  close(t), close(u);
}

static volatile int signals;
static void on_signal(int number) { (void)number, ++signals; }

static void readiness(void) {
  int e = epoll_create1(EPOLL_CLOEXEC), p[2], s[2];
  struct epoll_event event = {EPOLLIN, {.u64 = 0x123456789abcdef0}}, got[4];
  CALL(pipe(p));
  CALL(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, p[0], &event));
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, p[0], &event));
  CALL(epoll_ctl(e, EPOLL_CTL_DEL, s[0], &event));
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, e, &event));
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, 99, &event));
  CALL(epoll_ctl(p[0], EPOLL_CTL_ADD, p[1], &event));
  int file = open("file", O_RDWR | O_CREAT, 0600);
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, file, &event));
  close(file), unlink("file");
  CALL(epoll_wait(e, got, 0, 0));
  CALL(epoll_wait(e, got, 4, 0));
  long begin = milliseconds();
  CALL(epoll_wait(e, got, 4, 30));
  between("timeout", begin, 30, 60);
  write(p[1], "ab", 2);
  CALL(epoll_wait(e, got, 4, -1));
  SHOW(got[0].events), SHOW(got[0].data.u64 == 0x123456789abcdef0);
  CALL(epoll_wait(e, got, 4, -1));
  event.events = EPOLLIN | EPOLLET;
  CALL(epoll_ctl(e, EPOLL_CTL_MOD, p[0], &event));
  CALL(epoll_wait(e, got, 4, 0));
  CALL(epoll_wait(e, got, 4, 0));
  write(p[1], "c", 1);
  CALL(epoll_wait(e, got, 4, 0));
  event.events = EPOLLOUT | EPOLLONESHOT, event.data.fd = 7;
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, s[0], &event));
  CALL(epoll_wait(e, got, 4, 100));
  SHOW(got[0].events), SHOW(got[0].data.fd);
  CALL(epoll_wait(e, got, 4, 0));
  event.events = EPOLLIN | EPOLLRDHUP;
  CALL(epoll_ctl(e, EPOLL_CTL_MOD, s[0], &event));
  close(s[1]);
  CALL(epoll_wait(e, got, 4, -1));
  SHOW(got[0].events);
  close(s[0]);
  CALL(epoll_wait(e, got, 4, 0));
  close(p[1]);
  CALL(epoll_wait(e, got, 4, -1));
  SHOW(got[0].events);
  CALL(epoll_ctl(e, EPOLL_CTL_DEL, p[0], 0));

  // A duplicate is another descriptor to epoll, and keeps the file open.
  int d[2], both;
  CALL(pipe(d));
  CALL((both = dup(d[0])) > 0);
  event.events = EPOLLIN, event.data.fd = 1;
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, d[0], &event));
  CALL(epoll_ctl(e, EPOLL_CTL_DEL, both, 0));
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, both, &event));
  write(d[1], "d", 1);
  CALL(epoll_wait(e, got, 4, 0));
  close(d[0]);
  CALL(epoll_wait(e, got, 4, 0));
  close(both);
  CALL(epoll_wait(e, got, 4, 0));
  close(d[1]);
  CALL(read(e, got, sizeof got));
  CALL(write(e, got, sizeof got));

  // A timer's descriptor, and one epoll in another.
  int outer = epoll_create(1), t = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct itimerspec once = {{0, 0}, {0, 15000000}};
  event.events = EPOLLIN, event.data.fd = t;
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, t, &event));
  event.data.fd = e;
  CALL(epoll_ctl(outer, EPOLL_CTL_ADD, e, &event));
  begin = milliseconds();
  CALL(timerfd_settime(t, 0, &once, 0));
  CALL(epoll_wait(outer, got, 4, 10000));
  SHOW(got[0].data.fd == e);
  CALL(epoll_wait(e, got, 4, 10000));
  SHOW(got[0].data.fd == t);
  between("timer", begin, 15, 200);

  // Signals.
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, 0);
  uint64_t n;
  read(t, &n, 8);
  alarm(1);
  CALL(epoll_wait(e, got, 4, -1));
  SHOW(signals);
  sigset_t blocked, none;
  sigemptyset(&none), sigemptyset(&blocked), sigaddset(&blocked, SIGALRM);
  sigprocmask(SIG_BLOCK, &blocked, 0);
  raise(SIGALRM);
  CALL(epoll_pwait(e, got, 4, 10, 0));
  SHOW(signals);
  CALL(epoll_pwait(e, got, 4, 10000, &none));
  SHOW(signals);
  sigprocmask(SIG_UNBLOCK, &blocked, 0);
  close(e), close(outer), close(t), close(p[0]);
}

static int wake, answer;
static void* other(void* argument) {
  uint64_t n;
  struct pollfd p = {wake, POLLIN, 0};
  (void)argument;
  for (int i = 0; i < 3; ++i) {
    poll(&p, 1, 60000);
    read(wake, &n, 8);
    usleep(2000);
    write(answer, &n, 8);
  }
  return 0;
}
static void threads(void) {
  pthread_t thread;
  uint64_t n = 1;
  int e = epoll_create1(0), t = timerfd_create(CLOCK_MONOTONIC, 0);
  struct epoll_event event = {EPOLLIN, {.fd = 1}}, got[2];
  wake = eventfd(0, 0), answer = eventfd(0, 0);
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, answer, &event));
  event.data.fd = 2;
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, t, &event));
  pthread_create(&thread, 0, other, 0);
  long begin = milliseconds();
  for (int i = 0; i < 2; ++i) {
    n = 4;
    write(wake, &n, 8);
    CALL(epoll_wait(e, got, 2, 30000));
    SHOW(got[0].data.fd);
    CALL(read(answer, &n, 8));
    SHOW(n);
  }
  CALL(epoll_wait(e, got, 2, 40));
  between("both wait", begin, 44, 300);
  struct itimerspec once = {{0, 0}, {0, 50000000}};
  CALL(timerfd_settime(t, 0, &once, 0));
  CALL(epoll_wait(e, got, 2, -1));
  SHOW(got[0].data.fd);
  CALL(read(t, &n, 8));
  between("a timer while both wait", begin, 94, 500);
  write(wake, &n, 8);
  pthread_join(thread, 0);
  CALL(epoll_wait(e, got, 2, 0));
  close(e), close(t);
}

static void children(void) {
  int e = epoll_create1(0), p[2];
  uint64_t n = 2;
  struct epoll_event event = {EPOLLIN, {.fd = 3}}, got[2];
  wake = eventfd(0, 0);
  pipe(p);
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, p[0], &event));
  event.data.fd = 4;
  CALL(epoll_ctl(e, EPOLL_CTL_ADD, wake, &event));
  if (fork() == 0) {
    usleep(1000);
    write(wake, &n, 8);
    usleep(20000);
    write(p[1], "x", 1);
    _exit(0);
  }
  close(p[1]);
  CALL(epoll_wait(e, got, 2, -1));
  SHOW(got[0].data.fd);
  CALL(read(wake, &n, 8));
  SHOW(n);
  CALL(epoll_wait(e, got, 2, 20000));
  SHOW(got[0].data.fd), SHOW(got[0].events & EPOLLIN);
  CALL(wait(0) > 0);
}

int main(void) {
  setbuf(stdout, 0);
  numbers();
  timers();
  readiness();
  threads();
  children();
  return 0;
}
