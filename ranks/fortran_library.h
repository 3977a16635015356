// SPDX-License-Identifier: Apache-2.0
// gfortran's library (libgfortran.so), of which one copy is loaded for all ranks. Its variables lead to the
// units, the options and the random numbers of a program: each rank has its own, exchanged when another rank
// runs (docs/decisions/0021).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ranks/code_range.h"
#include "ranks/image.h"
#include "ranks/saved_range.h"

namespace psim::net {

class FortranLibrary {
 public:
  /// What a rank's variables and three standard units take.
  static constexpr std::uint64_t kBytesOfRank = 8 * 1024;
  using Function = void (*)(int argc, char** argv, char** environment);

  /// Returns the library that a program uses, or null if it uses none or was linked with it statically: then
  /// its variables are the program's.
  static std::unique_ptr<FortranLibrary> of(const Image& image, std::uint32_t ranks);
  /// Puts the host's variables in place.
  ~FortranLibrary();
  FortranLibrary(const FortranLibrary&) = delete;
  FortranLibrary& operator=(const FortranLibrary&) = delete;

  /// Puts a rank's variables in place. Cheap if they are there.
  void enter(std::uint32_t rank) {
    if (rank != current_) exchange(rank);
  }
  /// Puts the variables in place that the library has when no rank runs.
  void leave() { enter(SavedRange::kNone); }

  /// Runs the library's constructors for the running rank, which connect its standard units.
  void construct(int argc, char** argv, char** environment);
  /// Runs its destructors for the running rank, which write what its units buffer.
  void destruct() const;

  /// Returns true for an address in the library.
  bool contains(const void* address) const { return whole_.contains(address); }
  /// This thread's copy of the library's thread_local variables, and the values with which they begin; those
  /// after these begin as zeros.
  std::span<std::byte> thread_locals() const { return thread_locals_; }
  std::span<const std::byte> thread_local_values() const { return thread_local_values_; }

 private:
  /// The library as the loader has it in memory.
  struct Loaded;
  FortranLibrary(const Loaded& loaded, std::uint32_t ranks);
  void exchange(std::uint32_t rank);

  /// Whose ranks have their variables in place: programs of several jobs share the library.
  static FortranLibrary* owner_;

  CodeRange whole_;
  std::vector<Function> constructors_;
  std::span<const Function> destructors_;
  std::span<std::byte> thread_locals_;
  std::span<const std::byte> thread_local_values_;
  std::span<std::byte> zeros_;      // the variables that begin as zeros
  std::vector<std::byte> host_;     // what these are when no rank runs
  std::vector<std::byte> initial_;  // what they are when a rank's constructors are to run
  bool tried_ = false;              // the constructors have run for a rank
  std::optional<SavedRange> variables_, locals_;
  std::uint32_t current_ = SavedRange::kNone;
};

}  // namespace psim::net
