// SPDX-License-Identifier: Apache-2.0
// Signals: which thread takes one, handlers, and those that end the program.
#include "guest/process.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>

#include "base/console.h"
#include "guest/fault_report.h"
#include "guest/signal_frame.h"

namespace psim::isa {

void Process::interrupt(Thread& thread) {
  if (thread.polls) return threads.resume(thread, clock.core_cycles());  // its call interrupts itself
  Thread& before = threads.current();
  switch_to(thread);
  CallResult result = CallResult::fail(EINTR);
  if (thread.awaited != 0) {
    if (const auto info = signals.take_of(thread.awaited)) {
      result = static_cast<std::uint64_t>(info->number);
      if (thread.awaited_at != 0 && !write_siginfo(memory, thread.awaited_at, *info))
        result = CallResult::fail(EFAULT);
    }
    signals.end_temporary_mask();
    thread.awaited = 0;
  }
  if (thread.left_at != 0) {
    const std::uint64_t left = thread.sleep_end - std::min(thread.sleep_end, clock.now());
    memory.store(thread.left_at, left / SimulatedClock::kSecond);
    memory.store(thread.left_at + 8, left % SimulatedClock::kSecond);
  }
  set_result(executor.state(), result);
  switch_to(before);
  threads.resume(thread, clock.core_cycles());
}

void Process::hand_out_signals() {
  if (!threaded() || !signals.any_pending()) return;
  Thread& before = threads.current();
  std::uint64_t taken = 0;  // signals that a ready thread takes when it runs
  for (const auto& thread : threads.all())
    if (thread->state == Thread::State::Ready) {
      switch_to(*thread);
      taken |= signals.pending() & ~signals.blocked();
    }
  for (const auto& thread : threads.all()) {
    if (thread->state != Thread::State::Futex && thread->state != Thread::State::Asleep) continue;
    switch_to(*thread);
    const std::uint64_t own = signals.pending_for_thread();
    const std::uint64_t pending = (signals.pending() & ~(taken & ~own)) & ~signals.blocked();
    if (pending == 0) continue;
    interrupt(*thread);
    taken |= pending;
  }
  switch_to(before);
}

void Process::await_signal(std::uint64_t set, std::uint64_t until, std::uint64_t address) {
  Thread& thread = threads.current();
  thread.awaited = set, thread.awaited_at = address;
  signals.block_temporarily(signals.blocked() & ~set);
  threads.sleep(cycle(), until == SimulatedClock::kNever ? Threads::kNever : clock.core_cycles_at(until));
}

bool Process::gather_signals() {
  timers.fire(signals);
  if (HostSignals::any())
    host_signals.collect(
        signals, start.identity.user,
        [](void* self, int host) { return static_cast<Process*>(self)->family.guest_of(host); }, this);
  return signals.deliverable();
}

void Process::deliver_signals(const CallRestart* restart) {
  while (!ending_) {
    const std::optional<SignalInfo> info = signals.take();
    if (!info) break;
    if (signals.ignored(info->number)) continue;
    if (signals.has_handler(info->number)) {
      if (restart && (signals.action(info->number).flags & kSaRestart)) {
        CpuState& state = executor.state();
        state.pc = restart->pc, state.npc = restart->npc, state.r[8] = restart->o0;
      }
      restart = nullptr;
      if (!push_signal_frame(memory, executor, signals, *info)) {
        report_once("frame", fmt::format("no stack for the handler of {}", sig::name(info->number)));
        die(sig::kSegv);
      }
      if (family.has_others()) host_signals.follow_mask(signals.blocked());
      continue;
    }
    switch (sig::default_action(info->number)) {
      case sig::Default::Stop:
        ::raise(sig::to_host(info->number));  // stops psim, visibly to psim's and the guest's parent
        break;
      case sig::Default::Terminate:
        if (sig::dumps_core(info->number)) report_death(info->number, "not handled by the program");
        die(info->number);
        break;
      default:
        break;
    }
  }
}

std::string Process::source_of(std::uint64_t pc) const {
  return describe_source(SourceMap(program_path_, load_bias_), pc);
}

void Process::report_death(int number, const std::string& what, const std::string& remedy) {
  executor.flush_windows();
  const CpuState& state = executor.state();
  const SourceMap sources(program_path_, load_bias_);
  const std::string text =
      fmt::format("psim: {}: {} at PC {:#x}{}{}{}{}\n", sig::name(number), what, state.pc,
                  instruction_text(memory, state.pc), describe_source(sources, state.pc),
                  remedy.empty() ? "" : "; ", remedy) +
      describe_callers(sources, memory, state);
  console::log_text(text);
}

void Process::report_handled(const Fault& fault, const FaultDescription& description) {
  if (!reported_.insert(fmt::format("fault {} {:#x}", static_cast<int>(fault.kind), fault.pc)).second) return;
  console::log("psim: {}: {} at PC {:#x}{}{}{}{}; the program's handler gets the signal\n",
               sig::name(description.signal.number), description.text, fault.pc,
               instruction_text(memory, fault.pc), source_of(fault.pc),
               description.remedy.empty() ? "" : "; ", description.remedy);
}

void Process::force_signal(const SignalInfo& info, const std::string& what, const std::string& remedy) {
  update_clock();
  if (handles(info.number)) {
    if (push_signal_frame(memory, executor, signals, info)) {
      update_deadline();
      return;
    }
    console::log("psim: no stack for the handler of {}\n", sig::name(info.number));
  }
  report_death(info.number, what, remedy);
  die(info.number);
}

bool Process::fault(CpuState& state, const Fault& fault) {
  const FaultDescription description = describe_fault(memory, executor, fault);
  (void)state;
  // The handlers of Fortran's library print no reason, and a program can hardly find out the PEs' values.
  if (description.of_simd && handles(description.signal.number)) report_handled(fault, description);
  force_signal(description.signal, description.text, description.remedy);
  return alive();
}

}  // namespace psim::isa
