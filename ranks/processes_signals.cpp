// SPDX-License-Identifier: Apache-2.0
// Signal handlers that interrupt a rank's turn. They report long turns, look for waiting loops, and find
// whether the rank computes.
#include <fmt/format.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/console.h"
#include "ranks/crash_report.h"
#include "ranks/libc/crash_signals.h"
#include "ranks/libc/libc_caller.h"
#include "ranks/processes.h"
#include "ranks/spin/waiting_loop.h"

namespace psim::net {

namespace {

/// The object whose rank is to end its turn, between the handlers of the two signals.
Processes* ending_turn = nullptr;

}  // namespace

void Processes::report_death() {
  const RunningRank* rank =
      std::exchange(running_rank, nullptr);  // its output would wait for the end of the window
  std::fflush(nullptr);
  if (rank) console::log("psim: rank {}: the sanitizer ends the run\n", rank->number());
}

void Processes::report_long_turn(void* self, void* machine) {
  const auto& processes = *static_cast<Processes*>(self);
  if (processes.running() == Fibers::kNone) return;
  std::array<void*, 32> frames;
  const std::uint32_t count = crash_signals::unwind(machine, frames);
  // Names and lines need memory, and the rank may be within malloc: a copy of this process finds them.
  if (::fork() != 0) return;
  running_rank = nullptr;
  ::alarm(10);
  const std::string text =
      fmt::format("psim: rank {} has run for {} s of processor time without a call, {}\n", processes.number(),
                  processes.config_.patience.count(),
                  location(std::span(frames).first(count), processes.globals_->image(processes.running()),
                           processes.program_));
  _exit(::write(2, text.data(), text.size()) > 0 ? 0 : 1);
}

// In the handler of SIGPROF, which interrupted the program: tests whether it waits in a loop.
bool Processes::find_waiting_loop(void* self, void* machine) {
  auto& processes = *static_cast<Processes*>(self);
  if (processes.running() == Fibers::kNone || !rank_thread || processes.host_ == nullptr ||
      processes.nested_call_.function != nullptr || processes.teams_.inside())
    return false;
  const mcontext_t& state = static_cast<const ucontext_t*>(machine)->uc_mcontext;
  if (!processes.in_program(reinterpret_cast<const void*>(state.gregs[REG_RIP]))) return false;
  static spin::Interpreter loop;
  spin::take(state, loop);
  if (!spin::repeats(loop)) return false;
  processes.watched_ = spin::watched(loop);
  ending_turn = &processes;
  ::raise(Watchdog::end_turn_signal());
  return true;
}

// Runs on the rank's stack; the rank continues where it was interrupted when this returns.
void Processes::end_turn(int) {
  Processes* const processes = std::exchange(ending_turn, nullptr);
  if (processes == nullptr) return;
  if (RankThreads* const all = processes->threads(); all != nullptr)
    all->wait_for_change(std::vector(processes->watched_.begin(), processes->watched_.end()),
                         &spin::unchanged);
  else
    processes->host_->watch(processes->watched_);
}

// In a library, its caller decides; the message library also copies data. The caller's return address is near
// the end of the stack; only the page that holds it is known to exist.
bool Processes::computes(void* self, const void* machine) {
  const auto& processes = *static_cast<Processes*>(self);
  if (processes.running() == Fibers::kNone || running_rank == nullptr) return false;
  const auto& registers = static_cast<const ucontext_t*>(machine)->uc_mcontext.gregs;
  enum class Whose { Simulator, Program, Other };
  const auto whose = [&](const void* code) {
    const auto* at = static_cast<const char*>(code);
    if ((at >= &__executable_start && at < &etext) || processes.messages_.contains(code))
      return Whose::Simulator;
    return processes.in_program(code) ? Whose::Program : Whose::Other;
  };
  Whose found = whose(reinterpret_cast<const void*>(registers[REG_RIP]));
  const auto stack = static_cast<std::uintptr_t>(registers[REG_RSP]) / sizeof(void*) * sizeof(void*);
  const std::uintptr_t end = stack / 4'096 * 4'096 + 4'096;
  for (std::uintptr_t at = stack; at < end && found == Whose::Other; at += sizeof(void*))
    found = whose(*reinterpret_cast<const void* const*>(at));
  return found != Whose::Simulator;
}

}  // namespace psim::net
