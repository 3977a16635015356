// SPDX-License-Identifier: Apache-2.0
// The part of the C library's state that each rank has for itself. The simulator's executable defines the
// functions that use it (libc_functions.cpp): programs and their libraries find them before the C library's.
#pragma once

#include <signal.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "ranks/child_processes.h"
#include "ranks/environment.h"
#include "ranks/output.h"
#include "ranks/working_directory.h"

namespace psim::net {

/// Made for a rank when it first needs it.
struct LibcState {
  LibcState() = default;
  ~LibcState();
  LibcState(const LibcState&) = delete;
  LibcState& operator=(const LibcState&) = delete;

  struct AtExit {
    void (*function)(void*);
    void* argument;
  };
  std::vector<AtExit> at_exit;         ///< in the order of registration
  std::vector<AtExit> at_thread_exit;  ///< destructors of thread_local objects

  struct Random {
    Random();
    random_data data{};
    char default_state[128];
    char* state = default_state;  ///< as setstate() returns it
  };
  std::unique_ptr<Random> random;  ///< rand, random
  std::unique_ptr<drand48_data> rand48;
  char* strtok = nullptr;
  std::uint64_t entropy = 0;  ///< words that getentropy has given out
  std::uint64_t forks = 0;    ///< copies of itself that the rank has made
  ChildProcesses children;
  struct Key {
    bool used = false;
    void (*destructor)(void*) = nullptr;
  };
  std::vector<Key> keys;                    ///< that pthread_key_create() gave out
  std::vector<void*> specific;              ///< their values in the rank's first thread
  std::map<int, struct sigaction> signals;  ///< what the rank wants done with those that are the simulator's
  struct Fault {
    long long instruction = 0;
    const void* address = nullptr;
    bool operator==(const Fault&) const = default;
  };
  Fault handled;                               ///< that after which a handler returned last
  unsigned again = 0;                          ///< how often it came at once again
  std::FILE *out = nullptr, *error = nullptr;  ///< where freopen() led standard output and error

  struct GetOpt {
    char* optarg = nullptr;
    int optind = 1, opterr = 1, optopt = '?';
  } getopt;
  WorkingDirectory directory;
  Environment environment;
};

class RankThreads;

/// What the functions ask of the rank that runs.
class RunningRank {
 public:
  virtual LibcState& libc() = 0;
  [[noreturn]] virtual void exit(int status, bool run_handlers) = 0;
  virtual void write(Stream stream, std::string_view text) = 0;
  /// Its number among the ranks of its program.
  virtual std::uint32_t number() const = 0;
  /// What getpid() tells, and the node on which it runs.
  virtual std::int32_t process() const = 0;
  virtual std::uint32_t node() const = 0;
  /// Counts how often ranks and the simulator took turns: the same rank is still in the same turn if it is
  /// the same.
  virtual std::uint64_t turns() const = 0;
  /// Simulated time, ps, after what a look at a clock costs.
  virtual std::uint64_t look_at_clock() = 0;
  /// Simulated time, ps; the look costs nothing.
  virtual std::uint64_t now() = 0;
  /// Returns so many ps of simulated time later.
  virtual void sleep(std::uint64_t ps) = 0;
  /// Whether an address (a __dso_handle) is the program's, not a library's.
  virtual bool in_program(const void* address) const = 0;
  /// Returns true for an address in what the rank has for itself: the program, its libraries, and gfortran's.
  virtual bool is_own(const void* address) const = 0;
  /// The file of the program, or of a library of its own, that is loaded at `base` for the rank; null: none.
  virtual const char* file_at(const void* base) const = 0;
  /// Whether threads that the code at `address` starts, and locks that it takes, are the rank's: its own
  /// code, and that of the C++ library on its behalf.
  virtual bool threads_for(const void* address) const = 0;
  /// Of the rank, once it has started some; else null.
  virtual RankThreads* threads() = 0;
  /// The same, which makes them.
  virtual RankThreads& start_threads() = 0;
  /// What exit() runs: functions that the rank gave to atexit(), and destructors.
  virtual void run_exit_handlers() = 0;
  /// The rank is about to fork(); it has, and this process is the copy or is not.
  virtual void before_fork() = 0;
  virtual void after_fork(bool is_copy) = 0;

 protected:
  ~RunningRank() = default;
};

/// What getpid() tells the first rank of all: more than any number that the system gives.
extern const std::int32_t first_process;
/// Null while the simulator itself runs.
extern RunningRank* running_rank;
/// Set on the thread on which ranks run; those that a program starts have no rank's time.
extern thread_local bool rank_thread;

constexpr unsigned kMostCures = 1'000;
/// Calls what the running rank wants done with a signal of its own making, if that is a function of the
/// program; false if there is none, if the fault is that function's own, or if it was called kMostCures times
/// in turn for the same instruction and address and did not help.
bool deliver_to_rank(int signal, siginfo_t* info, void* context);

/// Makes the standard streams of C and C++ write to the running rank's output while any object of it lives;
/// what the simulator prints passes through.
class StandardStreams {
 public:
  StandardStreams();
  ~StandardStreams();
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;

  /// Writes what is buffered. Called whenever the simulator and a rank take turns.
  static void flush();
  /// The stream that all ranks share.
  static std::FILE* shared(Stream stream);
  /// Makes a rank's own streams the standard ones; null: those that all share.
  static void enter(const LibcState* state);
};

/// Exchanges getopt's variables for a rank's, before and after it runs.
void enter_getopt(LibcState* state);
/// True if they differ from those of a process that never called getopt; then save_getopt() is due.
bool getopt_used();
void save_getopt(LibcState& state);

}  // namespace psim::net
