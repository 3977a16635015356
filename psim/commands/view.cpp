// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/console.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/parse_number.h"
#include "psim/commands/command.h"
#include "psim/commands/result_file.h"
#include "report/dump/read_dump.h"
#include "report/view/dump_page.h"
#include "report/view/terminal_view.h"

namespace psim::commands {
namespace {

namespace dump = pipeline::dump;

struct ViewOptions {
  std::string file, from, to, pc, html, energy;
  std::uint64_t count = 0, width = 0, ticks = dump::kTicksPerCycle;
  bool colour = false, no_colour = false, whole = false, partial = false, check = false, no_pager = false;
};

std::uint64_t number(std::string_view option, std::string_view text, int base) {
  std::string_view digits = text;
  if (base == 16 && digits.starts_with("0x")) digits.remove_prefix(2);
  const auto value = parse_number<std::uint64_t>(digits, base);
  if (!value)
    throw UserError(
        fmt::format("{} {}: expected a {}", option, text, base == 16 ? "hexadecimal address" : "cycle"));
  return *value;
}

/// The destination of a view: a pager if standard output is a terminal, else standard output itself.
class ViewOutput {
 public:
  explicit ViewOutput(bool page) {
    if (!page) return;
    const char* pager = std::getenv("PAGER");
    // The options of less: no paging if the view fits the screen (F), pass colours (R), do not fold lines
    // (S).
    pipe_ = ::popen(pager != nullptr && *pager != '\0' ? pager : "less -FRSX 2>/dev/null || cat", "w");
    if (pipe_ != nullptr) std::signal(SIGPIPE, SIG_IGN);  // leaving the pager early is not an error
  }
  ~ViewOutput() {
    if (pipe_ != nullptr) ::pclose(pipe_);
  }
  ViewOutput(const ViewOutput&) = delete;
  ViewOutput& operator=(const ViewOutput&) = delete;
  /// Writes to the destination. Returns false once the pager accepts no more text.
  bool write(std::string_view text) {
    if (pipe_ != nullptr) return std::fwrite(text.data(), 1, text.size(), pipe_) == text.size();
    console::write_verbatim(text);  // contains colours; text of the dump is escaped where it is printed
    return true;
  }

 private:
  std::FILE* pipe_ = nullptr;
};

view::ViewOptions view_options(const ViewOptions& options, bool terminal) {
  view::ViewOptions made;
  if (!options.from.empty()) made.from = number("--from", options.from, 10);
  if (!options.to.empty()) made.to = number("--to", options.to, 10);
  if (made.from >= made.to)
    throw UserError(fmt::format("--from {} --to {}: expected from before to", options.from, options.to));
  if (!options.pc.empty()) made.pc = number("--pc", options.pc, 16);
  if (options.count != 0) made.count = options.count;
  winsize size{};
  if (options.width != 0)
    made.width = options.width;
  else if (terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
    made.width = size.ws_col;
  made.colour = options.colour || (terminal && std::getenv("NO_COLOR") == nullptr);
  if (options.no_colour) made.colour = false;
  made.squeeze = !options.whole;
  return made;
}

int check_dump(const ViewOptions& options) {
  dump::LineReader lines = dump::LineReader::open(options.file);
  const dump::CheckSummary found = dump::check_kanata(lines);
  console::print(
      "{}: good: {} instructions ({} committed, {} flushed) in cycles {} to {}; {} stages, {} waits, {} "
      "wake-ups\n",
      options.file, found.instructions, found.committed, found.flushed, found.begin, found.end, found.stages,
      found.stalls, found.wakeups);
  return 0;
}

int show_dump(const ViewOptions& options) {
  const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  const view::ViewOptions chosen = view_options(options, terminal);
  view::ViewSelection selection(chosen);
  dump::StageNames names;
  dump::read_dump(options.file,
                  {.strict = false, .partial = options.partial, .ticks_per_cycle = options.ticks}, names,
                  selection);
  if (selection.instructions().empty()) {
    console::log("psim: {}: {}\n", options.file,
                 selection.seen() == 0
                     ? std::string("the dump holds no instruction")
                     : fmt::format("none of its {} instructions is chosen", selection.seen()));
    return 0;
  }
  ViewOutput output(terminal && !options.no_pager);
  view::print_view(selection.instructions(), names, chosen,
                   [&](std::string_view text) { return output.write(text); });
  return 0;
}

int write_page(const ViewOptions& options) {
  const view::ViewOptions chosen = view_options(options, false);
  OutputFile page(options.html, "--html");
  dump::StageNames names;
  view::PageRows rows(chosen, names);
  dump::read_dump(options.file,
                  {.strict = false, .partial = options.partial, .ticks_per_cycle = options.ticks}, names,
                  rows);
  if (rows.pack().rows() == 0)
    throw UserError(fmt::format("{}: {}", options.file,
                                rows.seen() == 0
                                    ? std::string("the dump holds no instruction")
                                    : fmt::format("none of its {} instructions is chosen", rows.seen())));
  nlohmann::ordered_json energy;
  if (!options.energy.empty()) {
    const nlohmann::json result = read_result(options.energy);
    try {
      energy = view::energy_over_time(result, rows.pack().end());
    } catch (const UserError& error) {
      throw UserError(fmt::format("--energy {}: {}", options.energy, error.what()));
    }
  }
  page.write(view::page_of(rows, options.file == "-" ? "standard input" : options.file, energy));
  page.commit();
  if (rows.left_out() != 0)
    console::log(
        "psim: {}: {} instructions are in the page, {} more are not: choose with --from, --to, --pc\n",
        options.html, rows.pack().rows(), rows.left_out());
  return 0;
}

std::function<int()> set_up_view(CLI::App& app) {
  auto options = std::make_shared<ViewOptions>();
  app.add_option("DUMP", options->file,
                 "Kanata 0004 log or O3PipeView trace, of psim or another tool; - is standard input")
      ->required();
  app.add_option("--from", options->from, "show instructions that are in flight at this cycle or later")
      ->type_name("CYCLE");
  app.add_option("--to", options->to, "show instructions that are fetched before this cycle")
      ->type_name("CYCLE");
  app.add_option("--pc", options->pc, "begin with the first instruction at this address")
      ->type_name("0xADDR");
  app.add_option("--count", options->count, "show at most N instructions")
      ->type_name("N")
      ->check(whole_number(1));
  app.add_option("--width", options->width, "columns of a line [the terminal's, else 160]")
      ->type_name("COLUMNS")
      ->check(CLI::Range(40, 10000));
  app.add_flag("--whole", options->whole, "show every cycle, even if nothing changes");
  app.add_flag("--color", options->colour, "use colours even if standard output is not a terminal");
  app.add_flag("--no-color", options->no_colour, "use no colours (also: the variable NO_COLOR)");
  app.add_flag("--no-pager", options->no_pager, "do not page through $PAGER or less on a terminal");
  app.add_flag("--partial", options->partial, "accept a truncated dump and show its instructions");
  app.add_option("--ticks-per-cycle", options->ticks,
                 "ticks per cycle of an O3PipeView trace [1000; gem5 at 2 GHz: 500]")
      ->type_name("N")
      ->check(whole_number(1));
  app.add_flag("--check", options->check,
               "only check a Kanata log of psim's against its grammar and the pipeline's rules");
  auto* const html =
      app.add_option("--html", options->html, "write the stage view as a self-contained HTML page")
          ->type_name("FILE.html");
  app.add_option("--energy", options->energy,
                 "result of psim run --energy --json: power over time beneath the stages")
      ->type_name("RESULT.json")
      ->needs(html);
  for (const char* terminal_only : {"--width", "--whole", "--color", "--no-color", "--no-pager", "--check"})
    html->excludes(app.get_option(terminal_only));
  return [options] {
    return options->check          ? check_dump(*options)
           : options->html.empty() ? show_dump(*options)
                                   : write_page(*options);
  };
}

}  // namespace

const Command kView{
    .name = "view",
    .usage = "DUMP",
    .summary = "show a stage dump in the terminal, or as a page",
    .examples =
        "  psim run --kanata run.kanata --window cycles=0:2000 ./prog\n"
        "  psim view run.kanata\n"
        "  psim view run.kanata --from 500 --to 600\n"
        "  psim view run.kanata --pc 0x100a40 --count 30 --no-color\n"
        "  psim view --html run.html run.kanata\n"
        "  psim view --check run.kanata\n"
        "  gzip -dc run.kanata.gz | psim view -\n",
    .setup = set_up_view,
};

}  // namespace psim::commands
