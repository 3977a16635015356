// SPDX-License-Identifier: Apache-2.0
// fork, wait, signals between processes of a family, and their shared memory.
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static volatile int count;
static void on_count(int number) { (void)number, ++count; }

// Atomics of several processes, and semaphores that they wait for.
static void share(void) {
  static const int kRounds = 100000;
  struct {
    sem_t here, there;
    long counts[2];
    unsigned char lock;
  } *shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sem_init(&shared->here, 1, 0), sem_init(&shared->there, 1, 0);
  for (int i = 0; i < 3; ++i)
    if (fork() == 0) {
      for (int k = 0; k < kRounds; ++k) {
        __atomic_fetch_add(&shared->counts[0], 1, __ATOMIC_SEQ_CST);
        while (__atomic_test_and_set(&shared->lock, __ATOMIC_SEQ_CST)) {
        }
        ++shared->counts[1];
        __atomic_clear(&shared->lock, __ATOMIC_SEQ_CST);
      }
      sem_wait(&shared->there);
      sem_post(&shared->here);
      _exit(0);
    }
  for (int i = 0; i < 3; ++i) sem_post(&shared->there);
  for (int i = 0; i < 3; ++i) CALL(sem_wait(&shared->here));
  SHOW(shared->counts[0] == 3 * kRounds), SHOW(shared->counts[1] == 3 * kRounds);
  while (wait(0) > 0) {
  }
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  ++time.tv_sec;
  CALL(sem_timedwait(&shared->here, &time));
}

int main(void) {
  setbuf(stdout, 0);
  int status = 0;
  CALL(waitpid(-1, &status, 0));
  signal(SIGCHLD, on_count);
  pid_t child = fork();
  if (child == 0) {
    puts("child");
    _exit(7);
  }
  while (waitpid(child, &status, 0) < 0) {
  }
  SHOW(WIFEXITED(status)), SHOW(WEXITSTATUS(status)), SHOW(count);
  signal(SIGCHLD, SIG_DFL);
  const int deadly[] = {SIGKILL, SIGABRT, SIGSEGV, SIGUSR1, SIGALRM};
  for (unsigned i = 0; i < sizeof deadly / sizeof *deadly; ++i) {
    child = fork();
    if (child == 0) raise(deadly[i]), _exit(0);
    waitpid(child, &status, 0);
    SHOW(WIFSIGNALED(status)), SHOW(WTERMSIG(status) == deadly[i]);
  }
  signal(SIGUSR2, on_count);
  count = 0;
  child = fork();
  if (child == 0) kill(getppid(), SIGUSR2), _exit(0);
  while (waitpid(child, &status, 0) < 0) {
  }
  SHOW(count);
  int p[2];
  char text[8] = {0};
  CALL(pipe(p));
  child = fork();
  if (child == 0) {
    close(p[0]);
    write(p[1], "hey", 3);
    exit(0);
  }
  close(p[1]);
  CALL(read(p[0], text, 8));
  CALL(read(p[0], text + 4, 1));
  puts(text);
  CALL(wait(0) == child);
  child = fork();
  if (child == 0) pause(), _exit(0);
  CALL(waitpid(child, &status, WNOHANG));
  CALL(kill(child, SIGTERM));
  CALL(waitpid(child, &status, 0) == child);
  SHOW(WTERMSIG(status) == SIGTERM);
  child = fork();
  if (child == 0) raise(SIGSTOP), _exit(6);
  CALL(waitpid(child, &status, WUNTRACED) == child);
  SHOW(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
  CALL(kill(child, SIGCONT));
  CALL(waitpid(child, &status, 0) == child);
  SHOW(WIFEXITED(status) && WEXITSTATUS(status) == 6);
  share();
  while (clock() < CLOCKS_PER_SEC / 20) {
  }
  child = fork();
  if (child == 0) _exit(clock() < CLOCKS_PER_SEC / 40);
  CALL(waitpid(child, &status, 0) == child);
  SHOW(WEXITSTATUS(status));
  // A signal that comes just as its receiver begins to wait, sooner and later.
  int woken = 0;
  for (int i = 0; i < 150; ++i) {
    int ready[2];
    if (pipe(ready) != 0) return 1;
    child = fork();
    if (child == 0) write(ready[1], "x", 1), pause(), _exit(0);
    if (read(ready[0], text, 1) != 1) return 1;
    for (volatile int k = 0; k < i * 100; ++k) {
    }
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    woken += WIFSIGNALED(status);
    close(ready[0]), close(ready[1]);
  }
  SHOW(woken);
  const int before = getpriority(PRIO_PROCESS, 0);  // qemu's is the host's
  CALL(nice(3) - before);
  CALL(nice(0) - before);
  CALL(getpriority(PRIO_PROCESS, 0) - before);
  CALL(getpid() > 1);
  CALL(kill(getpid(), 0));
  abort();
}
