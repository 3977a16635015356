// SPDX-License-Identifier: Apache-2.0
// Translates blocks that run often to host code (docs/decisions/0075-translation.md).
//
// The first action of a block counts its runs; when there are enough, the block is left by Exit::Hot and
// translated: with all blocks of its loop, if it is in one, else alone. Then its first action enters the
// code. Blocks without code lead to such with code and the other way round, by the actions of their Exits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "isa/exec/block.h"
#include "isa/state/decoded.h"
#include "isa/state/execution_warmer.h"

namespace psim::isa::jit {

class Translator {
 public:
  /// Blocks are translated when they have run `runs` times, at least once. Code takes the memory of copied
  /// actions from `actions`; it lives until clear().
  Translator(const Bindings& bindings, std::uint16_t runs, std::function<Action*(std::size_t)> actions);
  ~Translator();

  /// Returns false if the host refuses executable memory.
  bool usable() const;
  /// Returns the first action of blocks that are to be translated.
  Action entry() const;
  /// Translates the block, whose actions of warming are for `warmer`. Returns false if there is no memory
  /// left: clear everything.
  bool translate(Block& block, ExecutionWarmer* warmer);
  /// Makes a block, and those translated with it, run without their code from now on.
  void drop(Block& block);
  /// Forgets all code. No block may run.
  void clear();

 private:
  struct Code;
  std::unique_ptr<Code> code_;
  const Bindings& bindings_;
  const std::uint16_t runs_;
  const std::function<Action*(std::size_t)> actions_;
  std::vector<std::vector<Block*>> regions_;  ///< blocks by Block::region - 1
};

}  // namespace psim::isa::jit
