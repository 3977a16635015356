// SPDX-License-Identifier: Apache-2.0
// Socket pairs, restarted and interrupted calls, stdio over pipes.
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
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
  // Messages of several pieces, names and options.
  int d[2], value = 0;
  char left[4] = {0}, right[8] = {0};
  CALL(socketpair(AF_UNIX, SOCK_DGRAM, 0, d));
  struct iovec out[] = {{"abc", 3}, {0, 0}, {"defgh", 5}}, in[] = {{left, 3}, {right, 3}};
  struct msghdr message = {.msg_iov = out, .msg_iovlen = 3}, got = {.msg_iov = in, .msg_iovlen = 2};
  CALL(sendmsg(d[0], &message, 0));
  got.msg_flags = 0x7fff;
  CALL(recvmsg(d[1], &got, 0));
  printf("%s %s %d\n", left, right, got.msg_flags == MSG_TRUNC);
  CALL(recvmsg(d[1], &got, MSG_DONTWAIT));
  CALL(sendmsg(99, &message, 0));
  struct sockaddr_un name;
  socklen_t length = sizeof name;
  CALL(getsockname(d[0], (struct sockaddr*)&name, &length));
  SHOW(name.sun_family == AF_UNIX), SHOW(length);
  CALL(getpeername(s[0], (struct sockaddr*)&name, &length));
  CALL(getsockname(99, (struct sockaddr*)&name, &length));
  length = sizeof value;
  CALL(getsockopt(d[0], SOL_SOCKET, SO_TYPE, &value, &length));
  SHOW(value), SHOW(length);
  CALL(getsockopt(d[0], SOL_SOCKET, SO_ERROR, &value, &length));
  SHOW(value);
  value = 30000;
  CALL(setsockopt(d[0], SOL_SOCKET, SO_SNDBUF, &value, sizeof value));
  CALL(getsockopt(d[0], SOL_SOCKET, SO_SNDBUF, &value, &length));
  SHOW(value);
  CALL(socketpair(AF_UNIX, 99, 0, s));
  CALL(pipe(p));
  CALL(send(p[1], "x", 1, 0));
  CALL(recv(p[0], text, 16, 0));
  CALL(getsockopt(p[1], SOL_SOCKET, SO_TYPE, &value, &length));
  CALL(getsockname(p[1], (struct sockaddr*)&name, &length));

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
