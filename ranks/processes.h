// SPDX-License-Identifier: Apache-2.0
// The target processes of one program that live in this host process: loaded, each on its own stack with its
// own globals and standard streams, resumed one at a time by the simulator.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/units.h"
#include "netsim/message/host.h"
#include "ranks/code_range.h"
#include "ranks/compute_samples.h"
#include "ranks/fibers.h"
#include "ranks/fortran_library.h"
#include "ranks/globals.h"
#include "ranks/image.h"
#include "ranks/libc_state.h"
#include "ranks/openmp_teams.h"
#include "ranks/output.h"
#include "ranks/threads/rank_threads.h"
#include "ranks/threads/thread_locals.h"
#include "ranks/threads/thread_places.h"
#include "ranks/watchdog.h"

namespace psim::net {

struct MpiConfig;

struct ProcessesConfig {
  std::string program;                      ///< path of what psim-cc, psim-cxx or psim-f90 linked
  std::vector<std::string> arguments;       ///< argv[1], …
  std::uint32_t ranks = 1;                  ///< of this program in this host process
  std::vector<std::uint32_t> numbers = {};  ///< what reports call them; empty: 0, 1, …
  Bytes stack = 1_MiB;                      ///< of each, virtual; committed as touched; see default_stack()
  GlobalsMode globals = GlobalsMode::Automatic;
  /// A rank that takes more processor time of the host without a call is named on standard error; 0: never.
  std::chrono::seconds patience{10};
};

/// What processes have on Linux, as long as stacks have guard pages; above, 1 MiB.
constexpr Bytes default_stack(std::uint32_t ranks) {
  return ranks < Stacks::kMostGuarded ? Bytes{8 << 20} : Bytes{1 << 20};
}

class Processes : private RunningRank, private ThreadRunner {
 public:
  enum class Outcome : std::uint8_t {
    Suspended,
    Ended,  ///< main returned or exit was called: see status()
    Failed  ///< a signal or an exception nobody caught: see failure(), contained()
  };

  /// Loads the program. Throws UserError, see Program, Image and Globals. `output` takes what ranks
  /// print.
  Processes(const ProcessesConfig& config, Output& output);
  ~Processes();

  /// The program's time and sleep are those of `host`. UserError if it is linked with no library of messages.
  /// Once, before the first resume().
  void join(Host& host, const MpiConfig& config);
  /// The same, and joins its library of messages with the host (mpi/attach.h). Of several programs
  /// with one library, which attaches() tells, this is called for one.
  Library& attach(Host& host, const MpiConfig& config);
  /// The library is free for other programs. No rank may run any more.
  void detach();
  const void* attaches() const { return symbol("psim_attach_library"); }
  /// A function or object of the program or its libraries, or null. With private globals, of the first rank.
  void* symbol(const char* name) const { return globals_->image(0).symbol(name); }

  /// Runs a rank (0 … ranks - 1, as numbered here) until it suspends, ends or fails.
  Outcome resume(std::uint32_t rank) { return turn(rank, rank); }
  /// Calls a function of the program as `rank`, which does not run, on a stack of its own. Suspended, if it
  /// wanted to wait, is a failure too. Ended: see returned().
  Outcome call(std::uint32_t rank, void (*function)(void*), void* argument);
  /// Whether what call() called has returned; if not, it ended its rank.
  bool returned() const { return errand_.function == nullptr; }
  /// Called on the running rank's stack; returns when it is resumed.
  void suspend() {
    if (running_rank != this) [[unlikely]]
      child_process::refuse(nullptr);
    active_->suspend();
  }
  /// Ends the running rank with this status, running none of its exit handlers.
  [[noreturn]] void leave(int status);
  /// The running rank, or Fibers::kNone.
  std::uint32_t running() const { return active_ == nullptr ? Fibers::kNone : current_; }
  /// Of the running rank, once it has started some; else null.
  RankThreads* threads() override { return threads_.empty() ? nullptr : threads_[current_].get(); }
  /// Which of a rank's threads wait, and for what, as far as the library of messages does not know.
  std::string waiting_threads(std::uint32_t rank) const {
    return threads_.empty() || !threads_[rank] ? "" : threads_[rank]->waiting();
  }

  /// Where the program of a rank that does not run made the call in which it is: "in f (prog.c:12)"; empty of
  /// a rank with several threads.
  std::string position(std::uint32_t rank);

  /// What the rank that ended last returned from main or gave to exit.
  int status() const { return status_; }
  /// Why the last rank failed: "SIGSEGV at 0x10 in f (prog.c:12)".
  const std::string& failure() const { return failure_; }
  /// Whether only this program is at its end by that; else no rank of any may run again.
  bool contained() const { return contained_; }

  /// See Host::memory and Host::enter, with ranks as numbered here.
  std::byte* memory(std::uint32_t rank, void* address, std::uint64_t bytes) const {
    return globals_->memory(rank, address, bytes);
  }
  void enter(std::uint32_t rank) { globals_->enter(rank); }

  const Globals& globals() const { return *globals_; }
  /// The memory that each rank takes at the least for variables: the program's, and those of gfortran's
  /// library.
  std::uint64_t bytes_per_rank() const {
    return globals_->bytes_per_rank() + (fortran_ ? FortranLibrary::kBytesOfRank : 0);
  }
  const Stacks& stacks() const { return fibers_.stacks(); }

 private:
  /// One more fiber than ranks is for call().
  Outcome turn(std::uint32_t rank, std::uint32_t fiber);
  static void body(void* self, std::uint32_t fiber);
  static void body_of_thread(void* self, std::uint32_t fiber);
  /// The rank runs on `fiber`, or on whichever its threads were on.
  Fibers::Outcome run_fibers(std::uint32_t rank, std::uint32_t fiber);
  Thread& change_thread(std::uint32_t rank);
  void note_crash(const Thread* thread);
  void fail_of_exception(const std::string& thread);
  std::uint32_t team_of(const Thread& thread) const;
  void end_threads(std::uint32_t rank);
  static void report_death();
  static void report_long_turn(void* self, void* machine);
  static bool find_waiting_loop(void* self, void* machine);
  static void end_turn(int);
  static bool computes(void* self, const void* machine);
  void run(std::uint32_t rank);
  void run_handlers();

  LibcState& libc() override;
  [[noreturn]] void exit(int status, bool run_handlers) override;
  void write(Stream stream, std::string_view text) override;
  std::uint32_t number() const override {
    return config_.numbers.empty() ? current_ : config_.numbers[current_];
  }
  std::int32_t process() const override;
  std::uint32_t node() const override;
  std::uint64_t turns() const override { return watchdog_.turns(); }
  bool in_program(const void* address) const override;
  bool is_own(const void* address) const override;
  const char* file_at(const void* base) const override;
  bool threads_for(const void* address) const override;
  RankThreads& start_threads() override;
  void switch_thread(Thread& last) override;
  [[noreturn]] void leave_thread(Thread& last) override;
  ThreadPlace take_place(Bytes stack) override { return places_.take(stack); }
  std::uint64_t look_at_clock() override;
  std::uint64_t now() override;
  void run_exit_handlers() override;
  void before_fork() override { globals_->before_fork(); }
  void after_fork(bool is_copy) override;
  void sleep(std::uint64_t ps) override;

  ProcessesConfig config_;
  Output& output_;
  StandardStreams streams_;
  Program program_;
  std::unique_ptr<Globals> globals_;
  std::unique_ptr<FortranLibrary> fortran_;  // null: the program uses none
  OpenMpTeams teams_;
  Fibers fibers_;
  ThreadPlaces places_;
  Fibers* active_ = nullptr;                           // whose fiber runs
  std::vector<std::unique_ptr<RankThreads>> threads_;  // by rank; empty before any rank has some
  ThreadLocals thread_locals_;
  struct {
    Thread* from = nullptr;  // the rank's next thread is to run in this turn, after this one
    bool over = false;       // which does not come again
  } change_;
  Crash crash_;
  std::string crashed_thread_;
  Bytes crashed_stack_{0};
  std::vector<std::unique_ptr<LibcState>> libc_;
  std::uint32_t current_ = 0;  // whose turn it is, still while its output is flushed
  struct {
    void (*function)(void*) = nullptr;
    void* argument = nullptr;
  } errand_;
  int status_ = 0;
  bool threw_ = false;
  std::string failure_;
  bool contained_ = true;
  void (*detach_)() = nullptr;  // of the library, once attached
  CodeRange messages_;          // of the library
  Host* host_ = nullptr;
  Picoseconds clock_cost_{0};
  std::span<const WatchedWord> watched_;  // of the loop that find_waiting_loop() found
  Watchdog watchdog_;
  ComputeSamples samples_;
};

}  // namespace psim::net
