// SPDX-License-Identifier: Apache-2.0
// Prints what a program can see of the host when it starts. Standard input is read to its end.
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

int main(int argc, char** argv) {
  char path[4096], line[256];
  for (int i = 0; i < argc; ++i) printf("argument %s at %p\n", argv[i], (void*)argv[i]);
  for (char** entry = environ; *entry; ++entry) printf("variable %s\n", *entry);
  printf("file %s, random %02x\n", (char*)getauxval(AT_EXECFN), *(unsigned char*)getauxval(AT_RANDOM));
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
  path[size < 0 ? 0 : size] = 0;
  printf("executable %s\n", path);
  printf("directory %s\n", getcwd(path, sizeof path));
  printf("user %d %d group %d %d groups %d\n", getuid(), geteuid(), getgid(), getegid(), getgroups(0, 0));
  printf("pid %d parent %d\n", getpid(), getppid());
  const mode_t mask = umask(0);
  umask(mask);
  printf("umask %03o\n", mask);
  printf("time %ld, terminal %d\n", (long)time(0), open("/dev/tty", O_RDWR));
  for (int fd = 0; fd < 3; ++fd) {
    struct stat status;
    struct termios termios;
    struct winsize window;
    memset(&status, 0, sizeof status);
    const int result = fstat(fd, &status);
    printf(
        "%d: %d mode %o size %ld inode %lu links %lu block %ld user %d time %ld, tcgetattr %d, size %d, seek "
        "%ld, flags %x\n",
        fd, result, status.st_mode, (long)status.st_size, (unsigned long)status.st_ino,
        (unsigned long)status.st_nlink, (long)status.st_blksize, status.st_uid, (long)status.st_mtime,
        tcgetattr(fd, &termios), ioctl(fd, TIOCGWINSZ, &window), (long)lseek(fd, 0, SEEK_CUR),
        fcntl(fd, F_GETFL));
  }
  int lines = 0;
  while (fgets(line, sizeof line, stdin)) ++lines;
  printf("%d lines\n", lines);
  fprintf(stderr, "to standard error\n");
  for (int fd = 3; fd < 20; ++fd)
    if (fcntl(fd, F_GETFD) >= 0) printf("descriptor %d is open\n", fd);
  return 0;
}
