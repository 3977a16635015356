// SPDX-License-Identifier: Apache-2.0
// The target processes of one program in this host process. Each has its own stack, globals and standard
// streams, and the simulator resumes one at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/units.h"
#include "netsim/message/host.h"
#include "ranks/compute_samples.h"
#include "ranks/fibers/fibers.h"
#include "ranks/libc/libc_state.h"
#include "ranks/libc/output.h"
#include "ranks/program/code_range.h"
#include "ranks/program/fortran_library.h"
#include "ranks/program/globals.h"
#include "ranks/program/image.h"
#include "ranks/program/openmp_teams.h"
#include "ranks/threads/rank_threads.h"
#include "ranks/threads/thread_coroutines.h"
#include "ranks/threads/thread_locals.h"
#include "ranks/watchdog.h"

namespace psim::net {

struct MpiConfig;

enum class StackMode : std::uint8_t {
  Automatic,  ///< Swapped if stacks could not have guard pages (Stacks::kMostGuarded), else Own
  Own,        ///< each rank's stack has addresses of its own
  Swapped     ///< all have the same addresses; copied out and in when another rank runs
};

struct ProcessesConfig {
  std::string program;                      ///< path of a program linked by psim-cc, psim-cxx or psim-f90
  std::vector<std::string> arguments;       ///< argv[1], …
  std::uint32_t ranks = 1;                  ///< of this program in this host process
  std::vector<std::uint32_t> numbers = {};  ///< rank numbers in reports; empty: 0, 1, …
  Bytes stack = 1_MiB;                      ///< of each rank, virtual; committed when touched; see
                                            ///< default_stack()
  StackMode stacks = StackMode::Automatic;
  GlobalsMode globals = GlobalsMode::Automatic;
  /// limit of a rank's processor time on the host without a call, reported on standard error; 0: none
  std::chrono::seconds patience{10};
};

/// Returns Linux's default if the stacks have guard pages, else 1 MiB.
constexpr Bytes default_stack(std::uint32_t ranks) {
  return ranks < Stacks::kMostGuarded ? Bytes{8 << 20} : Bytes{1 << 20};
}

class Processes : private RunningRank, private ThreadRunner {
 public:
  enum class Outcome : std::uint8_t {
    Suspended,
    Ended,  ///< main returned or exit was called: see status()
    Failed  ///< by a signal or an uncaught exception: see failure(), contained()
  };

  /// Loads the program. Throws UserError, see Program, Image and Globals. `output` receives the output of
  /// ranks.
  Processes(const ProcessesConfig& config, Output& output);
  ~Processes();

  /// Connects the program's time and sleep to `host`. To be called once, before the first resume(). Throws
  /// UserError if the program has no message library.
  void join(Host& host, const MpiConfig& config);
  /// As join(), and attaches the message library to the host (mpi/attach.h). For programs that share a
  /// library, which have the same attaches(), to be called for one of them.
  Library& attach(Host& host, const MpiConfig& config);
  /// Detaches the library, which other programs may use then. No rank may run after it.
  void detach();
  const void* attaches() const { return symbol("psim_attach_library"); }
  /// Returns a function or object of the program or its libraries, or null. With private globals, of the
  /// first rank.
  void* symbol(const char* name) const { return globals_->image(0).symbol(name); }

  /// Runs a rank (0 … ranks - 1, this object's numbers) until it suspends, ends or fails.
  Outcome resume(std::uint32_t rank) { return turn(rank, rank); }
  /// Calls a function of the program as `rank`, which is not running, on a separate stack. A function that
  /// tries to wait returns Suspended, which is a failure too. After Ended see returned().
  Outcome call(std::uint32_t rank, void (*function)(void*), void* argument);
  /// Returns true if the function of call() has returned, false if it ended its rank.
  bool returned() const { return nested_call_.function == nullptr; }
  /// Suspends the running rank, on its own stack; returns when it is resumed.
  void suspend() {
    if (running_rank != this) [[unlikely]]
      child_process::refuse(nullptr);
    if (fortran_) fortran_->suspend(active_->stack_top());
    active_->suspend();
  }
  /// Ends the running rank with this status, without its exit handlers.
  [[noreturn]] void leave(int status);
  /// Returns the running rank, or Fibers::kNone.
  std::uint32_t running() const { return active_ == nullptr ? Fibers::kNone : current_; }
  /// Returns the threads of the running rank, or null before it has started some.
  RankThreads* threads() override { return threads_.empty() ? nullptr : threads_[current_].get(); }
  /// Describes a rank's threads that wait outside of the message library.
  std::string waiting_threads(std::uint32_t rank) const {
    return threads_.empty() || !threads_[rank] ? "" : threads_[rank]->waiting();
  }

  /// Returns the place of the call in which a suspended rank's program is: "in f (prog.c:12)"; empty for a
  /// rank with several threads.
  std::string position(std::uint32_t rank);
  /// Likewise, the place of a call with these frames.
  std::string position(std::uint32_t rank, std::span<void* const> frames) const;

  /// Returns the status that the last ended rank returned from main or passed to exit.
  int status() const { return status_; }
  /// Returns why the last rank failed: "SIGSEGV at 0x10 in f (prog.c:12)".
  const std::string& failure() const { return failure_; }
  /// Returns the exit status of that failure: 128 and a signal that the program raised, else 1.
  int failure_status() const { return failure_status_; }
  /// Returns true if that failure affects this program only; else no rank of any program may run again.
  bool contained() const { return contained_; }

  /// As Host::memory and Host::enter, with this object's rank numbers.
  std::byte* memory(std::uint32_t rank, void* address, std::uint64_t bytes) const {
    return globals_->memory(rank, fibers_.memory(rank, address, bytes), bytes);
  }
  void enter(std::uint32_t rank) {
    globals_->enter(rank);
    if (running() == Fibers::kNone) fibers_.enter(rank);
  }

  /// Forgets the variables of a rank that has ended, which no rank accesses any more.
  void forget(std::uint32_t rank) { globals_->forget(rank); }

  const Globals& globals() const { return *globals_; }
  /// Returns the least memory of each rank for variables.
  std::uint64_t bytes_per_rank() const { return globals_->bytes_per_rank(); }
  /// Prefetches what resume() needs first.
  void prefetch(std::uint32_t rank) const { fibers_.prefetch(rank); }
  const Stacks& stacks() const { return fibers_.stacks(); }
  /// Returns the memory of the ranks' stacks, as Fibers::stack_bytes().
  std::uint64_t stack_bytes() const { return fibers_.stack_bytes(); }

 private:
  /// Runs a rank's turn. There is one fiber more than ranks, for call().
  Outcome turn(std::uint32_t rank, std::uint32_t fiber);
  static void body(void* self, std::uint32_t fiber);
  static void body_of_thread(void* self, std::uint32_t fiber);
  /// Runs the rank on `fiber`, or on the fiber of its current thread.
  Fibers::Outcome run_fibers(std::uint32_t rank, std::uint32_t fiber);
  Thread& change_thread(std::uint32_t rank);
  void note_crash(const Thread* thread);
  /// Ends a rank whose exception nothing catches, without unwinding: destructors could wait for other ranks.
  static void terminate();
  void fail_of_exception();
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
  ThreadCoroutine take_coroutine(Bytes stack) override { return thread_coroutines_.take(stack); }
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
  mutable Fibers fibers_;
  ThreadCoroutines thread_coroutines_;
  Fibers* active_ = nullptr;                           // the object whose fiber runs
  std::vector<std::unique_ptr<RankThreads>> threads_;  // by rank; empty before any rank has started a thread
  ThreadLocals thread_locals_;
  struct {
    Thread* from = nullptr;  // after this one, the rank's next thread runs in the same turn
    bool over = false;       // `from` has ended
  } change_;
  Crash crash_;
  std::string crashed_thread_;
  Bytes crashed_stack_{0};
  std::vector<std::unique_ptr<LibcState>> libc_;
  std::uint32_t current_ = 0;  // rank of the current turn, also while its output is flushed
  struct {
    void (*function)(void*) = nullptr;
    void* argument = nullptr;
  } nested_call_;
  int status_ = 0;
  int failure_status_ = 1;
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
