// SPDX-License-Identifier: Apache-2.0
// Threads of a rank in Processes: a rank's turn passes from one of its coroutines to another.
#include <fmt/format.h>
#include <sys/single_threaded.h>

#include <utility>

#include "ranks/libc/linked.h"
#include "ranks/processes.h"

namespace psim::net {

namespace {

[[gnu::used]] constexpr const char* kLinked[] = {
    &linked::conditions, &linked::descriptors,    &linked::exec,
    &linked::futexes,    &linked::locks,          &linked::loaded_objects,
    &linked::processes,  &linked::random_numbers, &linked::thread_functions};

}  // namespace

bool Processes::threads_for(const void* address) const {
  if (is_own(address)) return true;
  // The C++ library starts and joins threads on behalf of programs.
  static const CodeRange cxx = CodeRange::of_file("/libstdc++.so");
  return cxx.contains(address);
}

RankThreads& Processes::start_threads() {
  if (threads_.empty()) threads_.resize(config_.ranks);
  if (!threads_[current_]) {
    host_->catch_up();
    // Otherwise the C++ library would take a second thread at a static variable for a recursion.
    __libc_single_threaded = 0;
    if (fortran_) FortranLibrary::keep_running();
    threads_[current_] = std::make_unique<RankThreads>(*host_, static_cast<ThreadRunner&>(*this),
                                                       ThreadCoroutine{&fibers_, current_, config_.stack, 0});
    host_->start_threads();
  }
  return *threads_[current_];
}

void Processes::body_of_thread(void* self, std::uint32_t) { static_cast<Processes*>(self)->threads()->run(); }

std::uint32_t Processes::team_of(const Thread& thread) const {
  return thread.number == 0 ? thread.coroutine.fiber : config_.ranks + 1 + thread.coroutine.number;
}

Fibers::Outcome Processes::run_fibers(std::uint32_t rank, std::uint32_t fiber) {
  const bool threaded = !threads_.empty() && fiber == rank && threads_[rank] != nullptr;
  Thread* thread = threaded ? &threads_[rank]->running() : nullptr;  // null while there is only one
  for (;;) {
    const std::uint32_t team = thread == nullptr ? fiber : team_of(*thread);
    teams_.enter(team);
    active_ = thread == nullptr ? &fibers_ : thread->coroutine.fibers;
    const Fibers::Outcome outcome = active_->resume(thread == nullptr ? fiber : thread->coroutine.fiber);
    teams_.leave(team, outcome == Fibers::Outcome::Suspended);
    if (outcome == Fibers::Outcome::Crashed) [[unlikely]]
      note_crash(thread);
    else if (change_.from != nullptr) [[unlikely]] {
      thread = &change_thread(rank);
      continue;
    }
    active_ = nullptr;
    return outcome;
  }
}

Thread& Processes::change_thread(std::uint32_t rank) {
  Thread& last = *std::exchange(change_.from, nullptr);
  const bool over = std::exchange(change_.over, false);
  Thread& next = threads_[rank]->running();
  thread_locals_.exchange(globals_->image(rank), over ? nullptr : &last, next);
  if (over && last.number != 0) thread_coroutines_.give_back(last.coroutine);
  return next;
}

void Processes::note_crash(const Thread* thread) {
  crash_ = active_->crash();
  crashed_stack_ = thread == nullptr ? config_.stack : thread->coroutine.stack;
  crashed_thread_ =
      thread == nullptr || thread->number == 0 ? "" : fmt::format(" (thread {})", thread->number);
}

void Processes::switch_thread(Thread& last) {
  // A function that the library calls for the rank cannot wait: call() reports it.
  if (nested_call_.function == nullptr) change_ = {&last, false};
  suspend();
}

void Processes::leave_thread(Thread& last) {
  if (child_process::here) running_rank->exit(0, true);  // a copy of the process has no other thread
  change_ = {&last, true};
  active_->leave();
}

void Processes::end_threads(std::uint32_t rank) {
  if (threads_.empty() || !threads_[rank]) return;
  for (const auto& thread : threads_[rank]->all()) {
    if (!thread) continue;
    thread->coroutine.fibers->drop(thread->coroutine.fiber);
    const bool left = thread->ended && thread.get() != &threads_[rank]->running();
    if (thread->number != 0 && !left) thread_coroutines_.give_back(thread->coroutine);
  }
  threads_[rank].reset();
}

}  // namespace psim::net
