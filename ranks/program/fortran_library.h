// SPDX-License-Identifier: Apache-2.0
// gfortran's library (libgfortran.so), loaded once for all ranks. Its variables hold the units, the options
// and the random numbers of a program. Each rank has its own, put in place when the rank calls the library
// (fortran_calls.h) and another rank's are there. A rank that never calls it has none (docs/decisions/0039).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ranks/program/code_range.h"
#include "ranks/program/fortran_calls.h"
#include "ranks/program/image.h"
#include "ranks/program/saved_range.h"

namespace psim::net {

class FortranLibrary {
 public:
  using Function = void (*)(int argc, char** argv, char** environment);

  /// Returns the library that a program uses. Returns null if it uses none, or was linked with it statically:
  /// then the library's variables are the program's.
  static std::unique_ptr<FortranLibrary> of(const Image& image, std::uint32_t ranks);
  /// Restores the host's variables.
  ~FortranLibrary();
  FortranLibrary(const FortranLibrary&) = delete;
  FortranLibrary& operator=(const FortranLibrary&) = delete;

  /// Makes a rank the running one, whose calls find its own variables.
  void enter(std::uint32_t rank) {
    if (FortranCalls::state().running != &ranks_[rank]) change(ranks_[rank]);
  }
  /// Called before the running rank suspends, on its stack, which ends at `top`.
  void suspend(const std::byte* top) const {
    const FortranCalls::State& state = FortranCalls::state();
    if (state.owner == state.running && FortranCalls::may_be_inside())
      FortranCalls::forget_if_returned(top, whole_);
  }
  /// Ends the running rank: the host runs.
  static void leave();

  /// Runs the library's destructors for the running rank, if it has called the library. They write the
  /// buffers of its units.
  void destruct();

  // For calls.
  /// Puts the variables of the running rank, or of the host, in place. At a rank's first call it runs the
  /// library's constructors for it, which connect its standard units.
  static void acquire();
  /// Keeps the variables of the running rank in place whenever it runs from now on: it has several threads,
  /// or the library calls it.
  static void keep_running();
  // Instead of functions of the library, which every Fortran main program calls at its start.
  static void set_arguments(int argc, char** argv);
  static void set_options(int count, int* options);

  /// Returns true for an address in the library.
  bool contains(const void* address) const { return whole_.contains(address); }
  /// Return this thread's copy of the library's thread_local variables, and their initial values; variables
  /// after these begin as zeros.
  std::span<std::byte> thread_locals() const { return thread_locals_; }
  std::span<const std::byte> thread_local_values() const { return thread_local_values_; }

 private:
  /// The library as loaded in memory.
  struct Loaded;
  FortranLibrary(const Loaded& loaded, const FortranCalls::Library& calls, std::uint32_t ranks);
  struct Rank {
    // Of a rank that does not run: the last call, as in FortranCalls::State.
    const void* const* place = nullptr;
    const void* return_address = nullptr;
    char** argv = nullptr;
    int* options = nullptr;
    int argc = 0, options_count = 0;
    bool started = false;  // the constructors have run
    bool kept = false;     // see keep_running()
    bool inside = false;   // it may have been suspended in a function of the library
  };
  void change(Rank& next);
  void put_in_place(std::uint32_t rank);
  void acquire(Rank& rank);
  void construct(int argc, char** argv);
  std::uint32_t index_of(const Rank& rank) const { return static_cast<std::uint32_t>(&rank - ranks_.data()); }
  /// Returns the running rank, which is one of this object.
  Rank& running() { return ranks_[index_of(*static_cast<const Rank*>(FortranCalls::state().running))]; }

  /// The objects whose rank runs, and whose variables are in place: programs of several jobs share the
  /// library. Null: the host.
  static FortranLibrary *running_, *owner_;

  const FortranCalls::Library* calls_;
  CodeRange whole_;
  std::vector<Function> constructors_;
  std::span<const Function> destructors_;
  std::span<std::byte> thread_locals_;
  std::span<const std::byte> thread_local_values_;
  std::span<std::byte> zeros_;      // the variables that begin as zeros
  std::vector<std::byte> host_;     // their values outside of ranks
  std::vector<std::byte> initial_;  // their values before a rank's constructors
  bool tried_ = false;              // the constructors have run for a rank
  std::optional<SavedRange> variables_, locals_;
  std::vector<Rank> ranks_;
  std::uint32_t current_ = SavedRange::kNone;  // whose variables are in place
};

}  // namespace psim::net
