// SPDX-License-Identifier: Apache-2.0
// Memory for translated code. No page is ever writable and executable at once. It is private, so that a
// forked process may go on with a copy of its own.
#pragma once

#include <asmjit/core.h>

#include <cstddef>

namespace psim::isa::jit {

class CodeMemory {
 public:
  static constexpr std::size_t kBytes = std::size_t{16} << 20;

  /// Reserves addresses; pages are committed as code comes.
  CodeMemory();
  ~CodeMemory();
  CodeMemory(const CodeMemory&) = delete;
  CodeMemory& operator=(const CodeMemory&) = delete;

  /// Places the code; returns its address, or null if kBytes are used, or if the host refuses executable
  /// memory from the beginning. Throws UserError if it refuses it later.
  const std::byte* add(asmjit::CodeHolder& code);
  std::size_t used() const { return used_; }
  /// Frees what was added after used() returned `bytes`.
  void shrink(std::size_t bytes) { used_ = bytes; }

 private:
  std::byte* base_ = nullptr;
  std::size_t used_ = 0;
};

}  // namespace psim::isa::jit
