// SPDX-License-Identifier: Apache-2.0
// A Linux process on sparc64: the kernel's state of it, and the entry points that the executor calls (system
// calls, traps, faults, timers).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "guest/address_space.h"
#include "guest/elf/elf_image.h"
#include "guest/file_table.h"
#include "guest/host_signals.h"
#include "guest/process_family.h"
#include "guest/random_source.h"
#include "guest/sandbox.h"
#include "guest/seen_files.h"
#include "guest/signal_state.h"
#include "guest/simulated_clock.h"
#include "guest/start.h"
#include "guest/system_call.h"
#include "guest/thread_turns.h"
#include "guest/threads.h"
#include "guest/timers.h"
#include "isa/exec/executor.h"
#include "isa/memory/guest_memory.h"
#include "isa/state/environment.h"

namespace psim::isa {

/// Limits of the use of a resource; none at first.
struct ResourceLimit {
  enum : unsigned { kStack = 3, kCore = 4, kFiles = 6, kProcesses = 7 };  // asm/resource.h of SPARC
  std::uint64_t soft = ~std::uint64_t{0}, hard = ~std::uint64_t{0};
};

struct ProcessOptions {
  std::vector<std::string> arguments;    ///< argv, the program's name first
  std::vector<std::string> environment;  ///< "K=V"
  /// The program sees a fixed start (guest/start.h); otherwise it sees psim's own names, directory, user and
  /// descriptors.
  bool fixed_start = false;
  SandboxOptions sandbox;
  FmaRounding fma = FmaRounding::Unfused;
  SimdConfig simd;
  std::uint64_t memory_flags = 0;                   ///< MemoryFlags::word(), for a core with SIMD-PEs
  std::uint64_t seed = 0;                           ///< of AT_RANDOM, getrandom and /dev/urandom
  std::uint64_t cycles_per_second = 2'000'000'000;  ///< of the simulated core
  std::uint64_t stack_bytes = 8u << 20;
  std::uint16_t translated_runs = Executor::kTranslatedRuns;  ///< see Executor::set_translation()
  /// Analysed instructions that programs share, so that their records point to the same ones; null: its own.
  std::shared_ptr<AnalysedWords> words;
  ThreadPlacement threads;
  bool timed = false;  ///< set_cycle() sets the clock; otherwise one cycle per instruction
  /// The reason why the program may have one thread only. A second thread ends it with this Ending::refusal.
  std::string one_thread;
  bool may_execute = false;  ///< the program may become another one; its forked copies always may
};

/// The way a process ended.
struct Ending {
  bool by_signal = false;
  int code = 0;  ///< exit status 0–255, or the guest's signal number
  /// Where it waited for an event that cannot come; empty otherwise.
  std::string deadlock = {};
  /// The reason why psim does not run the program further (ProcessOptions::one_thread); empty otherwise.
  std::string refusal = {};
};
/// The exit status of a program that ended in a deadlock.
inline constexpr int kDeadlockStatus = 2;

struct FaultDescription;

class Process final : public Environment {
 public:
  /// Throws UserError if the program cannot be loaded or the sandbox cannot be set up.
  Process(ElfImage image, const ProcessOptions& options);
  ~Process() override;

  /// Runs until the process ends or at least `instructions` have retired in all. Returns false when it has
  /// ended.
  bool run(std::uint64_t instructions);
  /// Sets the time of a timed process. Time never goes back.
  void set_cycle(std::uint64_t cycle) { clock.set_core_cycles(cycle); }
  /// For a timed process, before each step: delivers signals and timers that are due. Returns false when the
  /// process has ended.
  bool deliver_due();
  /// Runs a timed process functionally until at least `instructions` have retired in all. Its clock advances
  /// by `pace` / 65536 cycles per instruction meanwhile. Returns false when the process has ended. A warmer
  /// may make it return before a block transfer (isa/state/execution_warmer.h).
  bool run_ahead(std::uint64_t instructions, std::uint64_t pace);
  static constexpr std::uint64_t kCyclePace = 65'536;  ///< one cycle per instruction
  /// Returns true in a forked copy of psim, which runs its part of the guest and leaves psim's results to the
  /// parent.
  bool is_child() const { return child_; }
  /// Runs a child to its end, functionally, at one cycle per instruction from here on. Ends the host process.
  [[noreturn]] void run_child();
  const std::optional<Ending>& ending() const { return ending_; }
  /// Returns true if the program may become another one (execute()).
  bool may_execute() const { return may_execute_ || child_; }
  /// execve: replaces the program by `image`. Its other threads end. Returns 0 or a host errno, and then has
  /// changed nothing. `executable`: the program's guest path.
  int execute(const ElfImage& image, const std::vector<std::string>& arguments,
              const std::vector<std::string>& environment, const std::string& file_name,
              const std::string& executable);
  /// In a child of vfork: its parent waits until the child closes this, by execve or at its end.
  UniqueFd parent_waits;
  /// Returns the guest path of the program.
  const std::string& executable() const { return executable_; }
  /// Returns the host path of the program.
  const std::string& program_path() const { return program_path_; }
  /// The distance of the program's addresses from those in its file; 0 unless it is position-independent.
  std::uint64_t load_bias() const { return load_bias_; }
  /// Returns the instructions that all threads have retired.
  std::uint64_t instructions() const { return elsewhere_ + executor.state().instructions; }

  /// Receives what the program writes to its first standard output (1) and error (2), with a fixed start,
  /// instead of psim's own; null: none. Forked copies write to psim's own.
  std::function<void(int descriptor, std::string_view text)> output;

  // Threads.
  /// Returns true if calls that wait let other threads run, and waiting takes cycles: once the process has
  /// had a second thread, and on a chip.
  bool threaded() const { return threads.several() || on_chip_; }
  /// Makes `thread` the current one.
  void switch_to(Thread& thread) {
    if (&thread == &threads.current()) return;
    if (!timed_) from_cycle_ = local_cycle();
    elsewhere_ += executor.state().instructions;
    signals.switch_thread(threads.current().signals, thread.signals, thread.id);
    executor.select(thread.strand);
    threads.set_current(thread);
    from_instructions_ = executor.state().instructions;
    elsewhere_ -= from_instructions_;
  }
  /// Makes the pending call of a waiting thread fail with EINTR, or end with the signal that it awaits, and
  /// the thread ready.
  void interrupt(Thread& thread);
  /// Interrupts waiting threads for pending signals that no ready thread takes.
  void hand_out_signals();
  /// Lets the current thread wait for a signal of `set`, at most until `until` (nanoseconds since the start),
  /// and then write it to `address`, unless that is 0.
  void await_signal(std::uint64_t set, std::uint64_t until, std::uint64_t address);
  /// Ends the process and returns true if it may have one thread only (ProcessOptions::one_thread).
  bool refuse_thread();
  /// Gives a futex with priority inheritance to the thread that waits longest, or frees it; its word keeps
  /// `flags`. Returns false if it is not accessible.
  bool release_pi_futex(std::uint64_t address, std::uint32_t flags);
  /// Returns the system call under way, before its execution.
  const CallRestart& call_restart() const { return call_restart_; }
  /// Returns the cycle that the core of the current thread has reached.
  std::uint64_t cycle() const { return timed_ ? clock.core_cycles() : local_cycle(); }
  /// Makes the current thread repeat its system call a microsecond later, or as soon as something may have
  /// changed, since it waits for other threads or processes. `until`: the call then ends by itself.
  /// `outside`: it waits for files that are not the guest's own. Ends the process if all threads wait for
  /// ever and no other process lives. Returns the result of the call, which is interrupted if a signal is
  /// `due`, by gather_signals() before the look that found nothing: a child may have acted and ended since.
  CallResult repeat_later(bool due, std::uint64_t until = SimulatedClock::kNever, bool outside = false);
  /// Call when the current thread's call need not wait.
  void stop_polling() {
    threads.current().polls = false;
    threads.current().poll_end.reset();
    repetitions_ = 0;
  }
  /// Ends the current thread; the process, if it is the last one. Marks its robust futexes.
  void exit_thread(int status);
  /// Call when no thread can run and no timer is armed. Waits in the host while other processes of the
  /// program live, until a signal makes a thread ready; returns false if none will.
  bool wait_for_relatives();
  /// Call when no thread can run and none will be woken. Reports where each of them waits and ends the
  /// process.
  void end_in_deadlock();

  // The parts that system calls use.
  GuestMemory memory;
  Executor executor;
  SimulatedClock clock;
  Timers timers{clock};
  SignalState signals;
  HostSignals host_signals;
  Sandbox sandbox;
  const Start start;  ///< what the program saw at its start
  FileTable files;
  SeenFiles seen_files;
  AddressSpace space{memory};
  RandomSource random;
  ProcessFamily family;
  Threads threads;
  std::string working_directory;  ///< guest path
  std::string command_name;       ///< as prctl(PR_GET_NAME) returns it, at most 15 characters
  std::uint64_t group = ProcessFamily::kFirst, session = ProcessFamily::kFirst;
  std::uint64_t stack_bytes;
  int niceness = 0;  ///< −20 to 19; remembered, without effect
  mode_t umask;      ///< of files the program makes
  std::array<ResourceLimit, 16> limits;

  /// Ends the process.
  void exit(int status);
  void die(int guest_signal);
  /// Prints "psim: …" to stderr, once for each `key`.
  void report_once(const std::string& key, const std::string& text);

  /// Makes a host call that may block. `call` returns -1 with errno. Timers of simulated time and signals
  /// interrupt it. A signal that is due before the call comes after it if the call is `ready`, as it then
  /// does not wait.
  CallResult blocking(const std::function<std::int64_t()>& call, const std::function<bool()>& ready = {});
  /// Lets simulated time pass until `time` (nanoseconds since the start). Returns false if a signal came
  /// before.
  bool sleep_until(std::uint64_t time);
  /// Lets simulated time pass from timer to timer, at most until `until`, while the guest is `ready()` for
  /// nothing and no signal can be delivered. Call it if no other thread or process can end the wait.
  void pass_time(std::uint64_t until, const std::function<bool()>& ready);
  /// Waits while the word at `address` has `value` and other processes live, at most until `until`: their
  /// wakes do not reach this process. Returns nothing once they have ended.
  std::optional<CallResult> wait_for_store(std::uint64_t address, std::uint32_t value, std::uint64_t until);
  /// Waits indefinitely for a signal that the current mask lets through.
  void wait_for_signal();
  /// Returns true if no other thread or process of the guest can end a wait of this one.
  bool by_itself() const { return threads.live() == 1 && !family.others_live(); }
  /// Returns true if no timer can do so, either.
  bool alone() const { return by_itself() && timers.next_real() == SimulatedClock::kNever; }
  /// Call when the current system call waits and the process is alone(). With a fixed start, nothing from
  /// outside can end the wait: reports the deadlock, ends the process and returns true. Otherwise warns the
  /// user once and returns false.
  bool stuck();
  /// Collects signals from the host and timers that are due. Returns true if a signal can be delivered.
  bool gather_signals();
  /// Forks the process on the host; returns -1 with errno on failure. Sets the child's numbers and timers.
  std::int64_t fork_host(std::uint32_t& child);

  // Environment
  bool software_trap(CpuState& state, unsigned number) override;
  bool fault(CpuState& state, const Fault& fault) override;
  bool deadline(CpuState& state) override;
  std::uint64_t tick(const CpuState& state) override;

 private:
  void system_call(CpuState& state);
  void unknown_call(CpuState& state, std::uint64_t number, const Arguments& arguments);
  /// Delivers a fault of the instruction itself, even if blocked or ignored: the process then dies.
  void force_signal(const SignalInfo& info, const std::string& what, const std::string& remedy = {});
  /// Returns true if a handler of the program gets a fault's signal.
  bool handles(int number) const {
    return signals.has_handler(number) && !(signals.blocked() & sig::bit(number));
  }
  /// Prints the line on a fault whose handler runs next, once for each instruction and kind of fault.
  void report_handled(const Fault& fault, const FaultDescription& description);
  /// Prints the lines that report where the process died.
  void report_death(int number, const std::string& what, const std::string& remedy = {});
  /// Loads a program into empty memory and sets the state in which it begins. Throws UserError.
  void begin(const ElfImage& image, const std::vector<std::string>& arguments,
             const std::vector<std::string>& environment, const std::string& file_name);
  void deliver_signals(const CallRestart* restart);
  std::uint64_t begin_turn();
  void let_time_pass(std::uint64_t next);
  std::uint64_t blocked_by_all() const;
  void release_robust_futexes();
  bool release_robust_futex(std::uint64_t entry, std::uint64_t offset, bool pending);
  /// Returns the cycle that an untimed process has reached on the core of the current thread.
  std::uint64_t local_cycle() const {
    const std::uint64_t executed = executor.state().instructions - from_instructions_;
    return from_cycle_ +
           static_cast<std::uint64_t>(static_cast<unsigned __int128>(executed) * pace_ / kCyclePace);
  }
  std::string position() const;
  void update_deadline();
  void update_clock();
  void set_pace(std::uint64_t pace);
  bool alive();
  void set_result(CpuState& state, const CallResult& result);
  std::string source_of(std::uint64_t pc) const;

  std::string program_path_;
  std::uint64_t load_bias_ = 0;
  bool timed_;
  // A process that is not timed had executed from_instructions_ at from_cycle_, and runs at pace_ since.
  std::uint64_t from_cycle_ = 0, from_instructions_ = 0, pace_ = kCyclePace;
  std::uint64_t elsewhere_ = 0;  ///< instructions that all threads but the current one have retired
  ThreadTurns turns_{threads};   ///< of an untimed process
  std::uint64_t flags_ = 0;      ///< AT_FLAGS
  const bool may_execute_;
  std::string executable_;
  bool on_chip_;  ///< timed, on several cores
  const std::string one_thread_;
  int leader_status_ = 0;  ///< of the first thread, once it has ended
  bool child_ = false;     ///< forked: ends with _exit, writes no results
  std::optional<Ending> ending_;
  std::uint64_t repetitions_ = 0;  ///< calls repeated since the last that did not wait
  bool others_lived_ = false;      ///< at the last pause of repeated calls
  std::uint64_t call_ = 0;         ///< number of the last system call
  CallRestart call_restart_{};     ///< of the last system call
  std::set<std::string> reported_;
};

}  // namespace psim::isa
