/* SPDX-License-Identifier: Apache-2.0
   Processes made by ranks with all functions: each is an ordinary process with its rank's memory. The first rank prints
   the number of errors. */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int me, wrong, global = 1, ended;
static int large[100000];
extern char** environ;

static void check(int good, const char* what) {
  if (good) return;
  ++wrong;
  fprintf(stderr, "rank %d: %s\n", me, what);
}

static int exit_status(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void at_exit(void) {
  if (ended == 7) _exit(70 + me); /* set in the memory of a copy that called exit() */
}

static int body_of_clone(void* argument) {
  global += *(int*)argument;
  return global;
}

static void fork_alone(void) {
  const pid_t rank = getpid();
  global = 100 + me;
  large[me * 1000] = 5;
  pid_t child = fork();
  if (child == 0) {
    int good = global == 100 + me && large[me * 1000] == 5 && getppid() == rank && getpid() != rank;
    global = large[0] = large[me * 1000] = -1; /* its own */
    ended = 7;
    if (!good) _exit(1);
    exit(0); /* at_exit() changes the status */
  }
  check(exit_status(child) == 70 + me, "fork and exit with a handler");
  check(global == 100 + me && large[me * 1000] == 5, "the copy's memory is its own");
  check(waitpid(child, NULL, 0) == -1 && errno == ECHILD, "waited for once");
  check(wait(NULL) == -1 && errno == ECHILD, "no child of another rank's");
}

static void other_ways(void) {
  pid_t child = vfork();
  if (child == 0) _exit(5);
  check(exit_status(child) == 5, "vfork and _exit");
  child = vfork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "exit 6", (char*)NULL);
    _exit(127);
  }
  check(exit_status(child) == 6, "vfork and exec");
  child = (pid_t)syscall(SYS_fork);
  if (child == 0) _exit(8);
  check(exit_status(child) == 8, "the system call");
  int more = 10;
  char stack[16384];
  child = clone(body_of_clone, stack + sizeof stack, SIGCHLD, &more);
  check(exit_status(child) == (110 + me) % 256 && global == 100 + me, "clone");
  check(clone(body_of_clone, stack + sizeof stack, CLONE_VM | SIGCHLD, &more) == -1 && errno == ENOSYS,
        "clone in the same memory");
  char* const words[] = {"sh", "-c", "exit 9", NULL};
  check(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0 && exit_status(child) == 9, "posix_spawn");
  check(WEXITSTATUS(system("exit 11")) == 11, "system");
  char line[32] = "";
  FILE* pipe = popen("echo $((6 * 7))", "r");
  check(fgets(line, sizeof line, pipe) != NULL && strcmp(line, "42\n") == 0 && pclose(pipe) == 0, "popen");
  child = fork();
  if (child == 0) abort();
  check(exit_status(child) == 1000 + SIGABRT, "abort in a copy");
  child = fork();
  if (child == 0) *(volatile int*)NULL = 1;
  check(exit_status(child) == 1000 + SIGSEGV, "a fault in a copy");
  child = fork();
  if (child == 0) {
    const pid_t own = fork(); /* a child of the copy */
    if (own == 0) _exit(3);
    _exit(exit_status(own) == 3 ? 4 : 1);
  }
  check(exit_status(child) == 4, "a copy's copy");
}

static void clocks(void) {
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  const pid_t child = fork();
  if (child == 0) {
    clock_gettime(CLOCK_MONOTONIC, &after);
    const double passed = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    const struct timespec short_time = {0, 1000000};
    _exit(passed >= 0 && passed < 3600 && nanosleep(&short_time, NULL) == 0 ? 0 : 1);
  }
  check(exit_status(child) == 0, "clocks of a copy go on");
}

int main(int argc, char** argv) {
  int size;
  atexit(at_exit);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  fork_alone();
  other_ways();
  clocks();
  /* Each rank waits for its own child while the children of all ranks run. */
  pid_t children[3];
  for (int i = 0; i < 3; ++i)
    if ((children[i] = fork()) == 0) _exit(20 + 3 * me + i);
  MPI_Barrier(MPI_COMM_WORLD);
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    int status = 0;
    check(wait(&status) > 0 && WIFEXITED(status), "wait for any");
    sum += WEXITSTATUS(status);
  }
  check(sum == 63 + 9 * me, "one's own children");
  int total = 0;
  MPI_Allreduce(&wrong, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf("wrong %d\n", total);
  MPI_Finalize();
  return 0;
}
