// SPDX-License-Identifier: Apache-2.0
// The end of a thread, and of all of them in a deadlock.
#include "guest/process.h"

#include <fmt/format.h>

#include "base/console.h"
#include "guest/fault_report.h"

namespace psim::isa {

void Process::exit_thread(int status) {
  const bool leader = &threads.current() == &threads.leader();
  if (leader) leader_status_ = status;
  if (threads.live() == 1) return exit(leader_status_);
  release_robust_futexes();
  Thread& thread = threads.current();
  threads.end_current(cycle());
  executor.release_strand(thread.strand);
  // Threads that join wait for this word.
  if (thread.clear_child_tid != 0 && memory.store<std::uint32_t>(thread.clear_child_tid, 0))
    threads.wake(thread.clear_child_tid, 1, ~std::uint32_t{0}, clock.core_cycles());
}

/// Marks the futexes that the current thread holds, and wakes one waiter of each: exit_robust_list() of
/// kernel/futex/core.c.
void Process::release_robust_futexes() {
  constexpr int kMost = 2048;  // ROBUST_LIST_LIMIT
  const std::uint64_t head = threads.current().robust_list;
  std::uint64_t entry, offset, pending;
  if (head == 0 || !memory.load(head, entry) || !memory.load(head + 8, offset) ||
      !memory.load(head + 16, pending))
    return;
  for (int n = 0; n < kMost && (entry & ~std::uint64_t{1}) != head; ++n) {
    const std::uint64_t held = entry;
    if (!memory.load(held & ~std::uint64_t{1}, entry)) break;
    if ((held ^ pending) > 1 && !release_robust_futex(held, offset, false)) break;
  }
  if (pending > 1) release_robust_futex(pending, offset, true);
}

/// Marks the futex of one entry, whose lowest bit stands for priority inheritance. `pending`: the thread was
/// about to take or to release it. Returns false if it is not accessible.
bool Process::release_robust_futex(std::uint64_t entry, std::uint64_t offset, bool pending) {
  using namespace futex_word;
  const bool inherits = entry & 1;
  const std::uint64_t address = (entry & ~std::uint64_t{1}) + offset;
  std::uint32_t word;
  if (address % 4 != 0 || !memory.load(address, word)) return false;
  const bool held = (word & kOwner) == threads.current().id;
  if (held && inherits) return release_pi_futex(address, kOwnerDied);
  if (held && !memory.store(address, (word & kWaiters) | kOwnerDied)) return false;
  if (held ? (word & kWaiters) != 0 : pending && word == 0)
    threads.wake(address, 1, ~std::uint32_t{0}, clock.core_cycles());
  return true;
}

bool Process::release_pi_futex(std::uint64_t address, std::uint32_t flags) {
  const Thread* const next = threads.waiter(address);
  threads.wake(address, 1, ~std::uint32_t{0}, clock.core_cycles());
  const std::uint32_t waiters = threads.waiter(address) != nullptr ? futex_word::kWaiters : 0;
  return memory.store(address, flags | (next == nullptr ? 0 : next->id | waiters));
}

bool Process::refuse_thread() {
  if (one_thread_.empty()) return false;
  ending_ = Ending{.code = kDeadlockStatus, .refusal = one_thread_};
  return true;
}

void Process::end_in_deadlock() {
  if (ending_) return;
  const SourceMap sources(program_path_, load_bias_);
  std::string where;
  console::log("psim: deadlock: every thread waits, and nothing can wake one\n");
  for (const auto& thread : threads.all()) {
    if (thread->state == Thread::State::Ended) continue;
    switch_to(*thread);
    executor.flush_windows();
    call_ = thread->call;
    const std::string here =
        fmt::format("thread {} on core {} waits in {}", thread->id, thread->core, position());
    console::log("psim: {}\n{}", here, describe_callers(sources, memory, executor.state()));
    where += (where.empty() ? "" : "; ") + here;
  }
  ending_ = Ending{false, kDeadlockStatus, where};
  threads.notify_all(clock.core_cycles());
}

}  // namespace psim::isa
