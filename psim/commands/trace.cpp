// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "base/progress.h"
#include "isa/trace/trace_source.h"
#include "psim/commands/command.h"
#include "psim/commands/trace_record.h"

namespace psim::commands {
namespace {

namespace trace = isa::trace;

struct Options {
  std::string file;
  bool quiet = false;
};

int info(const Options& options) {
  const auto bytes = trace::open_trace_bytes(options.file);
  const trace::TraceFile file(options.file, *bytes);
  const auto line = [](std::string_view name, const auto& value) { fmt::print("{:<18} {}\n", name, value); };
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

int verify(const Options& options) {
  const auto bytes = trace::open_trace_bytes(options.file);
  trace::TraceFile file(options.file, *bytes);
  trace::TraceSource source(file);
  Progress progress("instructions", options.quiet);
  isa::InstructionRecord record;
  while (source.next(0, true, record) == isa::Pull::Record) {
    if (record.region_marker) source.take_region();
    if (source.position() % (1 << 20) == 0) progress.update(source.position(), 0);
  }
  source.check_used();
  progress.clear();
  fmt::print("{}: good: {} instructions in {} frames\n", options.file, source.position(), file.frames());
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.require_subcommand(1);
  CLI::App* record_app =
      app.add_subcommand("record", "run a program functionally and record it: PROG [ARG…]");
  const std::function<int()> record = setup_trace_record(*record_app);
  CLI::App* info_app = app.add_subcommand("info", "what a trace says of itself, and its size");
  info_app->add_option("TRACE", options->file, "a trace")->required()->check(file_name());
  CLI::App* verify_app =
      app.add_subcommand("verify", "read all of a trace: checksums, and every instruction");
  verify_app->add_option("TRACE", options->file, "a trace")->required()->check(file_name());
  verify_app->add_flag("--quiet", options->quiet, "no progress on standard error");
  return [=] {
    if (record_app->parsed()) return record();
    if (info_app->parsed()) return info(*options);
    return verify(*options);
  };
}

}  // namespace

const Command kTrace{
    .name = "trace",
    .usage = "record|info|verify …",
    .summary = "record, inspect and check instruction traces",
    .examples =
        "  psim trace record -o a.trace ./a.out 1 2 3     # at near the speed of psim exec\n"
        "  psim trace record -o a.trace --region dgemm ./a.out\n"
        "  psim trace record -o a.trace --skip 1000000 --count 500000 ./a.out\n"
        "  psim trace info a.trace\n"
        "  psim trace verify a.trace\n"
        "  psim replay a.trace                            # on the cycle-level core\n"
        "\n"
        "A program recorded so sees the clock of psim exec: one cycle an instruction. Where it asks for the\n"
        "time, or sets timers, use `psim run --record-trace FILE`: its replay has the cycles of that run.\n",
    .setup = setup,
};

}  // namespace psim::commands
