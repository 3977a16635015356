// SPDX-License-Identifier: Apache-2.0
// Counts calls of MPI functions and their bytes, in each job. A call costs a look-up of its name's address in
// a table of the host's first-level cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "netsim/message/mpi_counts.h"

namespace psim::net::mpi {

enum class CollectiveKind : std::uint8_t;

/// Numbers the names of functions. Names are static texts, equal ones perhaps at several addresses.
class FunctionNumbers {
 public:
  static constexpr std::size_t kMost = 1024;  ///< more than MPI has functions
  std::size_t of(const char* name) {
    std::size_t slot = (reinterpret_cast<std::uint64_t>(name) * 0x9E37'79B9'7F4A'7C15u) >> kShift;
    while (slots_[slot].name != name) {
      if (slots_[slot].name == nullptr) return add(slot, name);
      slot = (slot + 1) % kSlots;
    }
    return slots_[slot].number;
  }
  std::size_t size() const { return size_; }
  const char* name(std::size_t number) const { return names_[number]; }

 private:
  static constexpr unsigned kShift = 64 - 11;
  static constexpr std::size_t kSlots = std::size_t{1} << (64 - kShift);
  struct Slot {
    const char* name = nullptr;
    std::size_t number = 0;
  };
  std::size_t add(std::size_t slot, const char* name);

  std::array<Slot, kSlots> slots_{};
  std::array<const char*, kMost> names_{};
  std::size_t size_ = 0;
};

/// The counts of one job in this host process.
struct CallCounts {
  std::array<MpiCounts::Function, FunctionNumbers::kMost> functions{};
  std::array<std::array<std::uint64_t, 8>, 10> collectives{};  ///< by CollectiveKind and algorithm
  std::uint64_t expected = 0, unexpected = 0, offloaded = 0, longest_posted = 0, longest_unexpected = 0;
};

/// The counts of the job that is served. Set while a program runs.
extern CallCounts* call_counts;
extern FunctionNumbers function_numbers;

inline MpiCounts::Function& counts_of(const char* function) {
  return call_counts->functions[function_numbers.of(function)];
}
/// Counts a rank's use of an algorithm, and returns it.
template <class Algorithm>
Algorithm counted(CollectiveKind collective, Algorithm algorithm) {
  ++call_counts->collectives[static_cast<std::size_t>(collective)][static_cast<std::size_t>(algorithm)];
  return algorithm;
}
/// Returns the counts with their names.
MpiCounts named(const CallCounts& counts);

}  // namespace psim::net::mpi
