// SPDX-License-Identifier: Apache-2.0
// Files by name: making, linking, renaming, removing, and every error on the way.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "check.h"

static int by_name(const struct dirent** a, const struct dirent** b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

int main(void) {
  struct stat st;
  char buffer[200], longest[5000];
  setbuf(stdout, 0);
  CALL(mkdir("d", 0755));
  CALL(mkdir("d", 0755));
  CALL(chdir("d"));
  CALL(open("x", O_RDONLY));
  CALL(open("x", O_CREAT | O_RDWR | O_EXCL, 0644));
  CALL(open("x", O_CREAT | O_RDWR | O_EXCL, 0644));
  CALL(write(3, "hello world", 11));
  CALL(fstat(3, &st));
  SHOW(st.st_size), SHOW(st.st_mode), SHOW(st.st_nlink);
  CALL(link("x", "y"));
  CALL(stat("y", &st));
  SHOW(st.st_nlink);
  CALL(symlink("x", "s"));
  CALL(lstat("s", &st));
  SHOW(st.st_mode & S_IFMT);
  CALL(readlink("s", buffer, sizeof buffer));
  CALL(readlink("x", buffer, sizeof buffer));
  CALL(readlink("s", buffer, 0));
  CALL(unlink("y"));
  CALL(rename("s", "t"));
  CALL(access("t", R_OK));
  CALL(access("t", X_OK));
  CALL(access("nope", F_OK));
  CALL(access("x", 77));
  CALL(chmod("x", 0600));
  CALL(chmod("nope", 0600));
  CALL(truncate("x", 3));
  CALL(truncate("x", -3));
  CALL(stat("t", &st));
  SHOW(st.st_size);
  CALL(unlink("t"));
  CALL(rmdir("../d"));
  CALL(mkfifo("fifo", 0600));
  CALL(mkfifo("fifo", 0600));
  CALL(mkdir("e", 0700));
  CALL(mkdir("e/", 0700));
  CALL(mkdir("f/", 0700));
  struct dirent** list;
  const int n = scandir(".", &list, 0, by_name);
  for (int i = 0; i < n; ++i) printf("%s %d\n", list[i]->d_name, list[i]->d_type);
  CALL(unlink("e"));
  CALL(rmdir("e"));
  CALL(rmdir("f/"));
  CALL(unlink("fifo"));
  CALL(utimensat(AT_FDCWD, "x", (struct timespec[2]){{100, 5}, {200, 6}}, 0));
  CALL(stat("x", &st));
  SHOW(st.st_atime), SHOW(st.st_mtime), SHOW(st.st_mtim.tv_nsec);
  CALL(openat(AT_FDCWD, "x", O_DIRECTORY));
  CALL(openat(3, "x", O_RDONLY));
  CALL(openat(99, "x", O_RDONLY));
  CALL(open("", O_RDONLY));
  CALL(open("x/y", O_RDONLY));
  CALL(open("x/", O_RDONLY));
  CALL(open(".", O_WRONLY));
  CALL(open((char*)8, 0));
  CALL(mkdir("", 0));
  CALL(mkdir(".", 0));
  CALL(rmdir("x"));
  CALL(rmdir("."));
  CALL(unlink("."));
  CALL(rename("x", "."));
  CALL(rename("nope", "z"));
  CALL(rename("x", "x"));
  CALL(symlink("loop", "loop"));
  CALL(open("loop", 0));
  CALL(stat("loop", &st));
  CALL(open("loop", O_NOFOLLOW));
  CALL(open("loop", O_CREAT | O_EXCL | O_RDWR, 0600));
  CALL(unlink("loop"));
  CALL(symlink("made", "dangling"));
  CALL(close(open("dangling", O_CREAT | O_WRONLY, 0600)));
  CALL(access("made", F_OK));
  CALL(unlink("dangling"));
  CALL(unlink("made"));
  memset(longest, 'a', sizeof longest);
  longest[sizeof longest - 1] = 0;
  CALL(open(longest, 0));
  longest[300] = 0;
  CALL(open(longest, 0));
  struct statvfs fs;
  CALL(statvfs(".", &fs));
  CALL(umask(077));
  CALL(umask(022));
  CALL(getcwd(buffer, sizeof buffer) == buffer);
  CALL(getcwd(buffer, 3) == 0);
  printf("%s\n", strrchr(getcwd(buffer, sizeof buffer), '/'));
  const int directory = open(".", O_RDONLY | O_DIRECTORY);
  CALL(chdir("/"));
  CALL(faccessat(directory, "x", F_OK, 0));
  CALL(fchdir(directory));
  CALL(unlinkat(directory, "x", 0));
  CALL(linkat(directory, "x", directory, "y", 0));
  CALL(chdir(".."));
  CALL(rmdir("d"));
  FILE* file = tmpfile();
  fputs("temporary", file);
  rewind(file);
  puts(fgets(buffer, sizeof buffer, file));
  char name[] = "/tmp/fooXXXXXX", here[] = "barXXXXXX";
  CALL(mkstemp(name) > 0);
  CALL(unlink(name));
  CALL(mkdtemp(here) != 0);
  CALL(rmdir(here));
  return 0;
}
