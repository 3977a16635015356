// SPDX-License-Identifier: Apache-2.0
// mmap, brk and their errors; memory shared with a file and with a child; the use of memory.
#define _GNU_SOURCE
#include <fcntl.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { kPage = 8192 };

// Shared memory and a semaphore with names, which a child opens by name.
static void share_by_name(void) {
  char name[40];
  sprintf(name, "/psim-memory-%d", (int)getpid());
  int* memory = 0;
  CALL(ftruncate(shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600), kPage) == 0);
  CALL(shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600));
  sem_t* ready = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
  SHOW(ready != SEM_FAILED);
  CALL(sem_trywait(ready));
  if (fork() == 0) {
    memory = mmap(0, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, shm_open(name, O_RDWR, 0), 0);
    memory[7] = 43;
    sem_post(sem_open(name, 0));
    _exit(0);
  }
  wait(0);
  memory = mmap(0, kPage, PROT_READ, MAP_SHARED, shm_open(name, O_RDONLY, 0), 0);
  SHOW(memory[7]);
  CALL(sem_trywait(ready));
  CALL(shm_unlink(name));
  CALL(sem_unlink(name));
  CALL(shm_open(name, O_RDWR, 0));
}

static long status_kib(const char* name) {
  char line[256];
  long kib = -1;
  FILE* file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, name, strlen(name)) == 0) sscanf(line + strlen(name), ": %ld kB", &kib);
  if (file) fclose(file);
  return kib;
}
static long most_kib(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// The use of memory: 64 MiB that are touched, and given back.
static void use(void) {
  enum { kMiB = 64, kKiB = 1024 * kMiB };
  const long before = status_kib("VmRSS"), size = status_kib("VmSize");
  SHOW(before > 0), SHOW(size > 0), SHOW(most_kib() > 0);
  char* block = malloc((size_t)kMiB << 20);
  memset(block, 1, (size_t)kMiB << 20);
  __asm__ volatile("" : : "r"(block) : "memory");
  SHOW(status_kib("VmRSS") - before >= kKiB - 64), SHOW(status_kib("VmRSS") - before < 2 * kKiB);
  SHOW(status_kib("VmSize") - size >= kKiB - 64);
  long pages = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  SHOW(file && fscanf(file, "%ld %ld", &pages, &resident) == 2 && pages >= resident);
  SHOW(resident >= kKiB / 8);
  fclose(file);
  free(block);
  SHOW(status_kib("VmRSS") - before < kKiB / 2);
  SHOW(status_kib("VmHWM") >= kKiB), SHOW(most_kib() >= kKiB);
}

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
  share_by_name();
  use();
  return 0;
}
