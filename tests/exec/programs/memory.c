// SPDX-License-Identifier: Apache-2.0
// mmap, brk and their errors; memory shared with a file and with a child.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { kPage = 8192 };

int main(void) {
  setbuf(stdout, 0);
  const int fd = open("data", O_CREAT | O_RDWR | O_TRUNC, 0644);
  CALL(write(fd, "hello", 5));
  CALL(ftruncate(fd, 20000));
  char* m = mmap(0, 20000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  char c = 0;
  SHOW(m != MAP_FAILED), SHOW(m[1]);
  m[10000] = 'Q';
  CALL(pread(fd, &c, 1, 10000));
  SHOW(c);
  CALL(pwrite(fd, "Z", 1, 3));
  SHOW(m[3]);
  CALL(msync(m, 20000, MS_SYNC));
  CALL(munmap(m, 20000));
  m = mmap(0, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, kPage);
  SHOW(m[10000 - kPage]);
  m[0] = 'p';
  CALL(pread(fd, &c, 1, kPage));
  SHOW(c);
  CALL(munmap(m, kPage));
  SHOW(mmap(0, kPage, PROT_READ, MAP_PRIVATE, fd, 100) == MAP_FAILED);
  SHOW(mmap(0, kPage, PROT_READ, MAP_PRIVATE, 99, 0) == MAP_FAILED);
  SHOW(mmap(0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);

  m = mmap(0, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  m[0] = 5;
  m = mremap(m, kPage, kPage * 10, MREMAP_MAYMOVE);
  SHOW(m[0]), SHOW(m[kPage * 9]);
  m[kPage] = 1;
  CALL(madvise(m + kPage, kPage, MADV_DONTNEED));
  SHOW(m[kPage]);
  CALL(mprotect(m, kPage, PROT_READ));
  CALL(mprotect(m + 1, kPage, PROT_READ));
  CALL(read(open("/dev/zero", O_RDONLY), m, 1));
  CALL(munmap(m, kPage * 10));
  CALL(munmap(m + 1, kPage));
  CALL(mprotect(m, kPage, PROT_READ));
  char* at = mmap((void*)0x5000000000, kPage, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS,
                  -1, 0);
  SHOW(at == (char*)0x5000000000);

  char* old = sbrk(0);
  SHOW(sbrk(100000) == old);
  old[99999] = 7;
  SHOW(sbrk(-100000) == old + 100000);
  char* big = malloc(200 << 20);
  SHOW(big != 0);
  big[150 << 20] = 1;
  free(big);
  SHOW(malloc((size_t)1 << 60) == 0);

  int* shared = mmap(0, kPage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int own = 1;
  if (fork() == 0) {
    *shared = 42, own = 2;
    _exit(0);
  }
  wait(0);
  SHOW(*shared), SHOW(own);
  return 0;
}
