// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a stage dump: leniently, partially and strictly. All instructions that are passed on
// keep the guarantees of the readers.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "report/dump/kanata_reader.h"
#include "report/dump/o3_pipe_view_reader.h"
#include "report/dump/read_dump.h"

namespace {

using namespace psim::pipeline::dump;

struct Promises : DumpSink {
  explicit Promises(const StageNames& names) : names(names) {}
  void instruction(DumpedInstruction&& instruction) override {
    if (given != 0 && instruction.id <= last_id) std::abort();
    ++given;
    last_id = instruction.id;
    if (instruction.end < instruction.begin) std::abort();
    for (const DumpedStage& stage : instruction.stages)
      if (stage.name >= names.size() || stage.end < stage.begin || stage.begin < instruction.begin)
        std::abort();
    for (const DumpedWakeup& wakeup : instruction.wakeups)
      if (wakeup.cycle < instruction.begin) std::abort();
  }
  const StageNames& names;
  std::uint64_t given = 0, last_id = 0;
};

template <typename Read>
void attempt(std::string_view text, Read&& read) {
  try {
    LineReader lines(text, "fuzz");
    StageNames names;
    Promises promises(names);
    read(lines, names, promises);
  } catch (const psim::UserError&) {
    // The only exception that a reader may throw for bad bytes.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool partial : {false, true}) {
    const ReadOptions options{.strict = false, .partial = partial, .ticks_per_cycle = 500};
    attempt(text, [&](auto& lines, auto& names, auto& sink) { read_kanata(lines, options, names, sink); });
    attempt(text,
            [&](auto& lines, auto& names, auto& sink) { read_o3_pipe_view(lines, options, names, sink); });
  }
  attempt(text, [](auto& lines, auto&, auto&) { check_kanata(lines); });
  return 0;
}
