// SPDX-License-Identifier: Apache-2.0
// The global variables of ranks: each rank has its own, as if it were a process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ranks/image.h"

namespace psim::net {

enum class GlobalsMode : std::uint8_t {
  Automatic,  ///< Copies up to 512 ranks or with private libraries; else Swapped or Remapped, by size
  Copies,     ///< the program is loaded once per rank
  Swapped,    ///< loaded once; the globals are copied in and out when another rank runs
  Remapped,   ///< loaded once; the pages of the globals are mapped anew when another rank runs
  Shared      ///< loaded once, one set of globals for all ranks
};

/// Where the globals of every rank are. One of its ranks is current: its globals are where its code expects
/// them.
class Globals {
 public:
  /// Loads the program for `ranks` ranks. Throws UserError if it cannot be loaded, if the globals of all
  /// ranks do not fit into the memory that is free, or if globals of private libraries were to be exchanged.
  static std::unique_ptr<Globals> make(const Program& program, std::uint32_t ranks, GlobalsMode mode);
  virtual ~Globals() = default;

  virtual const Image& image(std::uint32_t rank) const = 0;
  /// Makes a rank current. Cheap if it is already.
  virtual void enter(std::uint32_t rank) = 0;
  /// Where `rank` has the `bytes` bytes that it calls `address`; holds until the next enter().
  virtual std::byte* memory(std::uint32_t rank, void* address, std::uint64_t bytes) = 0;
  /// The current rank is about to fork(), and has: a copy's variables are its own from then on.
  virtual void before_fork() {}
  virtual void after_fork([[maybe_unused]] bool is_copy) {}
  virtual GlobalsMode mode() const = 0;
  /// Of memory, for each rank, at the least.
  virtual std::uint64_t bytes_per_rank() const = 0;
};

/// What the least program writes of its variables, for checks of memory.
std::uint64_t least_written(const Program& program);
/// "copies", "swapped", …
std::string name(GlobalsMode mode);

}  // namespace psim::net
