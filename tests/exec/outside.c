// SPDX-License-Identifier: Apache-2.0
// Tries to change what lies outside the sandbox through descriptors: standard input, and devices that psim
// provides. Every attempt must fail or stay without effect; prints those that succeed, which only reads and
// writes may.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

#define REFUSED(call)                                            \
  do {                                                           \
    errno = 0;                                                   \
    if ((long)(call) != -1) printf("%s has succeeded\n", #call); \
  } while (0)

static void change(int fd) {
  const struct timespec times[2] = {{1, 0}, {2, 0}};
  const struct timeval old_times[2] = {{1, 0}, {2, 0}};
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  char path[64];
  // The mode that devices have anyway: a mistake here must not ruin the machine's.
  REFUSED(fchmod(fd, 0666));
  REFUSED(fchown(fd, 0, 0));
  REFUSED(futimens(fd, times));
  REFUSED(futimes(fd, old_times));
  REFUSED(ftruncate(fd, 1));
  REFUSED(fallocate(fd, 0, 0, 1 << 20));
  REFUSED(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4));
  REFUSED(flock(fd, LOCK_EX | LOCK_NB));
  REFUSED(fcntl(fd, F_SETLK, &lock));
  REFUSED(fcntl(fd, F_SETPIPE_SZ, 1 << 20));
  REFUSED(fcntl(fd, F_SETOWN, getpid()));
  REFUSED(fcntl(fd, F_SETLEASE, F_RDLCK));
  REFUSED(fsetxattr(fd, "user.psim", "x", 1, 0));
  REFUSED(fremovexattr(fd, "user.psim"));
  REFUSED(shutdown(fd, SHUT_RDWR));
  REFUSED(fchdir(fd));
  REFUSED(openat(fd, "x", O_CREAT | O_RDWR, 0600));
  REFUSED(linkat(fd, "", AT_FDCWD, "linked", AT_EMPTY_PATH));
  REFUSED(fchownat(fd, "", 0, 0, AT_EMPTY_PATH));
  REFUSED(syscall(SYS_utimensat, fd, "", times, AT_EMPTY_PATH));
  REFUSED(ioctl(fd, TIOCSTI, "x"));
  for (int i = 0; i < 2; ++i) {
    sprintf(path, i ? "/proc/self/fd/%d" : "/dev/fd/%d", fd);
    REFUSED(chmod(path, 0666));
    REFUSED(truncate(path, 0));
    REFUSED(utimensat(AT_FDCWD, path, times, 0));
    REFUSED(chown(path, 0, 0));
    REFUSED(unlink(path));
    REFUSED(linkat(AT_FDCWD, path, AT_FDCWD, "linked", AT_SYMLINK_FOLLOW));
    close(open(path, O_RDWR | O_TRUNC));  // the same description, as it is
  }
  // Flags of the description are the guest's only for itself.
  if (fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND) != 0) perror("F_SETFL");
  if ((fcntl(fd, F_GETFL) & (O_NONBLOCK | O_APPEND)) != (O_NONBLOCK | O_APPEND))
    puts("F_GETFL has forgotten F_SETFL");
  int on = 1;
  ioctl(fd, FIONBIO, &on);
}

int main(int argc, char** argv) {
  change(0);
  for (int i = 1; i < argc; ++i) {
    const int fd = open(argv[i], O_RDWR);
    if (fd >= 0) change(fd);
  }
  char byte;
  if (argc > 1 && strcmp(argv[1], "-empty") == 0) {  // an empty pipe or terminal
    if (read(0, &byte, 1) != -1 || errno != EAGAIN) puts("O_NONBLOCK has no effect");
  }
  return 0;
}
