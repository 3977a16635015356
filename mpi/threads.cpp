// SPDX-License-Identifier: Apache-2.0
#include "mpi/threads.h"

#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "mpi/object/run_state.h"
#include "mpi/observe.h"

namespace psim::net::mpi {

namespace {

/// A thread in block_thread(). Threads of ended ranks stay in the list.
struct Waiting {
  std::uint32_t rank, thread;
  PendingCall call;
};
std::vector<Waiting>& waiting() {
  static RunState<std::vector<Waiting>> all;
  return all.value;
}

/// The main thread by rank, where it is not the rank's first thread.
std::map<std::uint32_t, std::uint32_t>& main_threads() {
  static RunState<std::map<std::uint32_t, std::uint32_t>> all;
  return all.value;
}

std::uint32_t running_thread() {
  const ThreadTurns* threads = library->host.threads();
  return threads != nullptr ? threads->number() : 0;
}

/// Runs other threads, or blocks the rank if there are none. Returns when the condition is to be tested
/// again; returns true if the rank was blocked.
bool wait_for_event(Rank& me, bool news, const ThreadCondition& condition) {
  if (library->host.threads()->run_others(news, condition)) return false;
  set_thread_timer(me);
  me.waiting = 1;
  me.watching = me.probing = true;
  me.blocked = true;
  library->host.block();
  me.watching = me.probing = false;
  return true;
}

}  // namespace

void set_thread_timer(const Rank& me) {
  if (const Picoseconds time = library->host.threads()->timer(); time.count() > 0)
    library->host.after(RankId{me.id}, time, kThreadTimer);
}

void Mpi::threads(RankId rank) {
  ranks[index(rank)].threaded = true;
  any_threads = true;
  update_calls_observed();
}

void block_thread(Rank& me, bool (*done)(void*), void* argument) {
  if (!me.deferred.empty()) progress(me);
  if (done(argument)) return;
  const std::uint32_t thread = running_thread();
  waiting().push_back({me.id, thread, me.pending});
  // Other threads run while this one waits; their computation is measured.
  const std::uint32_t calls = std::exchange(me.calls, 0);
  if (calls > 0) library->host.leave_call();
  for (bool news = true; !done(argument);) {
    news = wait_for_event(me, news, {done, argument});
    if (!me.deferred.empty()) progress(me);
  }
  if (calls > 0) library->host.enter_call(false);
  me.calls = calls;
  std::erase_if(waiting(), [&](const Waiting& one) { return one.rank == me.id && one.thread == thread; });
}

void wake_threads(Rank& rank) {
  if (!rank.blocked) return;
  rank.waiting = 0;
  wake(rank);
}

void describe_threads(const Mpi& mpi, const Rank& rank, const std::function<void(const char*)>& append) {
  for (const Waiting& one : waiting()) {
    if (one.rank != rank.id) continue;
    char text[256];
    const int used = std::snprintf(text, sizeof text, "thread %u: ", one.thread);
    mpi.describe_call(rank, one.call, text + used, sizeof text - static_cast<std::size_t>(used));
    append(text);
  }
}

void set_main_thread(const Rank& me) {
  main_thread = this_thread();
  if (const std::uint32_t thread = running_thread(); thread != 0) main_threads()[me.id] = thread;
}

bool is_main_thread(const Rank& me) {
  const auto found = main_threads().find(me.id);
  return running_thread() == (found == main_threads().end() ? 0 : found->second);
}

}  // namespace psim::net::mpi
