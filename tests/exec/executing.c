// SPDX-License-Identifier: Apache-2.0
// A program that becomes, and starts, itself in other roles.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;
static char* self;
static int large[1 << 16];

static void on_signal(int number) { (void)number; }

static void* sleeper(void* argument) {
  pause();
  return argument;
}
static void* becomes(void* argument) {
  char* words[] = {"name of its own", "state", "from a thread", 0};
  execv(self, words);
  return argument;
}

static void status(const char* what, int status) {
  printf("%s: exited %d status %d signal %d\n", what, WIFEXITED(status),
         WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

// Prints the state that begin() has left.
static int state(int count, char** words) {
  struct sigaction action;
  sigset_t blocked, pending;
  stack_t stack;
  timer_t none = 0;
  struct itimerspec left;
  for (int i = 0; i < count; ++i) printf("[%s]", words[i]);
  printf("\nvariable %s, FIRST %s\n", getenv("VARIABLE"), getenv("FIRST"));
  sigaction(SIGUSR1, 0, &action), printf("handled %d\n", action.sa_handler != SIG_DFL);
  sigaction(SIGUSR2, 0, &action), printf("ignored %d\n", action.sa_handler == SIG_IGN);
  sigprocmask(0, 0, &blocked), sigpending(&pending), sigaltstack(0, &stack);
  printf("blocked %d pending %d stack %d\n", sigismember(&blocked, SIGHUP), sigismember(&pending, SIGHUP),
         stack.ss_flags == SS_DISABLE);
  printf("kept %d closed %d\n", fcntl(20, F_GETFD), fcntl(21, F_GETFD));
  printf("timer %d\n", timer_gettime(none, &left));
  int sum = 0;
  for (int i = 0; i < 1 << 16; ++i) sum |= large[i];
  printf("zeros %d heap %d\n", sum == 0, malloc(1 << 20) != 0);
  printf("umask %o, threads %d\n", umask(0), getpid() == gettid());
  char text[4096] = {0}, line[64] = {0};
  readlink("/proc/self/exe", text, sizeof text - 1);
  printf("%s is %s\n", strrchr(text, '/'), strrchr(self, '/'));
  read(open("/proc/self/comm", O_RDONLY), line, sizeof line);
  printf("comm %s", line);
  return 7;
}

static void begin(char* role) {
  struct sigaction action = {.sa_handler = on_signal};
  struct sigevent event = {.sigev_notify = SIGEV_NONE};
  stack_t stack = {malloc(65536), 0, 65536};
  sigset_t blocked;
  timer_t timer;
  sigaction(SIGUSR1, &action, 0), signal(SIGUSR2, SIG_IGN);
  sigemptyset(&blocked), sigaddset(&blocked, SIGHUP), sigprocmask(SIG_BLOCK, &blocked, 0);
  sigaltstack(&stack, 0);
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  dup2(1, 20), dup3(1, 21, O_CLOEXEC);
  umask(027);
  setenv("VARIABLE", "of the first", 1);
  for (int i = 0; i < 1 << 16; ++i) large[i] = i;
  fflush(stdout);
  pthread_t thread;
  if (!strcmp(role, "thread")) {
    pthread_create(&thread, 0, sleeper, 0);
    raise(SIGHUP);  // of this thread, which ends
    pthread_create(&thread, 0, becomes, 0);
    pthread_join(thread, 0);
  }
  raise(SIGHUP);
  char* words[] = {"name of its own", "state", "two words", "", 0};
  char* variables[] = {"FIRST=1", 0};
  if (!strcmp(role, "environment")) execve(self, words, variables);
  if (!strcmp(role, "descriptor")) fexecve(open(self, O_RDONLY | O_CLOEXEC), words, environ);
  execv(self, words);
}

static void failures(void) {
  char* words[] = {"x", 0};
  char* huge = calloc(131073, 1);  // one byte too long
  memset(huge, 'a', 131072);
  char* many[] = {"x", huge, 0};
  execv("absent", words), printf("absent: %s\n", strerror(errno));
  execv(".", words), printf("directory: %s\n", strerror(errno));
  execv("text", words), printf("not executable: %s\n", strerror(errno));
  chmod("text", 0755);
  execv("text", words), printf("no program: %s\n", strerror(errno));
  execv("", words), printf("empty: %s\n", strerror(errno));
  execv(self, many), printf("long word: %s\n", strerror(errno));
  execv("text/x", words), printf("below a file: %s\n", strerror(errno));
  execv(self, (char**)8), printf("address: %s\n", strerror(errno));
  execv("script of nothing", words), printf("script: %s\n", strerror(errno));
}

static void children(void) {
  int result;
  pid_t child;
  char* quick[] = {self, "exit", "3", 0};
  printf("spawn %d\n", posix_spawn(&child, self, 0, 0, quick, environ));
  waitpid(child, &result, 0), status("spawn", result);
  char* dies[] = {self, "signal", 0};
  posix_spawnp(&child, self, 0, 0, dies, environ);
  waitpid(child, &result, 0), status("signal", result);

  // A pipeline, as shells make it.
  int p[2];
  char text[64] = {0};
  pipe2(p, O_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions), posix_spawn_file_actions_adddup2(&actions, p[1], 1);
  char* prints[] = {self, "print", 0};
  posix_spawn(&child, self, &actions, 0, prints, environ);
  close(p[1]);
  printf("read %ld ", (long)read(p[0], text, sizeof text)), printf("%s", text);
  printf("end %ld\n", (long)read(p[0], text, sizeof text));
  waitpid(child, &result, 0), status("print", result);

  // The parent goes on when its child runs the other program.
  fflush(stdout);
  if ((child = vfork()) == 0) {
    write(1, "child of vfork\n", 15);
    execv(self, quick);
    _exit(9);
  }
  write(1, "parent of vfork\n", 16);
  waitpid(child, &result, 0), status("vfork", result);
  if ((child = vfork()) == 0) _exit(5);
  waitpid(child, &result, 0), status("no program", result);
}

int main(int count, char** words) {
  char name[4096] = {0};
  const char* role = count > 1 ? words[1] : "";
  self = realpath("/proc/self/exe", 0);
  if (!self) readlink("/proc/self/exe", name, sizeof name - 1), self = name;
  if (!strcmp(role, "state")) return state(count, words);
  if (!strcmp(role, "exit")) return atoi(words[2]);
  if (!strcmp(role, "signal")) raise(SIGTERM);
  if (!strcmp(role, "print")) return puts("printed by a child"), 0;
  if (!strcmp(role, "script")) {
    for (int i = 0; i < count; ++i)
      printf("[%s]", strrchr(words[i], '/') ? strrchr(words[i], '/') : words[i]);
    return puts(""), 0;
  }
  if (!strcmp(role, "run")) execv(words[2], words + 2), printf("%s: %s\n", words[2], strerror(errno));
  if (!strcmp(role, "failures")) failures();
  if (!strcmp(role, "children")) children();
  if (!strncmp(role, "again", 5)) {  // many times
    char number[16];
    snprintf(number, sizeof number, "%d", atoi(words[2]) - 1);
    char* next[] = {words[0], "again", number, 0};
    if (atoi(words[2]) > 0) execv(self, next);
    printf("at last\n");
  }
  if (!strcmp(role, "begin")) begin(words[2]);
  return 0;
}
