// SPDX-License-Identifier: Apache-2.0
// gfortran's library (libgfortran.so), loaded once for all ranks. Its variables hold the units, the options
// and the random numbers of a program. Each rank has its own, exchanged when another rank runs
// (docs/decisions/0021).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ranks/program/code_range.h"
#include "ranks/program/image.h"
#include "ranks/program/saved_range.h"

namespace psim::net {

class FortranLibrary {
 public:
  /// Bytes of a rank's variables and three standard units.
  static constexpr std::uint64_t kBytesOfRank = 8 * 1024;
  using Function = void (*)(int argc, char** argv, char** environment);

  /// Returns the library that a program uses. Returns null if it uses none, or was linked with it statically:
  /// then the library's variables are the program's.
  static std::unique_ptr<FortranLibrary> of(const Image& image, std::uint32_t ranks);
  /// Restores the host's variables.
  ~FortranLibrary();
  FortranLibrary(const FortranLibrary&) = delete;
  FortranLibrary& operator=(const FortranLibrary&) = delete;

  /// Makes a rank's variables current. Cheap if they already are.
  void enter(std::uint32_t rank) {
    if (rank != current_) exchange(rank);
  }
  /// Restores the library's variables from outside of ranks.
  void leave() { enter(SavedRange::kNone); }

  /// Runs the library's constructors for the running rank, which connect its standard units.
  void construct(int argc, char** argv, char** environment);
  /// Runs its destructors for the running rank, which write the buffers of its units.
  void destruct() const;

  /// Returns true for an address in the library.
  bool contains(const void* address) const { return whole_.contains(address); }
  /// Return this thread's copy of the library's thread_local variables, and their initial values; variables
  /// after these begin as zeros.
  std::span<std::byte> thread_locals() const { return thread_locals_; }
  std::span<const std::byte> thread_local_values() const { return thread_local_values_; }

 private:
  /// The library as loaded in memory.
  struct Loaded;
  FortranLibrary(const Loaded& loaded, std::uint32_t ranks);
  void exchange(std::uint32_t rank);

  /// The object whose ranks' variables are current: programs of several jobs share the library.
  static FortranLibrary* owner_;

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
  std::uint32_t current_ = SavedRange::kNone;
};

}  // namespace psim::net
