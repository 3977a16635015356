// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/command.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/parse_number.h"
#include "psim/commands/spelling.h"

namespace psim::commands {

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return {[least, most](const std::string& text) {
            const auto value = parse_number<std::uint64_t>(text);
            if (value && *value >= least && *value <= most) return std::string();
            const std::string last = most == ~std::uint64_t{0} ? "2^64 - 1" : fmt::format("{}", most);
            return fmt::format("{}: expected a whole number from {} to {}", text, least, last);
          },
          ""};
}

CLI::Validator number_in(double least, double most) {
  return {[least, most](const std::string& text) {
            double value = 0;
            if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most)
              return std::string();
            return fmt::format("{}: expected a number from {:g} to {:g}", text, least, most);
          },
          fmt::format("FLOAT in [{:g} - {:g}]", least, most)};
}

void add_no_memoize(CLI::App& app, bool& memoize) {
  app.add_flag_callback(
      "--no-memoize", [&memoize] { memoize = false; },
      "simulate every cycle, and repeat no remembered stretches; the result is the same");
}

void add_common(CLI::App& app, CommonOptions& options, unsigned which) {
  if ((which & kMachine) != 0) {
    app.add_option("--machine", options.machine,
                   "machine to simulate: a TOML file, or the name of a shipped one [sparc64v]")
        ->type_name("FILE|NAME");
    app.add_option("--set", options.sets, "change one key of the machine; may be repeated")
        ->type_name("KEY=VALUE")
        ->take_all();
  }
  if ((which & kJson) != 0)
    app.add_option("--json", options.json, "write the result as JSON (- is standard output)")
        ->type_name("FILE");
  if ((which & kReport) != 0)
    app.add_option("--report", options.report, "write a self-contained HTML report")->type_name("FILE.html");
  if ((which & kSeed) != 0)
    app.add_option("--seed", options.seed, "seed of everything random [1]")
        ->type_name("N")
        ->check(whole_number(0));
  if ((which & kQuiet) != 0) app.add_flag("--quiet", options.quiet, "print only errors on standard error");
}

void take_program(CLI::App& app) { app.prefix_command(); }

std::vector<std::string> program_of(const CLI::App& app) {
  std::vector<std::string> words = app.remaining();
  // "psim run -- -odd-name" names a program that looks like an option.
  if (!words.empty() && words.front() == "--")
    words.erase(words.begin());
  else if (!words.empty() && words.front().starts_with('-'))
    throw UserError(unknown_option(app, words.front()));
  if (words.empty())
    throw UserError(
        fmt::format("{}: no program given; see `psim {} --help`", app.get_name(), app.get_name()));
  return words;
}

}  // namespace psim::commands
