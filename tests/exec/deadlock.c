// SPDX-License-Identifier: Apache-2.0
// Waits for something that nothing brings, in the way that its argument names.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void on_signal(int number) {
  (void)number;
  puts("woken");
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "pause";
  sigset_t set;
  int fds[2], word = 0;
  char bytes[1 << 12] = "";
  sigemptyset(&set);
  signal(SIGUSR1, on_signal);
  if (strcmp(how, "pause") == 0) pause();
  if (strcmp(how, "rt_sigsuspend") == 0) sigsuspend(&set);
  if (strcmp(how, "rt_sigtimedwait") == 0) sigaddset(&set, SIGUSR2), sigwaitinfo(&set, 0);
  if (strcmp(how, "futex") == 0) syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
  if (strcmp(how, "poll") == 0) poll(0, 0, -1);
  if (strcmp(how, "poll-pipe") == 0 && pipe(fds) == 0) poll(&(struct pollfd){fds[0], POLLIN, 0}, 1, -1);
  if (strcmp(how, "read") == 0 && pipe(fds) == 0) return (int)read(fds[0], bytes, 1);
  if (strcmp(how, "write") == 0 && pipe(fds) == 0)
    for (;;) write(fds[1], bytes, sizeof bytes);
  if (strcmp(how, "recvfrom") == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0)
    recv(fds[0], bytes, 1, 0);
  if (strcmp(how, "timer") == 0) {  // no deadlock: time brings the signal
    signal(SIGALRM, on_signal);
    alarm(1000);
    pause();
  }
  if (strcmp(how, "child") == 0 && pipe(fds) == 0) {  // no deadlock: a child writes
    if (fork() == 0) return (int)write(fds[1], "x", 1) - 1;
    read(fds[0], bytes, 1);
    puts("woken");
  }
  if (strcmp(how, "ended") == 0) {  // no deadlock as long as there is a child; its end sends a signal
    signal(SIGCHLD, on_signal);
    sigaddset(&set, SIGCHLD);
    for (int i = 0; i < 20; ++i) {
      sigprocmask(SIG_BLOCK, &set, 0);
      if (fork() == 0) return 0;
      sigset_t none;
      sigemptyset(&none);
      sigsuspend(&none);
      if (wait(0) <= 0) puts("no child");
    }
    if (pipe(fds) != 0) return 1;
    for (int i = 0; i < 20; ++i) {  // nor at the end of a pipe
      int ends[2];
      if (pipe(ends) != 0) return 1;
      sigprocmask(SIG_BLOCK, &set, 0);
      if (fork() == 0) return close(ends[0]), 0;
      close(ends[1]);
      if (read(ends[0], bytes, 1) != 0) puts("no end");
      wait(0), close(ends[0]);
    }
    pause();  // a deadlock again
  }
  return 0;
}
