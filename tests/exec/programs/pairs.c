// SPDX-License-Identifier: Apache-2.0
// Socket pairs, restarted and interrupted calls, stdio over pipes.
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static volatile int count;
static void on_alarm(int number) { (void)number, ++count; }

int main(void) {
  setbuf(stdout, 0);
  int s[2], p[2];
  char text[16] = {0};
  CALL(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
  CALL(write(s[0], "over", 4));
  CALL(recv(s[1], text, 16, 0));
  puts(text);
  CALL(send(s[1], "back", 4, MSG_NOSIGNAL));
  CALL(read(s[0], text, 16));
  puts(text);
  CALL(recv(s[0], text, 16, MSG_DONTWAIT));
  CALL(shutdown(s[1], SHUT_RDWR));
  CALL(read(s[0], text, 16));
  CALL(socketpair(AF_UNIX, 99, 0, s));
  CALL(pipe(p));
  CALL(send(p[1], "x", 1, 0));

  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, 0);
  alarm(1);
  CALL(read(p[0], text, 1));
  SHOW(count);
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, 0);
  if (fork() == 0) {
    sleep(2);
    write(p[1], "r", 1);
    _exit(0);
  }
  alarm(1);
  CALL(read(p[0], text, 1));
  SHOW(count), SHOW(text[0]);
  CALL(wait(0) > 0);
  return 0;
}
