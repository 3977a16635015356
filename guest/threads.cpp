// SPDX-License-Identifier: Apache-2.0
#include "guest/threads.h"

#include <algorithm>

namespace psim::isa {

Threads::Threads(const ThreadPlacement& placement, std::uint32_t first_id)
    : placement_(placement), first_id_(first_id), cores_(placement.cores) {
  threads_.push_back(std::make_unique<Thread>());
  current_ = threads_.front().get();
  current_->id = first_id;
  cores_[0].running = current_;
}

Thread* Threads::find(std::uint32_t id) {
  const auto found = std::find_if(threads_.begin(), threads_.end(), [id](const auto& thread) {
    return thread->id == id && thread->state != Thread::State::Ended;
  });
  return found == threads_.end() ? nullptr : found->get();
}

bool Threads::others_wait() const {
  return std::all_of(threads_.begin(), threads_.end(), [this](const auto& thread) {
    return thread.get() == current_ || thread->state != Thread::State::Ready || thread->polls;
  });
}

bool Threads::any_polls_outside() const {
  return std::any_of(threads_.begin(), threads_.end(),
                     [](const auto& thread) { return thread->polls && thread->polls_outside; });
}

std::uint64_t Threads::next_wake() const {
  std::uint64_t next = kNever;
  for (const auto& thread : threads_)
    if (thread.get() != current_ && !thread->polls) next = std::min(next, thread->wake_at);
  return next;
}

std::uint64_t Threads::next_poll_end() const {
  std::uint64_t next = kNever;
  for (const auto& thread : threads_)
    if (thread->polls) next = std::min(next, thread->poll_end.value_or(kNever));
  return next;
}

bool Threads::any_ready() const {
  return std::any_of(threads_.begin(), threads_.end(),
                     [](const auto& thread) { return thread->state == Thread::State::Ready; });
}

Thread& Threads::create(std::size_t strand, std::uint64_t cycle) {
  constexpr std::uint32_t kBeyondProcesses = 100'000;  // so that no thread has the number of a process
  const auto number = static_cast<std::uint32_t>(threads_.size());
  Thread& thread = *threads_.emplace_back(std::make_unique<Thread>());
  thread.id = first_id_ + kBeyondProcesses + number;
  thread.core = number % placement_.cores;
  thread.strand = strand;
  ++live_;
  resume(thread, cycle);
  return thread;
}

void Threads::end_current(std::uint64_t cycle) {
  current_->computed = computed(*current_, cycle);
  current_->state = Thread::State::Ended;
  --live_;
}

std::uint64_t Threads::computed(const Thread& thread, std::uint64_t cycle) const {
  const bool runs = thread.state == Thread::State::Ready && cores_[thread.core].running == &thread;
  return thread.computed + (runs && cycle > thread.began ? cycle - thread.began : 0);
}

std::uint64_t Threads::computed(std::uint64_t cycle) const {
  std::uint64_t sum = 0;
  for (const auto& thread : threads_) sum += computed(*thread, cycle);
  return sum;
}

void Threads::keep_current(std::uint32_t id, std::uint64_t cycle) {
  std::erase_if(threads_, [this](const auto& thread) { return thread.get() != current_; });
  first_id_ = current_->id = id;
  current_->core = 0;
  current_->began = cycle, current_->computed = 0;
  current_->robust_list = current_->robust_list_bytes = 0;
  live_ = 1;
  futexes_.clear();
  for (Core& core : cores_) core = {};
  cores_[0].running = current_;
}

void Threads::wake_due(Core& core, std::uint64_t cycle) {
  if (cycle < core.next_wake) return;
  core.next_wake = kNever;
  for (std::size_t i = 0; i < core.waiting.size();) {
    Thread& thread = *core.waiting[i];
    if (thread.wake_at > cycle) {
      core.next_wake = std::min(core.next_wake, thread.wake_at);
      ++i;
      continue;
    }
    const bool futex = thread.state == Thread::State::Futex;
    if (futex) std::erase(futexes_, &thread);
    thread.state = Thread::State::Ready;
    thread.ready_at = thread.began = thread.wake_at;
    thread.wake_at = kNever;
    core.waiting.erase(core.waiting.begin() + static_cast<std::ptrdiff_t>(i));
    if (&thread != core.running) core.queue.push_back(&thread);
    if (on_timeout) on_timeout(thread, futex);
  }
}

Threads::Choice Threads::choose(std::uint32_t number, std::uint64_t cycle, bool empty) {
  Core& core = cores_[number];
  wake_due(core, cycle);
  const auto ready = std::find_if(core.queue.begin(), core.queue.end(),
                                  [cycle](const Thread* thread) { return thread->ready_at <= cycle; });
  Thread* const now = core.running;
  const bool runs = now != nullptr && now->state == Thread::State::Ready;
  if (ready == core.queue.end() || (runs && cycle < core.slice_end)) {
    if (runs && std::max(core.from, now->ready_at) <= cycle) return {now};
    std::uint64_t retry = runs ? std::max(core.from, now->ready_at) : kNever;
    if (!runs)
      for (const Thread* thread : core.queue) retry = std::min(retry, thread->ready_at);
    for (const Thread* thread : core.waiting) retry = std::min(retry, thread->wake_at);
    return {nullptr, false, retry};
  }
  if (!empty) return {nullptr, true, cycle};
  Thread* const next = *ready;
  core.queue.erase(ready);
  if (runs) {
    now->computed = computed(*now, cycle);
    now->ready_at = cycle;
    core.queue.push_back(now);
  }
  // A thread that begins on an idle core pays no switch: its wake-up is charged already.
  core.from = cycle + (now == nullptr ? 0 : placement_.switch_cycles);
  core.running = next;
  next->began = core.from;
  core.slice_end = core.from + placement_.slice_cycles;
  return core.from <= cycle ? Choice{next} : Choice{nullptr, false, core.from};
}

std::uint64_t Threads::next_other(std::uint32_t number, std::uint64_t cycle) const {
  const Core& core = cores_[number];
  std::uint64_t first = core.next_wake;
  for (const Thread* thread : core.queue) first = std::min(first, thread->ready_at);
  return std::max(first, cycle);
}

std::uint64_t Threads::turn_end(std::uint32_t number) const {
  const Core& core = cores_[number];
  std::uint64_t ready = kNever;
  for (const Thread* thread : core.queue) ready = std::min(ready, thread->ready_at);
  return std::min(core.next_wake, ready == kNever ? kNever : std::max(ready, core.slice_end));
}

void Threads::yield() { cores_[current_->core].slice_end = 0; }

void Threads::wait(std::uint64_t address, std::uint32_t bits, std::uint64_t cycle, std::uint64_t until) {
  current_->futex = address, current_->bits = bits;
  sleep(cycle, until);
  current_->state = Thread::State::Futex;
  futexes_.push_back(current_);
}

void Threads::sleep(std::uint64_t cycle, std::uint64_t until) {
  current_->computed = computed(*current_, cycle);
  current_->state = Thread::State::Asleep;
  current_->wake_at = until;
  if (until == kNever) return;
  Core& core = cores_[current_->core];
  core.waiting.push_back(current_);
  core.next_wake = std::min(core.next_wake, until);
}

void Threads::resume(Thread& thread, std::uint64_t cycle) {
  Core& core = cores_[thread.core];
  std::erase(core.waiting, &thread);
  std::erase(futexes_, &thread);
  thread.state = Thread::State::Ready;
  thread.wake_at = kNever;
  thread.ready_at = thread.began = cycle + placement_.wake_cycles;
  if (&thread == core.running) {
    core.from = std::max(core.from, thread.ready_at);
  } else {
    core.queue.push_back(&thread);
  }
  if (on_ready) on_ready(thread.core, thread.ready_at);
}

std::uint64_t Threads::wake(std::uint64_t address, std::uint64_t count, std::uint32_t bits,
                            std::uint64_t cycle) {
  std::uint64_t woken = 0;
  for (std::size_t at = 0; at < futexes_.size() && woken < count;) {
    Thread& thread = *futexes_[at];
    if (thread.futex != address || (thread.bits & bits) == 0) {
      ++at;
      continue;
    }
    resume(thread, cycle);  // it leaves the list
    ++woken;
  }
  return woken;
}

std::uint64_t Threads::requeue(std::uint64_t address, std::uint64_t count, std::uint64_t to) {
  std::uint64_t moved = 0;
  for (Thread* thread : futexes_)
    if (moved < count && thread->futex == address) thread->futex = to, ++moved;
  return moved;
}

Thread* Threads::waiter(std::uint64_t address) {
  const auto found = std::find_if(futexes_.begin(), futexes_.end(),
                                  [address](const Thread* thread) { return thread->futex == address; });
  return found == futexes_.end() ? nullptr : *found;
}

void Threads::notify_all(std::uint64_t cycle) {
  if (!on_ready) return;
  for (std::uint32_t core = 0; core < placement_.cores; ++core) on_ready(core, cycle);
}

}  // namespace psim::isa
