// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/console.h"
#include "base/progress.h"
#include "isa/trace/text_trace.h"
#include "isa/trace/trace_source.h"
#include "psim/commands/command.h"
#include "psim/commands/trace_input.h"
#include "psim/commands/trace_record.h"

namespace psim::commands {
namespace {

namespace trace = isa::trace;

struct TraceOptions {
  std::string file;
  bool quiet = false;
  std::uint64_t from = 0, count = ~std::uint64_t{0};
  bool whole = false;
};

int info(const TraceOptions& options) {
  const auto bytes = open_trace(options.file);
  const trace::TraceFile file(options.file, *bytes);
  const auto line = [](std::string_view name, const auto& value) {
    console::print("{:<18} {}\n", name, value);
  };
  for (const auto& [name, value] : file.properties()) line(name, value);
  line("instructions", file.instructions());
  line("frames", file.frames());
  line("bytes", file.bytes());
  line("text_bytes", file.text_bytes());
  if (file.instructions())
    line("bytes/instruction",
         fmt::format("{:.4g}, {:.4g} without the text",
                     static_cast<double>(file.bytes()) / static_cast<double>(file.instructions()),
                     static_cast<double>(file.bytes() - file.text_bytes()) /
                         static_cast<double>(file.instructions())));
  for (const auto& [name, value] : file.ending()) line(name, value);
  return 0;
}

int text(const TraceOptions& options) {
  const auto bytes = open_trace(options.file);
  trace::TraceFile file(options.file, *bytes);
  trace::print_as_text(file, options.from, options.count, options.whole,
                       [](std::string_view line) { console::write(line); });
  return 0;
}

int verify(const TraceOptions& options) {
  const auto bytes = open_trace(options.file);
  trace::TraceFile file(options.file, *bytes);
  trace::TraceSource source(file);
  Progress progress(options.quiet);
  isa::InstructionRecord record;
  while (source.next(0, true, record) == isa::Pull::Record) {
    if (record.region_marker) source.take_region();
    if (source.position() % (1 << 20) == 0)
      progress.update([&](double elapsed) {
        return instructions_line(elapsed, source.position(), 0, {file.instructions()});
      });
  }
  source.check_used();
  progress.clear();
  console::print("{}: good: {} instructions in {} frames\n", options.file, source.position(), file.frames());
  return 0;
}

std::function<int()> set_up_trace(CLI::App& app) {
  auto options = std::make_shared<TraceOptions>();
  app.require_subcommand(1);
  CLI::App* record_app =
      app.add_subcommand("record", "run a program functionally and record it: PROG [ARG…]");
  const std::function<int()> record = setup_trace_record(*record_app);
  CLI::App* info_app = app.add_subcommand("info", "print the properties and the size of a trace");
  info_app->add_option("TRACE", options->file, "a trace")->required();
  CLI::App* verify_app =
      app.add_subcommand("verify", "read a whole trace and check checksums and instructions");
  verify_app->add_option("TRACE", options->file, "a trace")->required();
  verify_app->add_flag("--quiet", options->quiet, "print no progress on standard error");
  CLI::App* text_app = app.add_subcommand("text", "print a trace as text, one line per instruction");
  text_app->add_option("TRACE", options->file, "a trace")->required();
  text_app->add_option("--from", options->from, "begin at instruction N of the trace [0]")
      ->type_name("N")
      ->check(whole_number(0));
  text_app->add_option("--count", options->count, "print N instructions [all]")
      ->type_name("N")
      ->check(whole_number(1));
  text_app->add_flag("--whole", options->whole,
                     "include the text image, so that `psim trace record --from-text` writes the same trace");
  return [=] {
    if (text_app->parsed()) return text(*options);
    if (record_app->parsed()) return record();
    if (info_app->parsed()) return info(*options);
    return verify(*options);
  };
}

}  // namespace

const Command kTrace{
    .name = "trace",
    .usage = "record|info|verify|text …",
    .summary = "record, inspect and check instruction traces",
    .examples =
        "  psim trace record -o a.trace ./a.out 1 2 3     # at near the speed of psim exec\n"
        "  psim trace record -o a.trace --region dgemm ./a.out\n"
        "  psim trace record -o a.trace --skip 1000000 --count 500000 ./a.out\n"
        "  psim trace info a.trace\n"
        "  psim trace verify a.trace\n"
        "  psim trace text --from 1000000 --count 20 a.trace\n"
        "  psim trace record --from-text foreign.txt -o foreign.trace\n"
        "  psim replay a.trace                            # on the cycle-level core\n"
        "\n"
        "A program recorded this way sees the clock of psim exec: one cycle per instruction. If it reads "
        "the\n"
        "time or sets timers, use `psim run --record-trace FILE`: its replay has the cycles of that run.\n",
    .setup = set_up_trace,
};

}  // namespace psim::commands
