// SPDX-License-Identifier: Apache-2.0
// Descriptors: reading, writing, pipes, poll, select, locks, duplicates; bad addresses and numbers.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

#include "check.h"

int main(void) {
  char buffer[64];
  setbuf(stdout, 0);
  const int fd = open("data", O_CREAT | O_RDWR | O_TRUNC, 0644);
  CALL(write(fd, "hello world", 11));
  CALL(lseek(fd, 0, SEEK_SET));
  CALL(read(fd, buffer, 5));
  CALL(pread(fd, buffer, 20, 6));
  CALL(pwrite(fd, "HE", 2, 0));
  CALL(pread(fd, buffer, 1, -1));
  CALL(lseek(fd, -100, SEEK_CUR));
  CALL(lseek(fd, 0, 77));
  CALL(read(fd, (void*)8, 5));
  CALL(write(fd, (void*)8, 5));
  CALL(read(99, buffer, 1));
  CALL(write(99, buffer, 1));
  CALL(write(1, buffer, 0));
  CALL(close(77));
  CALL(close(-1));
  const int write_only = open("data", O_WRONLY);
  CALL(read(write_only, buffer, 1));
  const int read_only = open("data", O_RDONLY);
  CALL(write(read_only, buffer, 1));
  CALL(ftruncate(read_only, 1));
  struct iovec pieces[3] = {{"ab", 2}, {"", 0}, {"c\n", 2}};
  CALL(writev(1, pieces, 3));
  CALL(writev(1, pieces, -1));
  CALL(writev(1, pieces, 0));
  struct iovec in[2] = {{buffer, 3}, {buffer + 10, 3}};
  CALL(preadv(fd, in, 2, 0));
  printf("%.3s %.3s\n", buffer, buffer + 10);

  int p[2], count = 0;
  CALL(pipe(p));
  CALL(write(p[1], "abc", 3));
  CALL(ioctl(p[0], FIONREAD, &count));
  SHOW(count);
  struct pollfd polled[3] = {{p[0], POLLIN, 0}, {p[1], POLLOUT | POLLIN, 0}, {55, POLLIN, 0}};
  CALL(poll(polled, 3, 100));
  for (int i = 0; i < 3; ++i) SHOW(polled[i].revents);
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(p[0], &readable);
  struct timeval wait = {0, 1000};
  CALL(select(p[0] + 1, &readable, 0, 0, &wait));
  SHOW(FD_ISSET(p[0], &readable) != 0);
  CALL(read(p[0], buffer, 10));
  wait.tv_usec = 1000;
  CALL(select(p[0] + 1, &readable, 0, 0, &wait));
  FD_SET(60, &readable);
  CALL(select(61, &readable, 0, 0, &wait));
  CALL(fcntl(p[0], F_SETFL, O_NONBLOCK));
  SHOW((fcntl(p[0], F_GETFL) & O_NONBLOCK) != 0);
  CALL(read(p[0], buffer, 10));
  CALL(poll(polled, 1, 10));
  CALL(lseek(p[0], 0, SEEK_SET));
  CALL(close(p[1]));
  CALL(read(p[0], buffer, 10));

  CALL(dup(fd));
  CALL(dup2(1, 50));
  CALL(dup2(50, 50));
  CALL(dup2(77, 50));
  CALL(dup3(50, 50, 0));
  CALL(fcntl(50, F_GETFD));
  CALL(fcntl(50, F_SETFD, FD_CLOEXEC));
  CALL(fcntl(50, F_GETFD));
  CALL(fcntl(50, F_DUPFD, 40));
  CALL(fcntl(77, F_GETFD));
  CALL(fcntl(fd, 9999));
  struct termios terminal;
  CALL(tcgetattr(fd, &terminal));
  CALL(isatty(fd));
  CALL(flock(fd, LOCK_EX));
  struct flock lock = {F_WRLCK, SEEK_SET, 0, 0, 0};
  CALL(fcntl(fd, F_SETLK, &lock));
  CALL(fcntl(fd, F_GETLK, &lock));
  SHOW(lock.l_type == F_UNLCK);
  CALL(fsync(fd));
  CALL(fdatasync(fd));
  CALL(posix_fallocate(fd, 0, 100));
  CALL(lseek(fd, 0, SEEK_END));
  const int zero = open("/dev/zero", O_RDONLY), full = open("/dev/full", O_WRONLY);
  buffer[0] = 1;
  CALL(read(zero, buffer, 5));
  SHOW(buffer[0]);
  CALL(write(full, "x", 1));
  CALL(write(open("/dev/null", O_WRONLY), "xyz", 3));
  CALL(read(open("/dev/urandom", O_RDONLY), buffer, 16));
  return 0;
}
