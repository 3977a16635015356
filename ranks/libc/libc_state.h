// SPDX-License-Identifier: Apache-2.0
// The part of the C library's state that each rank has for itself. The simulator's executable defines the
// functions that use it (libc_functions.cpp); programs and their libraries find them before the C library's.
#pragma once

#include <signal.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "ranks/libc/child_processes.h"
#include "ranks/libc/cpp_state.h"
#include "ranks/libc/environment.h"
#include "ranks/libc/output.h"
#include "ranks/libc/standard_descriptors.h"
#include "ranks/libc/working_directory.h"

namespace psim::net {

/// The C library's state of one rank, made when first needed.
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
    char* state = default_state;  ///< the value that setstate() returns
  };
  std::unique_ptr<Random> random;  ///< rand, random
  std::unique_ptr<drand48_data> rand48;
  char* strtok = nullptr;
  std::uint64_t entropy = 0;  ///< words that getentropy has returned
  std::uint64_t forks = 0;    ///< copies of itself made by the rank
  ChildProcesses children;
  struct Key {
    bool used = false;
    void (*destructor)(void*) = nullptr;
  };
  std::vector<Key> keys;                    ///< made by pthread_key_create()
  std::vector<void*> specific;              ///< their values in the rank's first thread
  std::map<int, struct sigaction> signals;  ///< the rank's dispositions of signals that the simulator handles
  struct Fault {
    long long instruction = 0;
    const void* address = nullptr;
    bool operator==(const Fault&) const = default;
  };
  Fault handled;                               ///< last fault after which a handler returned
  unsigned again = 0;                          ///< repetitions of that fault without progress
  std::FILE *out = nullptr, *error = nullptr;  ///< targets of freopen() for standard output and error
  std::unique_ptr<CppState> cpp_state;         ///< if they differ from a new process's
  StandardDescriptors descriptors;

  struct GetOpt {
    char* optarg = nullptr;
    int optind = 1, opterr = 1, optopt = '?';
  } getopt;
  WorkingDirectory directory;
  Environment environment;
};

class RankThreads;

/// The running rank, as these functions see it.
class RunningRank {
 public:
  virtual LibcState& libc() = 0;
  [[noreturn]] virtual void exit(int status, bool run_handlers) = 0;
  virtual void write(Stream stream, std::string_view text) = 0;
  /// Returns the rank's number in its program.
  virtual std::uint32_t number() const = 0;
  /// Returns the rank's process id (process) and its node.
  virtual std::int32_t process() const = 0;
  virtual std::uint32_t node() const = 0;
  /// Returns the number of switches between ranks and the simulator: a rank is still in the same turn if it
  /// is equal.
  virtual std::uint64_t turns() const = 0;
  /// Returns the simulated time in ps, after the cost of reading a clock.
  virtual std::uint64_t look_at_clock() = 0;
  /// Returns the simulated time in ps, at no cost.
  virtual std::uint64_t now() = 0;
  /// Returns after `ps` of simulated time.
  virtual void sleep(std::uint64_t ps) = 0;
  /// Returns true if an address (a __dso_handle) is the program's, not a library's.
  virtual bool in_program(const void* address) const = 0;
  /// Returns true for an address in the rank's private objects: the program, its libraries, and gfortran's.
  virtual bool is_own(const void* address) const = 0;
  /// Returns the file of the program, or of a private library, that is loaded at `base` for the rank, or
  /// null.
  virtual const char* file_at(const void* base) const = 0;
  /// Returns true if threads started and locks taken by the code at `address` are the rank's: its own
  /// code, or of the C++ library called by it.
  virtual bool threads_for(const void* address) const = 0;
  /// Returns the rank's threads, or null before it has started some.
  virtual RankThreads* threads() = 0;
  /// Returns the rank's threads; makes them at the first call.
  virtual RankThreads& start_threads() = 0;
  /// Runs the handlers of exit(): functions that the rank passed to atexit(), and destructors.
  virtual void run_exit_handlers() = 0;
  /// Called before and after the rank's fork(), in the rank and in the copy.
  virtual void before_fork() = 0;
  virtual void after_fork(bool is_copy) = 0;

 protected:
  ~RunningRank() = default;
};

/// Process id of the first rank: larger than any of the system's.
extern const std::int32_t first_process;
/// The running rank, or null while the simulator itself runs.
extern RunningRank* running_rank;
/// True on the thread that runs ranks; other threads of a program have no rank's time.
extern thread_local bool rank_thread;

constexpr unsigned kMostCures = 1'000;
/// Calls the running rank's handler of a signal that it raised itself, if that is a function of the program.
/// Returns false without a handler, if the fault is the handler's own, or after kMostCures calls in
/// succession for the same instruction and address.
bool deliver_to_rank(int signal, siginfo_t* info, void* context);
/// Raises a signal as the running rank. A signal that ends the program by its default action is reported as a
/// crash of the rank.
int raise_as_rank(int signal);

/// Redirects the standard streams of C and C++ to the running rank's output while any object of it lives.
/// Output of the simulator passes through.
class StandardStreams {
 public:
  /// `terminate` handles std::terminate() of ranks that have no handler of their own.
  explicit StandardStreams(std::terminate_handler terminate);
  ~StandardStreams();
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;

  /// Writes buffered text. Called at each switch between the simulator and a rank.
  static void flush();
  /// Calls the handler of std::terminate() that psim has replaced.
  static void terminate_as_before();
  /// Returns the stream that all ranks share.
  static std::FILE* shared(Stream stream);
  /// Makes a rank's own streams the standard ones; null: the shared ones.
  static void enter(const LibcState* state);
  /// Stores the state of the C++ library for the rank, and makes it a new process's.
  static void save_cpp(std::unique_ptr<LibcState>& state);
};

/// Exchanges getopt's variables for a rank's, before and after it runs.
void enter_getopt(LibcState* state);
/// Returns true if they differ from a process's that never called getopt; save_getopt() is to be called then.
bool getopt_used();
void save_getopt(LibcState& state);

}  // namespace psim::net
