// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/run_outputs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/result_document.h"
#include "base/statistics/print.h"
#include "isa/table/disassemble.h"
#include "pipeline/core.h"
#include "psim/commands/command.h"
#include "psim/commands/result_file.h"
#include "report/dump/kanata_writer.h"
#include "report/dump/o3_pipe_view_writer.h"
#include "report/profile/callgrind_file.h"
#include "report/profile/profile_text.h"

namespace psim::commands {

namespace dump = pipeline::dump;

namespace {
// Number of instructions in the report's stage view without --window.
constexpr std::uint64_t kReportInstructions = 4000;
// Functions that --profile-text shows with their instructions.
constexpr std::size_t kListedFunctions = 20;

/// Stops a sink after a given number of instructions.
class Limited final : public dump::TimelineSink {
 public:
  Limited(std::unique_ptr<dump::TimelineSink> sink, std::uint64_t most)
      : sink_(std::move(sink)), left_(most) {}
  void add(const pipeline::InstructionTimeline& timeline) override {
    if (left_ == 0) return;
    --left_;
    sink_->add(timeline);
  }
  void finish() override { sink_->finish(); }

 private:
  std::unique_ptr<dump::TimelineSink> sink_;
  std::uint64_t left_;
};
}  // namespace

std::string assembly(const isa::StaticInstruction& instruction, std::uint64_t pc) {
  return isa::disassemble(instruction.word, pc);
}

void add_run_outputs(CLI::App& app, RunOutputOptions& options) {
  app.add_option("--kanata", options.kanata,
                 "write the pipeline stages as a Kanata 0004 log, for Konata and psim view")
      ->type_name("FILE");
  app.add_option("--o3", options.o3, "write the pipeline stages as gem5's O3PipeView trace")
      ->type_name("FILE");
  app.add_option(
         "--statistics", options.statistics,
         "write all statistics of the run: as CSV if FILE ends with .csv, else as a table; `psim statistics` "
         "explains them")
      ->type_name("FILE");
  app.add_option("--statistics-every", options.statistics_every,
                 "write the statistics of each N cycles as a row of the FILE.csv of --statistics")
      ->type_name("N")
      ->check(whole_number(1));
  app.add_flag(
      "--profile", options.profile,
      "count cycles, misses and mispredictions by function, source line and instruction: a table at the "
      "end, a section of the report, `profile` of the result");
  app.add_option("--profile-text", options.profile_text,
                 "likewise, and write long tables and the instructions of the hottest functions")
      ->type_name("FILE");
  app.add_option("--callgrind", options.callgrind,
                 "likewise, and write a Callgrind file, for KCachegrind and callgrind_annotate")
      ->type_name("FILE");
  app.add_option("--window", options.window,
                 "window of --kanata, --o3 and the report's stage view: cycles=A:B, pc=0xADDR[:N] (N "
                 "instructions from "
                 "its first commit), or region=NAME[:K] (its K-th execution) [everything; the report: 4000 "
                 "instructions "
                 "from main]")
      ->type_name("WINDOW");
}

RunOutputs::RunOutputs(const RunOutputOptions& options, const CommonOptions& common,
                       std::optional<std::uint64_t> main_pc, const dump::Remark& remark)
    : pages_(!common.json.empty() || !common.report.empty()),
      intervals_(common.report.empty() ? report::Detail::Kept : report::Detail::Page),
      regions_(common.report.empty() ? report::Detail::Kept : report::Detail::Page) {
  const std::string& report = common.report;
  dump::WindowSpec window = dump::CycleWindow{};
  if (!options.window.empty()) window = dump::parse_window(options.window);
  if (std::holds_alternative<dump::MessageWindow>(window))
    throw UserError("--window " + options.window +
                    ": one core has no messages; expected cycles=A:B, pc=0xADDR[:N] or region=NAME[:K]");
  if (!options.window.empty() && options.kanata.empty() && options.o3.empty() && report.empty())
    throw UserError("--window " + options.window + ": needs --kanata, --o3 or --report");
  if (!options.kanata.empty())
    dump_.add_output(window, std::make_unique<dump::KanataWriter>(options.kanata, assembly, remark));
  if (!options.o3.empty())
    dump_.add_output(window, std::make_unique<dump::O3PipeViewWriter>(options.o3, assembly));
  statistics_every_ = options.statistics_every;
  if (statistics_every_ != 0 && !options.statistics.ends_with(".csv") && options.statistics != "-")
    throw UserError(
        fmt::format("--statistics-every {}: needs a file for its rows; expected --statistics FILE.csv, or -",
                    statistics_every_));
  if (!options.statistics.empty()) {
    statistics_.emplace(options.statistics, "--statistics");
    csv_ = options.statistics.ends_with(".csv");
  }
  if (!options.profile_text.empty()) profile_text_.emplace(options.profile_text, "--profile-text");
  if (!options.callgrind.empty()) callgrind_.emplace(options.callgrind, "--callgrind");
  if (report.empty()) return;
  report_.emplace(report, "--report");
  std::unique_ptr<dump::TimelineSink> collector =
      std::make_unique<report::StageCollector>(stages_, assembly, remark);
  if (options.window.empty()) {
    if (main_pc) window = dump::PcWindow{*main_pc, kReportInstructions};
    collector =
        std::make_unique<Limited>(std::move(collector), 2 * kReportInstructions);  // wrong paths count too
  }
  stages_.window = dump::to_string(window);
  dump_.add_output(window, std::move(collector));
}

std::vector<pipeline::CoreObserver*> RunOutputs::observers() {
  std::vector<pipeline::CoreObserver*> listening;
  if (!dump_.empty()) listening.push_back(&dump_);
  if (pages_) listening.insert(listening.end(), {&intervals_, &regions_});
  observes_ = true;
  return listening;
}

std::vector<std::string> RunOutputs::finish_dumps() { return dump_.finish(); }

void RunOutputs::follow_statistics(const statistics::Registry& registry, pipeline::Core& core) {
  if (statistics_every_ == 0) return;
  series_.emplace(registry, *statistics_, "cycle");
  core.call_every(statistics_every_, [this, &core] { series_->end_interval(core.now()); });
}

void RunOutputs::finish_statistics(const std::vector<statistics::Reading>& readings) {
  if (!statistics_) return;
  if (!series_) statistics_->write(csv_ ? statistics::to_csv(readings) : statistics::to_text(readings));
  statistics_->commit();
}

void RunOutputs::finish_profile(const report::NamedProfile& profile, const std::string& program,
                                const std::string& command) {
  if (profile_text_) {
    profile_text_->write(
        report::profile_text(profile, {.functions = 100, .lines = 100, .listed = kListedFunctions}));
    profile_text_->commit();
  }
  if (callgrind_) {
    callgrind_->write(report::callgrind_file(profile, "psim " + std::string(version()), program, command));
    callgrind_->commit();
  }
}

void RunOutputs::add_page(nlohmann::ordered_json& page, const std::string& title) const {
  page["title"] = title;
  if (!observes_ || !pages_) return;
  page["intervals"] = intervals_.json();
  page["regions"] = regions_.json();
  if (report_) page["stages"] = stages_.json();
}

void RunOutputs::finish_report(const ResultDocument& result,
                               const std::vector<statistics::Reading>& statistics) {
  write_page(report_, result, statistics);
}

}  // namespace psim::commands
