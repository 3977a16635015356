// SPDX-License-Identifier: Apache-2.0
#include "guest/process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "base/console.h"
#include "base/error.h"
#include "guest/initial_stack.h"  // flags

namespace psim::isa {

namespace {

// Instructions between two checks for signals from outside (some tens of milliseconds).
constexpr std::uint64_t kSlice = 1u << 23;

SandboxOptions sandbox_of(const ProcessOptions& options) {
  SandboxOptions sandbox = options.sandbox;
  sandbox.fixed_directory = options.fixed_start;
  return sandbox;
}

}  // namespace

Process::Process(ElfImage image, const ProcessOptions& options)
    : executor(memory, *this, options.fma, options.simd, options.words),
      clock(options.cycles_per_second),
      sandbox(sandbox_of(options)),
      start((options.fixed_start ? fixed_start : inherited_start)(options.arguments, options.environment,
                                                                  image.path, sandbox.start_directory())),
      files(options.fixed_start),
      random(options.seed),
      threads(options.threads, ProcessFamily::kFirst),
      working_directory(start.working_directory),
      stack_bytes(options.stack_bytes),
      umask(start.umask),
      program_path_(image.path),
      timed_(options.timed),
      may_execute_(options.may_execute),
      executable_(start.executable),
      on_chip_(options.timed && options.threads.cores > 1),
      one_thread_(options.one_thread) {
  limits[ResourceLimit::kStack].soft = stack_bytes;
  limits[ResourceLimit::kCore].soft = 0;
  limits[ResourceLimit::kFiles] = {FileTable::kLimit, FileTable::kLimit};
  limits[ResourceLimit::kProcesses] = {ProcessFamily::kMost, ProcessFamily::kMost};
  if (options.simd.pes != 0) flags_ |= kFlagSimdPes | options.memory_flags;
  if (!options.timed && !options.fixed_start) flags_ |= kFlagFunctional;
  begin(image, start.arguments, start.environment, start.file_name);
  update_deadline();
  executor.set_translation(options.translated_runs);
  host_signals.catch_terminating();
  signals.set_thread(threads.current().id);
  if (on_chip_) executor.order_atomics();
  threads.on_timeout = [this](Thread& thread, bool futex) {
    thread.restart.reset();
    if (!futex && thread.awaited == 0) return;
    switch_to(thread);
    if (thread.awaited != 0) signals.end_temporary_mask();
    thread.awaited = 0;
    set_result(executor.state(), CallResult::fail(futex ? ETIMEDOUT : EAGAIN));
  };
}

Process::~Process() = default;

bool Process::run(std::uint64_t instructions) {
  while (!ending_) {
    const std::uint64_t done = this->instructions();
    if (done >= instructions) return true;
    std::uint64_t most = std::min(kSlice, instructions - done);
    if (threads.several()) {
      most = std::min(most, begin_turn());
      if (most == 0) continue;
    }
    if (!executor.run(most)) break;
    if (executor.paused()) return true;
    if (HostSignals::any()) deliver_due();
  }
  return false;
}

bool Process::deliver_due() {
  update_clock();
  if (const std::uint64_t address = memory.take_lost_page()) {
    space.lose(address);
    force_signal({.number = sig::kBus, .code = sig::code::kNoObject, .address = address},
                 fmt::format("access to address {:#x}, which another process has cut off its file", address));
  }
  // A thread that repeats a call takes signals when the call waits again.
  if (gather_signals() && !threads.current().polls) {
    // A thread that was interrupted in its call has executed nothing since.
    const std::optional<CallRestart> call = std::exchange(threads.current().restart, {});
    deliver_signals(call && call->npc == executor.state().pc ? &*call : nullptr);
  }
  hand_out_signals();
  update_deadline();
  return alive();
}

/// Makes the thread whose turn it is the current one. Returns the instructions of its turn; 0: time has
/// passed instead, or the process has ended.
std::uint64_t Process::begin_turn() {
  update_clock();
  const ThreadTurns::Turn turn = turns_.next(local_cycle());
  if (turn.thread == nullptr) {
    let_time_pass(turn.until);
    return 0;
  }
  switch_to(*turn.thread);
  from_cycle_ = turn.from, from_instructions_ = executor.state().instructions;
  update_deadline();
  if (signals.deliverable() && !deliver_due()) return 0;
  return turn.until - turn.from;
}

void Process::update_clock() {
  if (!timed_) clock.set_core_cycles(local_cycle());
}

void Process::update_deadline() {
  // For a timed process, each step checks instead: its deadlines are cycles, not instructions.
  if (timed_) return;
  const std::uint64_t cycle = timers.next_core_cycle();
  if (cycle == SimulatedClock::kNever) {
    executor.set_deadline(cycle);
    return;
  }
  const unsigned __int128 left = cycle > from_cycle_ ? cycle - from_cycle_ : 0;
  const unsigned __int128 instructions = (left * kCyclePace + pace_ - 1) / pace_ + from_instructions_;
  executor.set_deadline(
      static_cast<std::uint64_t>(std::min<unsigned __int128>(instructions, SimulatedClock::kNever - 1)));
}

/// Lets a timed process run at `pace` from here on.
void Process::set_pace(std::uint64_t pace) {
  timed_ = false;
  from_cycle_ = clock.core_cycles(), from_instructions_ = executor.state().instructions, pace_ = pace;
  update_deadline();
}

bool Process::run_ahead(std::uint64_t instructions, std::uint64_t pace) {
  set_pace(pace);
  const bool lives = run(instructions);
  if (child_) run_child();
  update_clock();
  timed_ = true;
  executor.set_deadline(SimulatedClock::kNever);
  return lives;
}

void Process::run_child() {
  executor.set_warmer(nullptr);
  if (timed_) set_pace(kCyclePace);
  run(SimulatedClock::kNever);
  alive();
  std::abort();  // a child that has ended does not come back from alive()
}

bool Process::alive() {
  if (!ending_) return true;
  if (child_) {
    if (ending_->by_signal) die_by_signal(ending_->code);
    ::_exit(ending_->code);
  }
  return false;
}

void Process::exit(int status) {
  if (ending_) return;
  ending_ = Ending{false, status & 0xFF};
  threads.notify_all(clock.core_cycles());
}

void Process::die(int guest_signal) {
  if (ending_) return;
  ending_ = Ending{true, guest_signal};
  threads.notify_all(clock.core_cycles());
}

void Process::report_once(const std::string& key, const std::string& text) {
  if (reported_.insert(key).second) console::log("psim: {}\n", text);
}

}  // namespace psim::isa
