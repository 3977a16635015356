// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/sample_options.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.h"
#include "base/parse_number.h"

namespace psim::commands {
namespace {

/// Returns the error of --sample-error as a fraction; 0 if it is none.
double error_of(const std::string& text) {
  const double percent = parse_number<double>(text.substr(0, text.size() - text.ends_with('%'))).value_or(0);
  return percent >= 0.01 && percent <= 50 ? percent / 100 : 0;
}

}  // namespace

double SampleOptions::requested_error() const { return error_of(error); }

bool SampleOptions::requested() const {
  const std::vector<const CLI::Option*> given = app->get_options([](const CLI::Option* option) {
    const std::string name = option->get_name();
    return option->count() != 0 &&
           (name.starts_with("--sample") || name == "--save-warm" || name == "--from-warm");
  });
  return !given.empty();
}

void add_sample_options(CLI::App& app, SampleOptions& options) {
  options.app = &app;
  app.add_flag(
      "--sample", options.sample,
      "measure units of the program in cycles, run it functionally between them, and estimate cycles, "
      "CPI stack and regions with intervals of 95 %");
  app.add_option("--sample-error", options.error,
                 "adapt the period so that the interval of the cycles is at most ±P % wide [2%]")
      ->type_name("P%")
      ->check([](const std::string& text) {
        return error_of(text) != 0 ? std::string() : text + ": expected a percentage from 0.01% to 50%";
      });
  app.add_option("--sample-period", options.period,
                 "measure one unit in each N instructions [adapted to --sample-error]")
      ->type_name("N")
      ->check(whole_number(1));
  app.add_option("--sample-unit", options.unit, "instructions of a unit [1000]")
      ->type_name("N")
      ->check(whole_number(2));
  app.add_option("--sample-warmup", options.warm_up,
                 "instructions in cycles before each unit, which are not measured [1000]")
      ->type_name("N")
      ->check(whole_number(0));
  app.add_option("--save-warm", options.save_warm,
                 "save the warm state and the instructions of each window in a file, or under a name of its "
                 "own in a folder; implies --sample")
      ->type_name("FILE|DIR");
  app.add_option("--from-warm", options.from_warm,
                 "run the windows that --save-warm saved, without the program between them; latencies, "
                 "widths and buffers may differ; implies --sample")
      ->type_name("FILE|DIR");
  app.add_option("--sample-seed", options.seed, "seed of the places of the units [1]")
      ->type_name("N")
      ->check(whole_number(0));
}

void check_sample_options(const SampleOptions& options, const CoreRunOptions& core) {
  const RunOutputOptions& outputs = core.outputs;
  const std::array<std::pair<const char*, bool>, 8> whole_runs{
      {{"--kanata", !outputs.kanata.empty()},
       {"--o3", !outputs.o3.empty()},
       {"--window", !outputs.window.empty()},
       {"--statistics", !outputs.statistics.empty()},
       {"--statistics-every", outputs.statistics_every != 0},
       {"--profile", outputs.profile},
       {"--profile-text", !outputs.profile_text.empty()},
       {"--callgrind", !outputs.callgrind.empty()}}};
  for (const auto& [name, given] : whole_runs)
    if (given)
      throw UserError(
          fmt::format("{}: needs every cycle of the program; expected a run without --sample", name));
  if (!options.save_warm.empty() && !options.from_warm.empty())
    throw UserError("--save-warm and --from-warm: expected one of them");
  const CLI::Option* const error = options.app->get_option("--sample-error");
  if (options.period != 0 && error->count() != 0)
    throw UserError(fmt::format("--sample-period {} and --sample-error {}: expected one of them",
                                options.period, options.error));
  if (options.period != 0 && options.period < options.unit + options.warm_up)
    throw UserError(fmt::format(
        "--sample-period = {}: shorter than a unit with its warm-up; expected at least {}, the sum of "
        "--sample-unit and --sample-warmup",
        options.period, options.unit + options.warm_up));
}

}  // namespace psim::commands
