// SPDX-License-Identifier: Apache-2.0
// Parts that use threads as Linux has them: each prints lines that do not depend on the order of threads. kernel PART…
// kernel.expected is what all parts but the last three printed on Linux, compiled by the host's gcc.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_t start(void *(*body)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, argument) != 0) puts("pthread_create failed"), exit(1);
  return thread;
}
static void *join(pthread_t thread) {
  void *result;
  pthread_join(thread, &result);
  return result;
}
static void pause_for(long nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  nanosleep(&time, NULL);
}

// ---- thread-local storage, numbers ----

static __thread int local = 7;
static _Thread_local char text[64];
static void *store_local(void *argument) {
  local += (int)(long)argument;
  snprintf(text, sizeof text, "thread %ld", (long)argument);
  sched_yield();
  return (void *)(long)(local == 7 + (long)argument && atoi(text + 7) == (long)argument &&
                        gettid() != getpid() && errno == 0);
}
static void storage(void) {
  pthread_t threads[20];
  long good = 0;
  for (long i = 0; i < 20; i++) threads[i] = start(store_local, (void *)i);
  for (int i = 0; i < 20; i++) good += (long)join(threads[i]);
  printf("storage: %ld of 20 threads have their own, main has %d\n", good, local);
}

// ---- mutexes: robust, with priority inheritance, with a timeout ----

static pthread_mutex_t robust, inherits, plain = PTHREAD_MUTEX_INITIALIZER;
static void *die_holding(void *argument) {
  pthread_mutex_lock(argument);
  return NULL;
}
static void make(pthread_mutex_t *mutex, int is_robust, int protocol) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if (is_robust) pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_setprotocol(&attributes, protocol);
  pthread_mutex_init(mutex, &attributes);
}
static void *wait_for_dead(void *argument) {
  const int result = pthread_mutex_lock(argument);
  if (result == EOWNERDEAD) pthread_mutex_consistent(argument);
  if (result == 0 || result == EOWNERDEAD) pthread_mutex_unlock(argument);
  return (void *)(long)result;
}
static void *hold_a_while(void *argument) {
  pthread_mutex_lock(argument);
  pause_for(40000000);
  return NULL;
}
static void robust_mutexes(void) {
  for (int protocol = PTHREAD_PRIO_NONE; protocol <= PTHREAD_PRIO_INHERIT; protocol++) {
    make(&robust, 1, protocol);
    join(start(die_holding, &robust));
    const long first = (long)wait_for_dead(&robust);
    pthread_t holder = start(hold_a_while, &robust);
    pause_for(20000000);
    pthread_t waiter = start(wait_for_dead, &robust);
    const long second = (long)join(waiter);
    join(holder);
    printf("robust, protocol %d: %s, %s\n", protocol, strerror(first), strerror(second));
  }
}
static int shared_count;
static void *count_up(void *argument) {
  for (int i = 0; i < 200; i++) {
    pthread_mutex_lock(argument);
    const int now = shared_count;
    if (i % 16 == 0) sched_yield();
    shared_count = now + 1;
    pthread_mutex_unlock(argument);
  }
  return NULL;
}
static void inheriting_mutexes(void) {
  make(&inherits, 0, PTHREAD_PRIO_INHERIT);
  pthread_t threads[5];
  for (int i = 0; i < 5; i++) threads[i] = start(count_up, &inherits);
  for (int i = 0; i < 5; i++) join(threads[i]);
  pthread_mutex_lock(&inherits);
  const int again = pthread_mutex_trylock(&inherits);
  pthread_mutex_unlock(&inherits);
  printf("inheriting: %d, %s\n", shared_count, strerror(again));
}
static void *try_for_a_while(void *argument) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 3000000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
  return (void *)(long)pthread_mutex_timedlock(argument, &until);
}
static void timeouts(void) {
  make(&robust, 0, PTHREAD_PRIO_NONE);
  pthread_mutex_lock(&plain);
  pthread_mutex_lock(&inherits);
  const long first = (long)join(start(try_for_a_while, &plain));
  const long second = (long)join(start(try_for_a_while, &inherits));
  pthread_mutex_unlock(&plain);
  pthread_mutex_unlock(&inherits);
  const long third = (long)join(start(try_for_a_while, &robust));
  printf("timeouts: %s, %s, %s\n", strerror(first), strerror(second), strerror(third));
}

// ---- condition variables, barriers, semaphores ----

static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t turn_mutex = PTHREAD_MUTEX_INITIALIZER;
static int turn;
static char order[256];
static void *take_turns(void *argument) {
  const int self = (int)(long)argument;
  for (int round = 0; round < 10; round++) {
    pthread_mutex_lock(&turn_mutex);
    while (turn % 3 != self) pthread_cond_wait(&turn_changed, &turn_mutex);
    order[turn++] = (char)('a' + self);
    pthread_cond_broadcast(&turn_changed);
    pthread_mutex_unlock(&turn_mutex);
  }
  return NULL;
}
static void turns(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) threads[i] = start(take_turns, (void *)i);
  for (int i = 0; i < 3; i++) join(threads[i]);
  printf("turns: %s\n", order);
}
static pthread_barrier_t barrier;
static atomic_int arrived, wrong, serial;
static void *meet(void *argument) {
  (void)argument;
  for (int round = 1; round <= 50; round++) {
    atomic_fetch_add(&arrived, 1);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) atomic_fetch_add(&serial, 1);
    if (atomic_load(&arrived) != 6 * round) atomic_fetch_add(&wrong, 1);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}
static void barriers(void) {
  pthread_barrier_init(&barrier, NULL, 6);
  pthread_t threads[6];
  for (int i = 0; i < 6; i++) threads[i] = start(meet, NULL);
  for (int i = 0; i < 6; i++) join(threads[i]);
  printf("barriers: %d arrived, %d times serial, %d wrong\n", arrived, serial, wrong);
}
static atomic_int spun;
static void *spin(void *argument) {
  while (atomic_load(&spun) != (int)(long)argument) {
  }
  atomic_fetch_add(&spun, 1);
  return NULL;
}
static void spinning(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; i++) threads[i] = start(spin, (void *)(3 - i));
  for (int i = 0; i < 4; i++) join(threads[i]);
  printf("spinning: %d\n", spun);
}

// ---- signals ----

static atomic_int handled, handled_elsewhere;
static pthread_t expected;
static sem_t woken;
static void handle(int number) {
  (void)number;
  atomic_fetch_add(pthread_equal(pthread_self(), expected) ? &handled : &handled_elsewhere, 1);
}
static void on_signal(int number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigaction(number, &action, NULL);
}
static void *wait_on_semaphore(void *argument) {
  (void)argument;
  return sem_wait(&woken) == 0 ? "woken" : strerror(errno);
}
static int pipe_ends[2];
static void *read_pipe(void *argument) {
  char byte;
  return read(pipe_ends[0], &byte, 1) == 1 ? argument : strerror(errno);
}
static void *sleep_long(void *argument) {
  struct timespec time = {5, 0}, left = {0, 0};
  const int result = nanosleep(&time, &left);
  *(int *)argument = result == -1 && errno == EINTR && left.tv_sec == 4;
  return NULL;
}
/* Returns 1 once the signal of a child that computes for a while has ended the wait. */
static int wait_for_child(void) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  on_signal(SIGCHLD, handle, 0);
  const pid_t child = fork();
  if (child == 0) {
    for (volatile int i = 0; i < 3000000; i++) continue;
    _exit(0);
  }
  sigsuspend(&before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return waitpid(child, NULL, 0) == child;
}
/* Children of which no signal, and no end, is reported. */
static void silent_children(void) {
  int status;
  on_signal(SIGCHLD, handle, SA_NOCLDSTOP);
  const pid_t child = fork();
  if (child == 0) raise(SIGSTOP), _exit(0);
  waitpid(child, &status, WUNTRACED);
  const int stopped = handled + handled_elsewhere;
  kill(child, SIGCONT);
  while (waitpid(child, &status, 0) < 0) continue;
  printf("alone: %d stopped, %d ended\n", stopped, handled + handled_elsewhere);
  on_signal(SIGCHLD, handle, SA_NOCLDWAIT);
  if (fork() == 0) _exit(0);
  int result;
  while ((result = wait(&status)) < 0 && errno == EINTR) continue;
  printf("alone: %d, %s\n", result, strerror(errno));
  on_signal(SIGCHLD, handle, 0);
}
static void only_thread(void) {
  on_signal(SIGALRM, handle, 0);
  const struct itimerval soon = {.it_value = {.tv_usec = 1000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  pause();
  setitimer(ITIMER_REAL, &soon, NULL);
  int good = 0;
  sleep_long(&good);
  printf("alone: handled %d, nanosleep: %d\n", handled + handled_elsewhere, good);
  printf("alone: %d child\n", wait_for_child());
  handled = handled_elsewhere = 0;
  silent_children();
  handled = handled_elsewhere = 0;
}
static void *pause_once(void *argument) {
  (void)argument;
  pause();
  return strerror(errno);
}
static void signals_to_threads(void) {
  sem_init(&woken, 0, 0);
  for (int restarts = 0; restarts < 2; restarts++) {
    on_signal(SIGUSR1, handle, restarts ? SA_RESTART : 0);
    expected = start(wait_on_semaphore, NULL);
    pause_for(20000000);
    pthread_kill(expected, SIGUSR1);
    pause_for(20000000);
    if (restarts) sem_post(&woken);
    printf("sem_wait %s a restart: %s\n", restarts ? "with" : "without", (char *)join(expected));
    if (pipe(pipe_ends) != 0) return;
    expected = start(read_pipe, "read");
    pause_for(20000000);
    pthread_kill(expected, SIGUSR1);
    pause_for(20000000);
    if (restarts) (void)!write(pipe_ends[1], "x", 1);
    printf("read %s a restart: %s\n", restarts ? "with" : "without", (char *)join(expected));
  }
  int good = 0;
  expected = start(sleep_long, &good);
  pause_for(20000000);
  pthread_kill(expected, SIGUSR1);
  join(expected);
  expected = start(pause_once, NULL);
  pause_for(20000000);
  pthread_kill(expected, SIGUSR1);
  const char *const paused = join(expected);
  printf("nanosleep: %d, pause: %s, handled %d, elsewhere %d\n", good, paused, handled, handled_elsewhere);
  expected = pthread_self();
  raise(SIGUSR1);
  printf("raise: handled %d, elsewhere %d\n", handled, handled_elsewhere);
}
static void *wait_for_signals(void *argument) {
  static int taken[3];
  (void)argument;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigaddset(&set, SIGALRM);
  sigaddset(&set, SIGRTMIN);
  for (int i = 0; i < 3; i++) {
    siginfo_t info;
    const int number = sigwaitinfo(&set, &info);
    taken[number == SIGUSR2 ? 0 : number == SIGALRM ? 1 : 2] += number == SIGRTMIN ? info.si_value.sival_int : 1;
  }
  const struct timespec short_time = {0, 1000000};
  if (sigtimedwait(&set, NULL, &short_time) != -1 || errno != EAGAIN) taken[0] = -1;
  return taken;
}
static void signals_to_the_process(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigaddset(&set, SIGALRM);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t waiter = start(wait_for_signals, NULL);
  kill(getpid(), SIGUSR2);
  sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 42});
  alarm(1);
  const int *taken = join(waiter);
  printf("sigwaitinfo: %d %d %d\n", taken[0], taken[1], taken[2]);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  // An alarm while every thread waits.
  on_signal(SIGALRM, handle, 0);
  handled = handled_elsewhere = 0;
  alarm(1);
  pause();
  printf("alarm: handled %d\n", handled + handled_elsewhere);
}
static sem_t expired;
static void expire(union sigval value) {
  (void)value;
  sem_post(&expired);
}
static void timer_threads(void) {
  sem_init(&expired, 0, 0);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expire};
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) perror("timer_create");
  struct itimerspec times = {{0, 2000000}, {0, 1000000}};
  timer_settime(timer, 0, &times, NULL);
  for (int i = 0; i < 3; i++) sem_wait(&expired);
  timer_delete(timer);
  puts("timer threads: 3");
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  event.sigev_notify = SIGEV_SIGNAL, event.sigev_signo = SIGUSR2;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  times.it_value = times.it_interval = (struct timespec){0, 10000000};
  timer_settime(timer, 0, &times, NULL);
  pause_for(55000000);
  siginfo_t info;
  sigwaitinfo(&blocked, &info);
  printf("overruns: %d %d\n", info.si_overrun, timer_getoverrun(timer));
  timer_delete(timer);
  stack_t both = {.ss_flags = SS_ONSTACK | SS_DISABLE};
  printf("sigaltstack: %d\n", sigaltstack(&both, NULL));
}
static void *cancelled(void *argument) {
  (void)argument;
  for (;;) pause();
}
static void cancellation(void) {
  pthread_t thread = start(cancelled, NULL);
  pause_for(20000000);
  pthread_cancel(thread);
  printf("cancelled: %d\n", join(thread) == PTHREAD_CANCELED);
}

// ---- CPU time ----

static long cpu_time(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}
static void *read_cpu_time(void *argument) {
  pthread_barrier_wait(argument);
  return (void *)(long)(cpu_time(CLOCK_THREAD_CPUTIME_ID) < 500000);
}
static void cpu_times(void) {
  const long begin = cpu_time(CLOCK_PROCESS_CPUTIME_ID);
  while (cpu_time(CLOCK_PROCESS_CPUTIME_ID) < begin + 1000000) continue;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t thread = start(read_cpu_time, &barrier);
  const long before = cpu_time(CLOCK_PROCESS_CPUTIME_ID);
  pause_for(20000000);
  const int idle = cpu_time(CLOCK_PROCESS_CPUTIME_ID) - before < 10000000;
  clockid_t clock;
  pthread_getcpuclockid(thread, &clock);
  const int other = cpu_time(clock) < 500000;
  pthread_barrier_wait(&barrier);
  printf("CPU time: thread %d, other thread %d, idle %d\n", (int)(long)join(thread), other, idle);
}

// ---- processes ----

static void *fork_in_thread(void *argument) {
  (void)argument;
  int ends[2];
  if (pipe(ends) != 0) return NULL;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    // The child has one thread, and may create others.
    const long sum = (long)join(start(store_local, (void *)3)) + (gettid() == getpid());
    char digit = (char)('0' + sum);
    _exit(write(ends[1], &digit, 1) == 1 ? 5 : 6);
  }
  char digit = 0;
  if (read(ends[0], &digit, 1) != 1) puts("read failed");
  int status = 0;
  waitpid(child, &status, 0);
  return (void *)(long)(WEXITSTATUS(status) * 10 + digit - '0');
}
static atomic_int stop_computing;
static void *compute(void *argument) {
  (void)argument;
  while (!atomic_load(&stop_computing)) {
  }
  return NULL;
}
static void *hold_until_forked(void *argument) {
  pthread_mutex_lock(argument);
  pause_for(3000000);
  pthread_mutex_unlock(argument);
  return NULL;
}
static void forks(void) {
  pthread_t other = start(compute, NULL), holder = start(hold_until_forked, &plain);
  pthread_t forking = start(fork_in_thread, NULL);
  const long result = (long)join(forking);
  atomic_store(&stop_computing, 1);
  join(other), join(holder);
  printf("fork: %ld\n", result);
  pthread_t paused = start(cancelled, NULL);
  printf("fork: %d child\n", wait_for_child());
  pthread_cancel(paused);
  join(paused);
}

// ---- many ----

static void *number(void *argument) { return argument; }
static void *wait_at_barrier(void *argument) {
  pthread_barrier_wait(argument);
  return (void *)1;
}
static void many(void) {
  long sum = 0;
  for (long i = 0; i < 3000; i++) sum += (long)join(start(number, (void *)i));
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  static pthread_t threads[1500];
  pthread_barrier_init(&barrier, NULL, 1501);
  int created = 0;
  for (int i = 0; i < 1500; i++) created += pthread_create(&threads[i], &small, wait_at_barrier, &barrier) == 0;
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < created; i++) join(threads[i]);
  printf("many: %ld, %d at the same time\n", sum, created);
}

static void *exit_process(void *argument) {
  pause_for(1000000);
  exit((int)(long)argument);
}
static void *end_last(void *argument) {
  (void)argument;
  pause_for(1000000);
  puts("the last thread ends");
  return NULL;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } parts[] = {{"alone", only_thread},
               {"storage", storage},       {"robust", robust_mutexes}, {"inheriting", inheriting_mutexes},
               {"timeouts", timeouts},     {"turns", turns},           {"barriers", barriers},
               {"spinning", spinning},     {"threads", signals_to_threads},
               {"process", signals_to_the_process},                    {"timers", timer_threads},
               {"cancellation", cancellation}, {"CPU", cpu_times},      {"forks", forks},
               {"many", many}};
  setvbuf(stdout, NULL, _IOLBF, 0);
  make(&inherits, 0, PTHREAD_PRIO_INHERIT);
  for (int i = 1; i < argc; i++) {
    for (unsigned part = 0; part < sizeof parts / sizeof *parts; part++)
      if (strcmp(argv[i], parts[part].name) == 0) parts[part].run();
    if (strcmp(argv[i], "exit") == 0) start(compute, NULL), start(exit_process, (void *)9), pause();
    if (strcmp(argv[i], "leave") == 0) start(end_last, NULL), pthread_exit(NULL);
    if (strcmp(argv[i], "crash") == 0) start(compute, NULL), raise(SIGSEGV);
  }
}
