// SPDX-License-Identifier: Apache-2.0
// The global variables of ranks: each rank has its own, like a process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "ranks/program/image.h"

namespace psim::net {

enum class GlobalsMode : std::uint8_t {
  Automatic,  ///< Copies up to 512 ranks or with private libraries; else Swapped or Remapped, by size
  Copies,     ///< the program is loaded once per rank
  Swapped,    ///< loaded once; the globals are copied in and out when another rank runs
  Remapped,   ///< loaded once; the pages of the globals are remapped when another rank runs
  Shared      ///< loaded once, one set of globals for all ranks
};

/// The storage of every rank's globals. The current rank's globals are at the addresses that its code uses.
class Globals {
 public:
  /// Loads the program for `ranks` ranks. Throws UserError if it cannot be loaded, if the globals of all
  /// ranks exceed the free memory, or if globals of private libraries would have to be exchanged.
  static std::unique_ptr<Globals> make(const Program& program, std::uint32_t ranks, GlobalsMode mode);
  virtual ~Globals() = default;

  virtual const Image& image(std::uint32_t rank) const = 0;
  /// Makes a rank current. Cheap if it already is.
  virtual void enter(std::uint32_t rank) = 0;
  /// Returns the host address of the `bytes` bytes that `rank` addresses as `address`; valid until the next
  /// enter().
  virtual std::byte* memory(std::uint32_t rank, void* address, std::uint64_t bytes) = 0;
  /// Called when a rank has ended and no rank will access its variables, which need not be kept.
  virtual void forget([[maybe_unused]] std::uint32_t rank) {}
  /// Called before and after fork() of the current rank; a copy's variables are separate from then on.
  virtual void before_fork() {}
  virtual void after_fork([[maybe_unused]] bool is_copy) {}
  virtual GlobalsMode mode() const = 0;
  /// Returns the least bytes of memory of each rank.
  virtual std::uint64_t bytes_per_rank() const = 0;
};

/// Returns the bytes of variables that any program writes, for checks of memory.
std::uint64_t least_written(const Program& program);
/// Returns "copies", "swapped", …
std::string name(GlobalsMode mode);

}  // namespace psim::net
