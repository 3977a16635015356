// SPDX-License-Identifier: Apache-2.0
// A stage dump as text: one instruction per line, one cycle per column, in blocks that each fit the width and
// have a ruler of cycles.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "report/dump/dumped_instruction.h"

namespace psim::view {

struct ViewOptions {
  std::uint64_t from = 0, to = std::numeric_limits<std::uint64_t>::max();  ///< cycles [from, to)
  std::optional<std::uint64_t> pc{};  ///< begin with the first instruction at this PC
  std::uint64_t count = std::numeric_limits<std::uint64_t>::max();  ///< instructions at most
  std::size_t width = 160;                                          ///< columns of a line
  bool colour = false;
  bool squeeze = true;  ///< leave out cycles without changes
};

/// Decides whether the options choose an instruction; called for each of a dump, in order.
class ViewFilter {
 public:
  explicit ViewFilter(const ViewOptions& options) : options_(options) {}
  bool takes(const pipeline::dump::DumpedInstruction& instruction);
  std::uint64_t seen() const { return seen_; }  ///< of the whole dump

 private:
  const ViewOptions& options_;
  std::uint64_t seen_ = 0, taken_ = 0;
};

/// Keeps the instructions of a dump that the options choose.
class ViewSelection final : public pipeline::dump::DumpSink {
 public:
  explicit ViewSelection(const ViewOptions& options) : filter_(options) {}
  void instruction(pipeline::dump::DumpedInstruction&& instruction) override;
  const std::vector<pipeline::dump::DumpedInstruction>& instructions() const { return instructions_; }
  std::uint64_t seen() const { return filter_.seen(); }  ///< of the whole dump

  /// Limit of instructions: about a gigabyte of memory, and more than a reader of a terminal needs. A larger
  /// number is a UserError.
  static constexpr std::size_t kMost = 1'000'000;

 private:
  ViewFilter filter_;
  std::vector<pipeline::dump::DumpedInstruction> instructions_;
};

/// Returns the PC at the start of an instruction's text, "0xPC: …" or "PC: …" or "PC …", hexadecimal.
std::optional<std::uint64_t> pc_of(std::string_view text);

/// Prints the legend, then one block after the other. `out` returns false to stop.
void print_view(const std::vector<pipeline::dump::DumpedInstruction>& instructions,
                const pipeline::dump::StageNames& names, const ViewOptions& options,
                const std::function<bool(std::string_view)>& out);

}  // namespace psim::view
