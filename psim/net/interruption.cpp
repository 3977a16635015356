// SPDX-License-Identifier: Apache-2.0
#include "psim/net/interruption.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <ctime>
#include <initializer_list>
#include <string_view>

#include "ranks/libc/libc_state.h"

namespace psim {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGVTALRM};
constexpr int kPatience = 5;       // ticks (seconds) after a rank was abandoned
constexpr int kMostPatience = 60;  // while ranks keep taking turns
// ns. A second signal within this time counts as the same one: `timeout` of coreutils sends to the process
// and then to its group.
constexpr std::int64_t kOneSignal = 500'000'000;

// The signal of a timer. Programs are unlikely to use it.
int tick_signal() { return SIGRTMAX - 1; }

volatile std::sig_atomic_t received = 0;
std::int64_t received_at = 0;  // ns
timer_t timer;
pthread_t simulating;
long process = 0;  // that catches the signals; copies of it (fork) have other numbers
int ticks = 0, ticks_since_left = 0;
std::uint64_t last_turn = 0;
bool left = false;

void set_timer(long seconds) {
  itimerspec time{};
  time.it_value.tv_sec = time.it_interval.tv_sec = seconds;
  ::timer_settime(timer, 0, &time, nullptr);
}

// Prints by system calls only: the interrupted code may hold any lock.
void say(std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) ::syscall(SYS_write, 2, word.data(), word.size());
}

// Takes the default action of a signal once its handler returns.
void end_by(int signal) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal, &action, nullptr);
  ::syscall(SYS_kill, ::syscall(SYS_getpid), signal);
}

// Returns true if the signal is that of a timer and interrupts nothing: a child's timer, or a further period.
bool is_no_news(int signal) {
  if (signal != SIGALRM && signal != SIGVTALRM) return false;
  if (::syscall(SYS_getpid) != process) {
    end_by(signal);
    return true;
  }
  if (received == 0)
    say({"psim: ", signal == SIGALRM ? "SIGALRM" : "SIGVTALRM",
         " ends the run: a timer that a rank set (alarm, setitimer, timer_create) has expired, and the "
         "program does not handle its signal\n"});
  return received != 0;
}

void note(int signal) {
  if (is_no_news(signal)) return;
  timespec time{};
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  const std::int64_t now = time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
  if (received == 0) {
    received = signal;
    received_at = now;
    return set_timer(1);
  }
  if (now - received_at < kOneSignal) return;
  end_by(signal);
}

std::string_view digits(std::uint64_t number, std::array<char, 24>& room) {
  const auto end = std::to_chars(room.data(), room.data() + room.size(), number).ptr;
  return {room.data(), static_cast<std::size_t>(end - room.data())};
}

[[noreturn]] void end_at_once() {
  say({"psim: ended at once, without results: neither a rank nor the simulation reacted to the signal\n"});
  ::syscall(SYS_exit_group, Interruption::status());
  __builtin_unreachable();
}

// Runs while the run has not checked for the signal. A rank whose turn lasts over two ticks computes or waits
// outside of psim. It is abandoned as if it had called _exit, and the run ends with the results that it has.
void tick(int signal) {
  if (::pthread_equal(::pthread_self(), simulating) == 0) {
    ::pthread_kill(simulating, signal);
    return;
  }
  if (++ticks > kMostPatience || (left && ++ticks_since_left > kPatience)) end_at_once();
  net::RunningRank* rank = net::running_rank;
  if (rank == nullptr || rank->turns() != last_turn) {
    last_turn = rank != nullptr ? rank->turns() : 0;
    return;
  }
  std::array<char, 24> number;
  say({"psim: rank ", digits(rank->number(), number),
       " does not react to the signal (it has made no call for a while): it is abandoned\n"});
  left = true;
  ticks_since_left = 0;
  rank->exit(128 + received, false);  // the timer goes on, which status() would stop
}

}  // namespace

Interruption::Interruption() {
  received = 0;
  ticks = ticks_since_left = 0;
  last_turn = 0;
  left = false;
  simulating = ::pthread_self();
  process = ::syscall(SYS_getpid);
  struct sigaction action {};
  action.sa_handler = tick;
  action.sa_flags = SA_RESTART | SA_ONSTACK | SA_NODEFER;
  ::sigaction(tick_signal(), &action, &before_tick_);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = tick_signal();
  ::timer_create(CLOCK_MONOTONIC, &event, &timer);
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &before_[i]);
}

Interruption::~Interruption() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  ::timer_delete(timer);
  ::sigaction(tick_signal(), &before_tick_, nullptr);
}

int Interruption::signal() {
  if (received != 0) set_timer(0);
  return received;
}

}  // namespace psim
