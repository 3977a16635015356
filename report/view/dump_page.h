// SPDX-License-Identifier: Apache-2.0
// A stage dump as a page: the stage view of report/web over every chosen instruction, and below it a strip of
// energy or instructions per cycle over time.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/dump/dumped_instruction.h"
#include "report/stage_pack.h"
#include "report/view/terminal_view.h"

namespace psim::view {

/// Packs the instructions of a dump that the options choose, while they are read.
class PageRows final : public pipeline::dump::DumpSink {
 public:
  /// Starts a page. Both arguments outlive the object.
  PageRows(const ViewOptions& options, const pipeline::dump::StageNames& names)
      : filter_(options), names_(names) {}
  void instruction(pipeline::dump::DumpedInstruction&& instruction) override;
  const report::StagePack& pack() const { return pack_; }
  std::uint64_t seen() const { return filter_.seen(); }
  std::uint64_t left_out() const { return left_out_; }  ///< chosen, but beyond kMost

  /// Instructions: a page of about 100 MB, which a browser still opens.
  static constexpr std::uint64_t kMost = 1'000'000;

 private:
  std::uint32_t stage(std::uint32_t name), cause(std::uint32_t name);

  ViewFilter filter_;
  const pipeline::dump::StageNames& names_;
  report::StagePack pack_;
  std::vector<std::uint32_t> stages_, causes_;  ///< numbers in the pack by number of name
  std::vector<report::PackedSpan> in_stages_, in_stalls_;
  std::vector<report::PackedWakeup> wakeups_;
  std::uint64_t left_out_ = 0;
};

/// Returns the energy over time of a result document, for the strip. Throws UserError if there is none, or if
/// the run ended before `last_cycle` of the dump and is therefore another one.
nlohmann::ordered_json energy_over_time(const nlohmann::json& result, std::uint64_t last_cycle);

/// Returns the whole page. `name` is the dump's, `energy` null or from energy_over_time().
std::string page_of(const PageRows& rows, const std::string& name, const nlohmann::ordered_json& energy);

}  // namespace psim::view
