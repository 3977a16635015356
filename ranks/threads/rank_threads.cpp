// SPDX-License-Identifier: Apache-2.0
#include "ranks/threads/rank_threads.h"

#include <fmt/format.h>

#include <algorithm>

#include "ranks/threads/keys.h"

namespace psim::net {

namespace {
// Thread names of programs: no addresses, and equal in every run.
constexpr pthread_t kNames = 0x7073000000000000;
}  // namespace

RankThreads::RankThreads(Host& host, ThreadRunner& runner, ThreadCoroutine main)
    : host_(host), runner_(runner) {
  all_.push_back(std::make_unique<Thread>());
  running_ = all_.back().get();
  running_->coroutine = main;
}

Thread& RankThreads::start(void* (*function)(void*), void* argument, Bytes stack, bool detached) {
  const auto number = static_cast<std::uint32_t>(all_.size());
  all_.push_back(std::make_unique<Thread>());
  Thread& thread = *all_.back();
  thread.number = number;
  thread.coroutine = runner_.take_coroutine(stack);
  thread.function = function;
  thread.argument = argument;
  thread.detached = detached;
  ++alive_;
  ready_.push_back(&thread);
  return thread;
}

void RankThreads::run() { finish(running_->function(running_->argument)); }

void RankThreads::finish(void* result) {
  Thread& me = *running_;
  auto& at_exit = me.number == 0 ? running_rank->libc().at_thread_exit : me.at_exit;
  while (!at_exit.empty()) {
    const LibcState::AtExit last = at_exit.back();
    at_exit.pop_back();
    last.function(last.argument);
  }
  destroy_values_of_keys();
  me.result = result;
  me.ended = true;
  --alive_;
  wake(&me);
  if (alive_ == 0) running_rank->exit(0, true);
  news();
  Thread& following = next();
  if (me.detached) last_ended_ = std::move(all_[me.number]);
  running_ = &following;
  runner_.leave_thread(me);
  __builtin_unreachable();  // gcc does not see [[noreturn]] through a virtual call
}

Thread* RankThreads::find(pthread_t name) const {
  if (name > kNames && name < kNames + all_.size()) return all_[name - kNames].get();
  return name == ::pthread_self() ? all_[0].get() : nullptr;
}

// The first thread keeps the name from before the others were started.
pthread_t RankThreads::name(const Thread& thread) const {
  return thread.number == 0 ? ::pthread_self() : kNames + thread.number;
}

void RankThreads::forget(Thread& thread) { all_[thread.number].reset(); }

/// Lets threads in run_others() test their conditions again.
void RankThreads::news() {
  ready_.insert(ready_.end(), testing_.begin(), testing_.end());
  testing_.clear();
  expire();
}

std::uint64_t RankThreads::earliest() const {
  std::uint64_t time = kNever;
  for (const Thread* thread : waiting_) time = std::min(time, thread->deadline);
  return time;
}

void RankThreads::expire() {
  for (std::uint64_t now = this->now(); earliest() <= now;)
    wake(**std::ranges::find_if(waiting_, [&](const Thread* thread) { return thread->deadline <= now; }),
         Woken::TimedOut);
}

void RankThreads::switch_to(Thread& thread) {
  Thread& me = *running_;
  if (&thread == &me) return;
  running_ = &thread;
  runner_.switch_thread(me);
}

/// Returns the next thread to run. To be called when no thread is in run_others().
Thread& RankThreads::next() {
  while (ready_.empty()) {
    const std::uint64_t time = earliest();
    if (time == kNever)
      host_.block();  // forever
    else
      host_.compute(Picoseconds{static_cast<std::int64_t>(time - now())});
    expire();
  }
  Thread& first = *ready_.front();
  ready_.pop_front();
  return first;
}

RankThreads::Woken RankThreads::wait(const void* what, const char* call, std::uint64_t deadline,
                                     bool can_cancel) {
  Thread& me = *running_;
  if (can_cancel && me.cancelled && me.cancels) return Woken::Cancelled;
  me.waits_for = what;
  me.call = call;
  me.deadline = deadline;
  me.can_cancel = can_cancel;
  locks_ = 0;
  waiting_.push_back(&me);
  news();
  switch_to(next());
  return me.woken;
}

Thread* RankThreads::waiting(const void* what) const {
  const auto found =
      std::ranges::find_if(waiting_, [&](const Thread* thread) { return thread->waits_for == what; });
  return found == waiting_.end() ? nullptr : *found;
}

void RankThreads::wake(Thread& thread, Woken woken) {
  if (std::erase(waiting_, &thread) == 0) return;
  thread.woken = woken;
  thread.deadline = kNever;
  ready_.push_back(&thread);
}

std::uint32_t RankThreads::wake(const void* what, std::uint32_t most) {
  std::uint32_t count = 0;
  for (Thread* thread; count < most && (thread = waiting(what)) != nullptr; ++count) wake(*thread);
  return count;
}

void RankThreads::yield_thread() {
  locks_ = 0;
  news();
  if (ready_.empty()) return;
  ready_.push_back(running_);
  switch_to(next());
}

void RankThreads::yield(Picoseconds round) {
  if (alive_ == 1) return;
  if (++yields_ >= alive_) {
    yields_ = 0;
    host_.sleep(round);
  }
  yield_thread();
}

// The thread looks at the words after each round instead of running its loop, which would take processor time
// until the next interruption.
void RankThreads::wait_for_change(std::span<const WatchedWord> words,
                                  bool (*unchanged)(std::span<const WatchedWord>)) {
  constexpr std::uint64_t kShortest = 100'000, kLongest = 1'000'000;  // ps, of a round
  const std::uint64_t from = now();
  do {
    if (runs_alone() && earliest() == kNever) return host_.watch(words);
    const std::uint64_t round = std::clamp((now() - from) / 64, kShortest, kLongest);
    const std::uint64_t left = std::max(earliest(), now()) - now();
    yield(Picoseconds{static_cast<std::int64_t>(std::min(round, left))});
  } while (unchanged(words));
}

void RankThreads::lock_taken() {
  constexpr std::uint32_t kMany = 100;
  if (++locks_ >= kMany) yield(Picoseconds{1'000'000});  // 10 ns each
}

bool RankThreads::run_others(bool is_new, const ThreadCondition&) {
  is_new ? news() : expire();
  if (ready_.empty()) return false;
  testing_.push_back(running_);
  switch_to(next());
  return true;
}

Picoseconds RankThreads::timer() {
  const std::uint64_t time = earliest();
  if (time == kNever || (time == armed_ && armed_ > now())) return Picoseconds{0};
  armed_ = time;
  return Picoseconds{static_cast<std::int64_t>(time - now())};
}

std::string RankThreads::waiting() const {
  std::string text;
  for (const Thread* thread : waiting_)
    text += fmt::format("{}thread {}: {}", text.empty() ? "" : "; ", thread->number, thread->call);
  return text;
}

}  // namespace psim::net
