// SPDX-License-Identifier: Apache-2.0
// Mappings of files as Linux has them: madvise, truncation, mprotect, mremap. Prints what is wrong. Run in an
// empty directory; pages are 8 KiB.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define P 8192
#define MADV_POPULATE_WRITE_ 23
#define CHECK(condition)                                                      \
  do {                                                                        \
    line = __LINE__;                                                          \
    if (!(condition)) printf("line %d: %s is false\n", __LINE__, #condition); \
  } while (0)
#define FAILS(call, error)                                                             \
  do {                                                                                 \
    errno = 0;                                                                         \
    const long result = (long)(call);                                                  \
    if (result != -1 || errno != error)                                                \
      printf("line %d: %s gives %ld, %s\n", __LINE__, #call, result, strerror(errno)); \
  } while (0)

static sigjmp_buf after;
static siginfo_t got;
static volatile int expected, line;
static void on_signal(int number, siginfo_t* info, void* context) {
  if (!expected) printf("signal %d after line %d\n", number, line), exit(1);
  expected = 0;
  got = *info;
  siglongjmp(after, number);
}
/// The signal that an access raises, or 0.
static int access_raises(volatile char* at, int store) {
  const int number = sigsetjmp(after, 1);
  if (number != 0) return got.si_addr == (void*)at ? number : -number;
  expected = 1;
  if (store)
    *at = 1;
  else
    (void)*at;
  expected = 0;
  return 0;
}
static int load_raises(volatile char* at) { return access_raises(at, 0); }
static int store_raises(volatile char* at) { return access_raises(at, 1); }

static int make(const char* name, size_t bytes, int letter) {
  const int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  char page[P];
  memset(page, letter, sizeof page);
  for (size_t done = 0; done < bytes; done += P)
    CHECK(write(fd, page, bytes - done < P ? bytes - done : P) > 0);
  return fd;
}
static char* map(int fd, size_t bytes, int prot, int flags) {
  char* at = mmap(0, bytes, prot, flags, fd, 0);
  CHECK(at != MAP_FAILED);
  return at;
}
#define RW (PROT_READ | PROT_WRITE)

static void advice(void) {
  const int fd = make("advice", 2 * P, 'a');
  char* private = map(fd, 2 * P, RW, MAP_PRIVATE);
  private[0] = private[P] = 'x';
  CHECK(madvise(private, P, MADV_DONTNEED) == 0);
  CHECK(private[0] == 'a' && private[P] == 'x');
  CHECK(pwrite(fd, "b", 1, P) == 1);
  CHECK(madvise(private + P, P, MADV_DONTNEED) == 0 && private[P] == 'b');
  FAILS(madvise(private, P, MADV_FREE), EINVAL);
  FAILS(madvise(private, P, MADV_REMOVE), EINVAL);
  FAILS(madvise(private, P, MADV_WIPEONFORK), EINVAL);
  FAILS(madvise(private, P, 7), EINVAL);
  FAILS(madvise(private + 1, P, MADV_DONTNEED), EINVAL);
  char* shared = map(fd, 2 * P, RW, MAP_SHARED);
  shared[1] = 's';
  CHECK(madvise(shared, P, MADV_DONTNEED) == 0 && shared[1] == 's');
  CHECK(madvise(shared, P, MADV_REMOVE) == 0 && shared[0] == 0 && shared[P] == 'b');
  char byte = 1;
  CHECK(pread(fd, &byte, 1, 0) == 1 && byte == 0);
  char* memory = map(-1, 2 * P, RW, MAP_PRIVATE | MAP_ANONYMOUS);
  memory[0] = memory[P] = 1;
  CHECK(madvise(memory, P, MADV_DONTNEED) == 0 && memory[0] == 0 && memory[P] == 1);
  CHECK(madvise(memory, P, MADV_FREE) == 0 && (memory[0] == 0 || memory[0] == 1));
  CHECK(munmap(memory, P) == 0);
  FAILS(madvise(memory, 2 * P, MADV_DONTNEED), ENOMEM);
  CHECK(memory[P] == 0);  // what is mapped has had the advice
  close(fd);
}

static void forks(void) {
  char* kept = map(-1, P, RW, MAP_PRIVATE | MAP_ANONYMOUS);
  char* wiped = map(-1, P, RW, MAP_PRIVATE | MAP_ANONYMOUS);
  char* left = map(-1, P, RW, MAP_PRIVATE | MAP_ANONYMOUS);
  kept[0] = wiped[0] = left[0] = 1;
  CHECK(madvise(wiped, P, MADV_WIPEONFORK) == 0 && madvise(left, P, MADV_DONTFORK) == 0);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) _exit(kept[0] == 1 && wiped[0] == 0 && load_raises(left) == SIGSEGV ? 0 : 1);
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(wiped[0] == 1 && left[0] == 1);
}

static void protection(void) {
  close(make("protection", P, 'p'));
  const int fd = open("protection", O_RDONLY);
  char* shared = map(fd, P, PROT_READ, MAP_SHARED);
  FAILS(mmap(0, P, RW, MAP_SHARED, fd, 0), EACCES);
  FAILS(mprotect(shared, P, RW), EACCES);
  CHECK(store_raises(shared) == SIGSEGV && shared[0] == 'p');
  char* private = map(fd, P, PROT_READ, MAP_PRIVATE);
  CHECK(mprotect(private, P, RW) == 0 && store_raises(private) == 0);
  char byte = 0;
  CHECK(pread(fd, &byte, 1, 0) == 1 && byte == 'p');
  close(fd);
}

static void truncation(int flags) {
  const int fd = make("truncation", 4 * P, 't');
  char* at = map(fd, 6 * P, RW, flags);
  CHECK(load_raises(at + 3 * P) == 0 && load_raises(at + 4 * P) == SIGBUS && got.si_code == BUS_ADRERR);
  CHECK(store_raises(at + 5 * P) == SIGBUS);
  CHECK(ftruncate(fd, P + 100) == 0);
  CHECK(load_raises(at) == 0 && at[P + 99] == 't' && at[P + 100] == 0 && at[2 * P - 1] == 0);
  CHECK(load_raises(at + 2 * P) == SIGBUS && store_raises(at + 2 * P) == SIGBUS);
  // psim's own copies.
  const int out = open("out", O_RDWR | O_CREAT, 0600);
  FAILS(write(out, at + 3 * P, 10), EFAULT);
  FAILS(pread(fd, at + 3 * P, 10, 0), EFAULT);
  FAILS(access(at + 3 * P, F_OK), EFAULT);
  FAILS(getrandom(at + 3 * P, 8, 0), EFAULT);
  CHECK(write(out, at + 2 * P - 10, 20) == 10);
  close(out);
  // It grows again.
  CHECK(ftruncate(fd, 6 * P) == 0);
  CHECK(load_raises(at + 5 * P) == 0 && at[5 * P] == 0 && at[2 * P] == 0);
  CHECK(pwrite(fd, "w", 1, 2 * P - 1) == 1);
  if (flags == MAP_SHARED) CHECK(at[2 * P - 1] == 'w');
  CHECK(mprotect(at, 6 * P, PROT_READ) == 0 && store_raises(at) == SIGSEGV);
  CHECK(ftruncate(fd, 0) == 0);
  CHECK(load_raises(at) == SIGBUS && store_raises(at) == SIGSEGV);
  CHECK(mprotect(at, P, RW) == 0 && store_raises(at) == SIGBUS);
  CHECK(pwrite(fd, "again", 5, 0) == 5 && load_raises(at) == 0 && at[1] == 'g');
  close(open("truncation", O_RDWR | O_TRUNC));
  CHECK(load_raises(at) == SIGBUS);
  // Another process of the guest cuts it off.
  CHECK(ftruncate(fd, P) == 0 && load_raises(at) == 0);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) _exit(ftruncate(fd, 0));
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0 && load_raises(at) == SIGBUS);
  CHECK(munmap(at, 6 * P) == 0);
  CHECK(load_raises(at) == SIGSEGV);
  close(fd);
}

static void code(void) {
  const unsigned words[] = {0x81c3e008, 0x90102007};  // retl; mov 7, %o0
  const int fd = open("code", O_RDWR | O_CREAT | O_TRUNC, 0600);
  CHECK(write(fd, words, sizeof words) == sizeof words);
  int (*seven)(void) = (int (*)(void))map(fd, P, PROT_READ | PROT_EXEC, MAP_SHARED);
  CHECK(seven() == 7 && seven() == 7);
  CHECK(ftruncate(fd, 0) == 0);
  const int number = sigsetjmp(after, 1);
  if (number == 0) expected = 1, seven(), puts("code beyond the end of its file runs");
  CHECK(number == SIGBUS);
  close(fd);
}

static void moves(void) {
  const int fd = make("moves", 4 * P, 'm');
  char* at = map(fd, 2 * P, RW, MAP_SHARED);
  CHECK(pwrite(fd, "3", 1, 3 * P) == 1);
  char* wall = mmap(at + 2 * P, P, RW, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  CHECK(wall == at + 2 * P);
  FAILS(mremap(at, 2 * P, 4 * P, 0), ENOMEM);
  char* to = mremap(at, 2 * P, 4 * P, MREMAP_MAYMOVE);
  CHECK(to != MAP_FAILED && to[0] == 'm' && to[3 * P] == '3');
  CHECK(load_raises(at) == SIGSEGV);
  to[0] = 'M', to[3 * P] = '4';
  char bytes[2] = "";
  CHECK(pread(fd, bytes, 1, 0) == 1 && pread(fd, bytes + 1, 1, 3 * P) == 1 && bytes[0] == 'M' &&
        bytes[1] == '4');
  FAILS(mremap(to, 5 * P, 6 * P, MREMAP_MAYMOVE), EFAULT);
  CHECK(mremap(to, 4 * P, P, 0) == to && load_raises(to + P) == SIGSEGV);
  char* private = map(fd, P, RW, MAP_PRIVATE);
  private[5] = 'x';
  CHECK(munmap(to, P) == 0);
  private = mremap(private, P, 2 * P, MREMAP_MAYMOVE);
  CHECK(private != MAP_FAILED && private[5] == 'x' && private[0] == 'M' && private[P] == 'm');
  char* memory = map(-1, 3 * P, RW, MAP_PRIVATE | MAP_ANONYMOUS);
  memory[2 * P] = 'q';
  memory = mremap(memory, 3 * P, 1000 * P, MREMAP_MAYMOVE);
  CHECK(memory != MAP_FAILED && memory[2 * P] == 'q' && memory[999 * P] == 0);
  char* common = map(-1, P, RW, MAP_SHARED | MAP_ANONYMOUS);
  common[0] = 'c';
  common = mremap(common, P, 2 * P, MREMAP_MAYMOVE);
  CHECK(common != MAP_FAILED && common[0] == 'c' && load_raises(common + P) == SIGBUS);
  fflush(stdout);
  if (fork() == 0) common[1] = 'd', _exit(0);
  wait(0);
  CHECK(common[1] == 'd');
  close(fd);
}

static void many(void) {
  // As many as Linux lets a process have (vm.max_map_count). A mapping joins the one before it, until the
  // hole is cut.
  long count = 0;
  char* first = 0;
  for (; count < 100000; ++count) {
    char* at = mmap(0, 2 * P, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) break;
    if (count == 0) first = at;
    if (munmap(at, P) != 0) break;
    at[P] = 1;
  }
  CHECK(errno == ENOMEM && count > 65000 && count <= 65530);
  const int fd = open("many", O_RDONLY);
  CHECK(fd == -1 && errno == ENOENT);
  CHECK(munmap(first, 200000ul * P) == 0);
  CHECK(mmap(0, P, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
}

static void many_files(void) {
  const int fd = make("files", P + 1, 'f');
  long count = 0;
  for (; count < 30000; ++count) {
    char* at = mmap(0, 4 * P, RW, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED || at[0] != 'f' || at[P] != 'f') break;
    munmap(at + 2 * P, P);
  }
  CHECK(count == 30000);

  close(fd);
}

int main(int argc, char** argv) {
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
  sigaction(SIGBUS, &action, 0), sigaction(SIGSEGV, &action, 0);
  if (argc > 1) {  // without handlers, for the report
    const int fd = make("cut", P, 'c');
    volatile char* at = map(fd, P, RW, MAP_SHARED);
    signal(SIGBUS, SIG_DFL);
    if (ftruncate(fd, 0) == 0) at[20] = 1;
    return 0;
  }
  advice(), protection(), truncation(MAP_SHARED), truncation(MAP_PRIVATE), code(), moves(), forks();
  many(), many_files();
  return 0;
}
