// SPDX-License-Identifier: Apache-2.0
#include "ranks/processes.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <span>

#include "base/demangle.h"
#include "base/error.h"
#include "netsim/message/mpi_config.h"
#include "ranks/containment.h"
#include "ranks/crash_report.h"
#include "ranks/libc/crash_signals.h"
#include "ranks/program/sanitizer.h"
#include "ranks/threads/thread_exit.h"

#ifdef PSIM_SANITIZED
#include <sanitizer/lsan_interface.h>
#endif

namespace psim::net {

namespace {

// Read when the program's libraries are loaded, and by libgfortran for each rank. libgfortran then writes
// each record at once, so that output is in the order of simulated time. OpenMP gets one thread per rank
// unless the user set a number. Its default, the host's number of processors, would make results such as sums
// differ between hosts.
//
// Messages of the C library (assert, err, error) begin with the program's name, or that of the last job.
const ProcessesConfig& prepared(const ProcessesConfig& config) {
  static std::string name;
  name = config.program;
  program_invocation_name = name.data();
  program_invocation_short_name = name.data() + name.rfind('/') + 1;
  ::setenv("GFORTRAN_UNBUFFERED_PRECONNECTED", "y", 1);
  ::setenv("OMP_NUM_THREADS", "1", 0);
  return config;
}

std::uint32_t swapped_stacks(const ProcessesConfig& config) {
  const bool many = config.stacks == StackMode::Automatic && config.ranks >= Stacks::kMostGuarded;
  return many || config.stacks == StackMode::Swapped ? config.ranks : 0;
}

std::string describe_exception() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  std::string text = "uncaught exception";
  if (!type) return text;
  text += " " + demangled_type(type->name());
  try {
    throw;
  } catch (const std::exception& exception) {
    text += std::string(": ") + exception.what();
  } catch (...) {
  }
  return text;
}

/// Checks that the library was built with this simulator's headers, on which calls between them depend.
void check_stamp(const std::string& program, const void* attaches, const char* stamp) {
  if (stamp != nullptr && std::strcmp(stamp, PSIM_LIBRARY_STAMP) == 0) return;
  Dl_info library{};
  ::dladdr(attaches, &library);
  throw UserError(
      fmt::format("{}: linked with {}, which is of another build of psim; link it again with this one's "
                  "psim-cc, psim-cxx or psim-f90",
                  program, library.dli_fname != nullptr ? library.dli_fname : "a library"));
}

}  // namespace

Processes::Processes(const ProcessesConfig& config, Output& output)
    : config_(prepared(config)),
      output_(output),
      streams_(&Processes::terminate),
      program_(config.program),
      globals_(Globals::make(program_, config.ranks, config.globals)),
      fortran_(FortranLibrary::of(globals_->image(0), config.ranks)),
      fibers_(config.ranks + 1, config.stack, &Processes::body, this, swapped_stacks(config)),
      thread_coroutines_(&Processes::body_of_thread, this),
      thread_locals_(program_, fortran_.get()),
      libc_(config.ranks),
      watchdog_(config.patience, &Processes::report_long_turn, &Processes::find_waiting_loop, this),
      samples_(&Processes::computes, this) {
  struct sigaction action {};
  action.sa_handler = &Processes::end_turn;
  action.sa_flags = SA_RESTART | SA_NODEFER;  // on the rank's own stack, which it switches away from
  ::sigaction(Watchdog::end_turn_signal(), &action, nullptr);
  // A sanitizer that finds an error reports it and ends the process.
  if (const auto on_death = SanitizerRuntime::get().on_death) on_death(&Processes::report_death);
}

Processes::~Processes() { detach(); }

void Processes::detach() {
  if (detach_ != nullptr) detach_();
  detach_ = nullptr;
}

void Processes::join(Host& host, const MpiConfig& config) {
  if (attaches() == nullptr)
    throw UserError(config_.program + ": not linked with a message library (psim_attach_library is missing)");
  check_stamp(config_.program, attaches(), static_cast<const char*>(symbol("psim_library_stamp")));
  host_ = &host;
  messages_ = CodeRange::around(attaches());
  clock_cost_ = config.wtime;
}

Library& Processes::attach(Host& host, const MpiConfig& config) {
  join(host, config);
  using Attach = Library*(Host&, const MpiConfig&);
  const auto attach = reinterpret_cast<Attach*>(symbol("psim_attach_library"));
  detach_ = reinterpret_cast<void (*)()>(symbol("psim_detach_library"));
  return *attach(host, config);
}

Processes::Outcome Processes::call(std::uint32_t rank, void (*function)(void*), void* argument) {
  nested_call_ = {function, argument};
  const Outcome outcome = turn(rank, config_.ranks);
  FortranCalls::forget();
  if (outcome != Outcome::Suspended) return outcome;
  failure_ = "a function called by the message library (a reduction) waits, which is not possible";
  return Outcome::Failed;
}

Processes::Outcome Processes::turn(std::uint32_t rank, std::uint32_t fiber) {
  StandardStreams::flush();
  globals_->enter(rank);
  fibers_.enter(rank);
  if (fortran_) fortran_->enter(rank);
  LibcState* libc = libc_[rank].get();
  if (libc) enter_getopt(libc);
  if (libc && libc->directory.elsewhere()) libc->directory.enter();
  if (libc && libc->environment.changed()) libc->environment.enter();
  if (libc && (libc->out || libc->error)) StandardStreams::enter(libc);
  if (libc && libc->cpp_state) libc->cpp_state->enter();
  watchdog_.turn();
  samples_.turn();
  running_rank = this;
  rank_thread = true;
  current_ = rank;
#ifdef PSIM_SANITIZED
  const __lsan::ScopedDisabler what_a_rank_leaks_is_its_own;
#endif
  const Fibers::Outcome outcome = run_fibers(rank, fiber);
  child_process::Redirection::restore();
  StandardStreams::flush();
  if (outcome == Fibers::Outcome::Ended && fiber == rank && libc_[rank]) libc_[rank]->children.finish(*this);
  running_rank = nullptr;
  if (stdout != StandardStreams::shared(Stream::Out) || stderr != StandardStreams::shared(Stream::Error))
    StandardStreams::enter(nullptr);
  StandardStreams::save_cpp(libc_[rank]);
  watchdog_.turn();
  libc = libc_[rank].get();
  if (libc && libc->directory.elsewhere()) WorkingDirectory::leave();
  if (libc && libc->environment.changed()) Environment::leave();
  if (getopt_used()) {
    if (!libc_[rank]) libc_[rank] = std::make_unique<LibcState>();
    save_getopt(*libc_[rank]);
    enter_getopt(nullptr);
  }
  switch (outcome) {
    case Fibers::Outcome::Suspended:
      return Outcome::Suspended;
    case Fibers::Outcome::Ended:
      if (fiber == rank) {
        libc_[rank].reset();
        end_threads(rank);
        if (fortran_) fortran_->leave();
      }
      return threw_ ? Outcome::Failed : Outcome::Ended;
    case Fibers::Outcome::Crashed:
      failure_ = describe(crash_, globals_->image(rank), program_, crashed_stack_) + crashed_thread_;
      failure_status_ = crash_signals::is_fault(crash_.signal) ? 1 : 128 + crash_.signal;
      contained_ = net::contained(crash_, globals_->image(rank), attaches());
  }
  return Outcome::Failed;
}

void Processes::body(void* self, std::uint32_t fiber) {
  auto& processes = *static_cast<Processes*>(self);
  if (fiber != processes.config_.ranks) return processes.run(fiber);
  processes.nested_call_.function(processes.nested_call_.argument);
  processes.nested_call_.function = nullptr;
}

void Processes::terminate() {
  auto* const processes = static_cast<Processes*>(running_rank);
  if (processes == nullptr || processes->active_ == nullptr || !abi::__cxa_current_exception_type())
    StandardStreams::terminate_as_before();
  processes->fail_of_exception();
  processes->active_->leave();
}

void Processes::fail_of_exception() {
  if (child_process::here) child_process::die_of_exception(describe_exception().c_str());
  threw_ = true;
  failure_ = describe_exception();
  std::array<void*, 32> frames;
  const std::uint32_t count = crash_signals::unwind_here(frames);
  const std::string where = position(running(), std::span(frames).first(count));
  if (!where.empty()) failure_ += ", thrown " + where;
  if (threads() != nullptr && threads()->number() != 0)
    failure_ += fmt::format(" (thread {})", threads()->number());
}

std::string Processes::position(std::uint32_t rank) {
  if (!threads_.empty() && threads_[rank]) return "";
  std::array<void*, 32> frames;
  const std::uint32_t count = fibers_.trace(rank, frames);
  return position(rank, std::span(frames).first(count));
}

std::string Processes::position(std::uint32_t rank, std::span<void* const> frames) const {
  return calling_location(frames, globals_->image(rank), program_);
}

void Processes::run(std::uint32_t rank) {
  // Programs may write to their arguments. The copies are on the rank's own stack, because exit() unwinds
  // nothing.
  const int argc = static_cast<int>(config_.arguments.size()) + 1;
  const auto copy = [](char* to, const std::string& word) {
    std::memcpy(to, word.c_str(), word.size() + 1);
    return to;
  };
  std::size_t bytes = config_.program.size() + 1;
  for (const std::string& word : config_.arguments) bytes += word.size() + 1;
  auto** argv = static_cast<char**>(__builtin_alloca((static_cast<std::size_t>(argc) + 1) * sizeof(char*)));
  auto* text = static_cast<char*>(__builtin_alloca(bytes));
  argv[0] = copy(text, config_.program);
  text += config_.program.size() + 1;
  for (int i = 1; i < argc; ++i) {
    const std::string& word = config_.arguments[static_cast<std::size_t>(i) - 1];
    argv[i] = copy(text, word);
    text += word.size() + 1;
  }
  argv[argc] = nullptr;
  const Image& image = globals_->image(rank);
  image.construct(argc, argv, environ);
  const int status = image.entry()(argc, argv, environ);
  if (child_process::here) running_rank->exit(status, true);
  run_exit_handlers();
  host_->catch_up();
  status_ = status;
}

void Processes::run_handlers() {
  if (!libc_[running()]) return;
  // A handler may register another handler, and may wait for messages.
  const auto run_all = [this](std::vector<LibcState::AtExit> LibcState::*list) {
    while (!(libc().*list).empty()) {
      const LibcState::AtExit last = (libc().*list).back();
      (libc().*list).pop_back();
      last.function(last.argument);
    }
  };
  run_all(&LibcState::at_thread_exit);
  run_all(&LibcState::at_exit);
}

LibcState& Processes::libc() {
  auto& state = libc_[current_];  // also of a rank whose turn has just ended
  if (!state) state = std::make_unique<LibcState>();
  return *state;
}

void Processes::exit(int status, bool handlers) {
  if (handlers) run_exit_handlers();
  leave(status);
}

void Processes::run_exit_handlers() {
  run_handlers();
  globals_->image(running()).destruct();
  if (fortran_) fortran_->destruct();
}

void Processes::after_fork(bool is_copy) {
  globals_->after_fork(is_copy);
  if (!is_copy) return;
  if (const auto forked = reinterpret_cast<void (*)()>(symbol("psim_library_forked"))) forked();
}

std::uint64_t Processes::now() {
  host_->catch_up();
  return static_cast<std::uint64_t>(host_->now().count());
}

void Processes::leave(int status) {
  if (child_process::here) running_rank->exit(status, false);
  // A process that calls _exit loses its buffered text; here it would appear in another rank's output.
  host_->catch_up();
  status_ = status;
  active_->leave();
}

void Processes::write(Stream stream, std::string_view text) { output_.write(current_, stream, text); }

bool Processes::in_program(const void* address) const { return globals_->image(running()).contains(address); }

bool Processes::is_own(const void* address) const {
  return in_program(address) || (fortran_ && fortran_->contains(address));
}

const char* Processes::file_at(const void* base) const {
  const std::size_t part = globals_->image(running()).part_of(base);
  return part == Image::kNone ? nullptr : program_.parts()[part].file.path().c_str();
}

std::int32_t Processes::process() const {
  return first_process + static_cast<std::int32_t>(index(host_->current()));
}

std::uint32_t Processes::node() const { return index(host_->node_of(host_->current())); }

std::uint64_t Processes::look_at_clock() {
  host_->sleep(clock_cost_);
  if (RankThreads* const all = threads(); all != nullptr) all->yield_thread();
  return static_cast<std::uint64_t>(host_->now().count());
}

void Processes::sleep(std::uint64_t ps) {
  if (RankThreads* const all = threads(); all != nullptr) {
    wait_or_exit(*all, nullptr, "sleep", all->now() + ps);
    return;
  }

  host_->compute(Picoseconds{static_cast<std::int64_t>(ps)});
}

}  // namespace psim::net
