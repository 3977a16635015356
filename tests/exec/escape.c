// SPDX-License-Identifier: Apache-2.0
// Tries every call that takes a path to reach the directory argv[1], which lies outside the sandbox beside
// the working directory. Prints what succeeded; nothing may. The runner then looks at the directory itself.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

static char secret[4096], made[4096];

#define TRY(x)                                                       \
  do {                                                               \
    if ((long)(x) >= 0) printf("escaped: %s with %s\n", #x, secret); \
  } while (0)

static void attack(const char* outside) {
  struct stat st;
  struct statvfs fs;
  char buffer[100];
  snprintf(secret, sizeof secret, "%s/secret", outside);
  snprintf(made, sizeof made, "%s/made", outside);
  TRY(open(secret, O_RDONLY));
  TRY(open(secret, O_RDWR | O_TRUNC));
  TRY(open(made, O_CREAT | O_WRONLY, 0644));
  TRY(creat(made, 0644));
  TRY(openat(AT_FDCWD, secret, O_PATH));
  TRY(open(outside, O_DIRECTORY));
  TRY(open(outside, O_TMPFILE | O_RDWR, 0600));
  TRY(stat(secret, &st));
  TRY(lstat(secret, &st));
  TRY(statvfs(secret, &fs));
  TRY(access(secret, F_OK));
  TRY(faccessat(AT_FDCWD, secret, R_OK, AT_EACCESS));
  TRY(readlink(secret, buffer, sizeof buffer));
  TRY(link(secret, "stolen"));
  TRY(linkat(AT_FDCWD, secret, AT_FDCWD, "stolen", AT_SYMLINK_FOLLOW));
  TRY(link("own", made));
  TRY(rename(secret, "stolen"));
  TRY(rename("own", made));
  TRY(symlink("own", made));
  TRY(unlink(secret));
  TRY(rmdir(outside));
  TRY(mkdir(made, 0755));
  TRY(mkfifo(made, 0600));
  TRY(mknod("device", S_IFBLK | 0600, 0x0800));
  TRY(chmod(secret, 0777));
  TRY(chown(secret, getuid(), getgid()));
  TRY(lchown(secret, getuid(), getgid()));
  TRY(truncate(secret, 0));
  TRY(utime(secret, 0));
  TRY(utimes(secret, 0));
  TRY(utimensat(AT_FDCWD, secret, 0, 0));
  TRY(chdir(outside));
  TRY(chroot(outside));
  TRY(execl(secret, "x", (char*)0));
}

int main(int argc, char** argv) {
  (void)argc;
  char path[5000];
  close(open("own", O_CREAT | O_WRONLY, 0644));
  attack(argv[1]);
  attack("../outside");
  attack("./sub/../../outside");
  attack("/proc/self/cwd/../outside");
  attack("/proc/self/root/../outside");
  snprintf(path, sizeof path, "/proc/self/root%s", argv[1]);
  attack(path);
  snprintf(path, sizeof path, "/tmp/../%s", argv[1]);
  attack(path);
  // Links of every kind to it.
  symlink(argv[1], "absolute");
  attack("absolute");
  symlink("../outside", "relative");
  attack("relative");
  mkdir("sub", 0755);
  symlink("../../outside", "sub/up");
  attack("sub/up");
  symlink("/proc/self/cwd", "magic");
  attack("magic/../outside");
  // From a directory that is moved after it was opened.
  mkdir("a", 0755), mkdir("a/b", 0755);
  const int moved = open("a/b", O_RDONLY | O_DIRECTORY);
  rename("a/b", "c");
  if (openat(moved, "../../outside/secret", O_RDONLY) >= 0) puts("escaped by a moved directory");
  if (openat(moved, "../../../outside/secret", O_RDONLY) >= 0) puts("escaped by a moved directory");
  if (fchdir(moved) == 0 && open("../../outside/secret", O_RDONLY) >= 0) puts("escaped by fchdir");
  // Descriptors psim itself may hold.
  for (int fd = 3; fd < 1024; ++fd)
    if (fd != moved && fcntl(fd, F_GETFD) >= 0) printf("descriptor %d is open\n", fd);
  return 0;
}
