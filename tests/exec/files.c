// SPDX-License-Identifier: Apache-2.0
// Prints everything that a program can learn of the files in its directory, and checks that it fits together.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct stat status;

static void show(const char* name) {
  struct statx x;
  if (lstat(name, &status) != 0) perror(name);
  printf("%s: device %lx inode %lu mode %o links %lu size %ld blocks %ld of %ld times %ld.%09ld %ld.%09ld %ld.%09ld\n", name,
         (long)status.st_dev, (long)status.st_ino, status.st_mode & S_IFMT, (long)status.st_nlink, (long)status.st_size,
         (long)status.st_blocks, (long)status.st_blksize, (long)status.st_atime, status.st_atim.tv_nsec, (long)status.st_mtime,
         status.st_mtim.tv_nsec, (long)status.st_ctime, status.st_ctim.tv_nsec);
  if (statx(AT_FDCWD, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &x) != 0 || x.stx_ino != status.st_ino ||
      x.stx_mtime.tv_nsec != status.st_mtim.tv_nsec)
    printf("WRONG: statx of %s\n", name);
}
static void expect(int condition, const char* what) {
  if (!condition) printf("WRONG: %s\n", what);
}
static void make(const char* name) {
  const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);
  expect(fd >= 0 && close(fd) == 0, name);
}
static int later(struct timespec a, struct timespec b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

int main(void) {
  struct dirent* entry;
  DIR* directory = opendir(".");
  while ((entry = readdir(directory))) {
    printf("entry %s %lu\n", entry->d_name, (long)entry->d_ino);
    if (strcmp(entry->d_name, "..") == 0) continue;
    show(entry->d_name);
    expect(status.st_ino == entry->d_ino, "the entry's number is the file's");
  }
  closedir(directory);

  char text[100] = "";
  FILE* data = fopen("data.txt", "r");
  fgets(text, sizeof text, data);
  fstat(fileno(data), &status);
  printf("read %s of %lu, buffer %ld\n", text, (long)status.st_ino, (long)status.st_blksize);
  fclose(data);
  const int mapped = open("mapped.bin", O_RDWR);
  printf("mapped %d\n", *(char*)mmap(0, 8192, PROT_READ, MAP_SHARED, mapped, 0));

  // Files of its own.
  struct timespec before, after;
  clock_gettime(CLOCK_REALTIME, &before);
  FILE* made = fopen("made.txt", "w+");
  fputs("made here", made), fflush(made);
  clock_gettime(CLOCK_REALTIME, &after);
  show("made.txt");
  expect(!later(before, status.st_mtim) && !later(status.st_mtim, after), "the time of a write is the program's clock");
  rewind(made), fgets(text, sizeof text, made), fclose(made);
  fclose(fopen("made.txt", "r"));
  const ino_t first = status.st_ino;
  link("made.txt", "second.txt");
  show("second.txt");
  expect(status.st_ino == first && status.st_nlink == 2, "a link is the same file");
  rename("second.txt", "third.txt");
  show("third.txt");
  expect(status.st_ino == first, "a renamed file is the same file");
  unlink("made.txt"), unlink("third.txt");
  for (int i = 0; i < 3; ++i) {  // the host may use one inode for all of them
    make("again");
    show("again");
    expect(status.st_ino != first, "a new file has a new number");
    unlink("again");
  }
  make("times");
  const struct timespec times[2] = {{12, 34}, {56, 78}}, omit[2] = {{0, UTIME_OMIT}, {90, 12}};
  utimensat(AT_FDCWD, "times", times, 0), show("times");
  expect(status.st_atime == 12 && status.st_mtim.tv_nsec == 78, "times can be set");
  utimensat(AT_FDCWD, "times", omit, 0), show("times");
  expect(status.st_atime == 12 && status.st_mtime == 90, "one time can be set");
  truncate("times", 5000), show("times");
  expect(status.st_mtime > 90 && status.st_size == 5000, "truncate is a write");
  unlink("times");
  mkdir("folder", 0755), symlink("data.txt", "folder/link");
  show("folder"), show("folder/link"), show(".");
  unlink("folder/link"), rmdir("folder");
  int ends[2];
  pipe(ends), fstat(ends[0], &status);
  printf("pipe: inode %lu blocks of %ld time %ld\n", (long)status.st_ino, (long)status.st_blksize, (long)status.st_mtime);
  return 0;
}
