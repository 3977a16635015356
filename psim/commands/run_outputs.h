// SPDX-License-Identifier: Apache-2.0
// The files of a run that commands on the core share: --kanata, --o3, --window, --statistics, --profile-text,
// --callgrind and --report.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "base/result_document.h"
#include "base/statistics/registry.h"
#include "base/statistics/series.h"
#include "psim/commands/command.h"
#include "report/dump/stage_dump.h"
#include "report/profile/named_profile.h"
#include "report/run_history.h"

namespace psim::pipeline {
class Core;
class CoreObserver;
}  // namespace psim::pipeline

namespace psim::commands {

struct RunOutputOptions {
  std::string kanata, o3, window, statistics;
  std::uint64_t statistics_every = 0;  ///< cycles; 0: the whole run
  bool profile = false;
  std::string profile_text, callgrind;
  bool profiles() const { return profile || !profile_text.empty() || !callgrind.empty(); }
};
/// Returns an instruction's assembly, for dumps.
std::string assembly(const isa::StaticInstruction& instruction, std::uint64_t pc);
/// Declares --kanata, --o3, --window, --statistics, --statistics-every, --profile, --profile-text and
/// --callgrind.
void add_run_outputs(CLI::App& app, RunOutputOptions& options);

class RunOutputs {
 public:
  /// Creates every file under a temporary name, so that a path that cannot be written is reported before the
  /// run. `remark` may be empty. Without --window the stage view of the report begins at `main_pc`, if there
  /// is one. Throws UserError.
  RunOutputs(const RunOutputOptions& options, const CommonOptions& common,
             std::optional<std::uint64_t> main_pc, const pipeline::dump::Remark& remark);

  /// Returns the observers to attach to the core; empty if no output needs one.
  std::vector<pipeline::CoreObserver*> observers();
  /// Returns RunOptions::interval, the cycles between calls of on_interval; 0 without a listener.
  std::uint64_t interval() const { return pages_ ? 10'000 : 0; }

  /// Completes the dumps after the run. Returns lines for the user.
  std::vector<std::string> finish_dumps();
  /// With --statistics-every, makes `core` write its statistics, which `registry` names, during the run.
  void follow_statistics(const statistics::Registry& registry, pipeline::Core& core);
  /// Writes the file of --statistics, if requested.
  void finish_statistics(const std::vector<statistics::Reading>& readings);
  /// Writes the files of --profile-text and --callgrind, where they are given. `program` is the file that ran
  /// or was replayed, `command` the command line.
  void finish_profile(const report::NamedProfile& profile, const std::string& program,
                      const std::string& command);
  /// Adds to the key `page` of the result what the observers have collected, and the title.
  void add_page(nlohmann::ordered_json& page, const std::string& title) const;
  /// Writes the report, if requested, from the finished document.
  void finish_report(const ResultDocument& result, const std::vector<statistics::Reading>& statistics);

 private:
  const bool pages_;       ///< a result or a report keeps series over time
  bool observes_ = false;  ///< observers() are attached
  pipeline::dump::StageDump dump_;
  report::IntervalCollector intervals_;
  report::RegionCollector regions_;
  report::StageView stages_;
  std::optional<OutputFile> report_, statistics_, profile_text_, callgrind_;
  bool csv_ = false;  ///< otherwise statistics are a table for people
  std::uint64_t statistics_every_ = 0;
  std::optional<statistics::Series> series_;
};

}  // namespace psim::commands
