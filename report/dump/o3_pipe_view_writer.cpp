// SPDX-License-Identifier: Apache-2.0
#include "report/dump/o3_pipe_view_writer.h"

#include <algorithm>

#include "report/dump/dumped_instruction.h"

namespace psim::pipeline::dump {

namespace {
struct Ticks {
  std::uint64_t fetch = 0, decode = 0, rename = 0, dispatch = 0, issue = 0, complete = 0, retire = 0,
                store = 0;
};

Ticks ticks_of(const InstructionTimeline& timeline) {
  Ticks ticks;
  const auto& stages = timeline.stages;
  const auto once = [](std::uint64_t& tick, std::uint64_t cycle) {
    if (tick == 0) tick = cycle * kTicksPerCycle;
  };
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::uint64_t cycle = stages[i].cycle;
    const std::uint64_t left = i + 1 < stages.size() ? stages[i + 1].cycle : timeline.end;
    switch (stages[i].stage) {
      case Stage::IA:
        once(ticks.fetch, cycle);
        break;
      case Stage::E:
        once(ticks.decode, cycle);
        break;
      case Stage::D:
        once(ticks.rename, cycle);
        break;
      case Stage::P:
        if (ticks.rename != 0) once(ticks.dispatch, ticks.rename / kTicksPerCycle + 1);
        ticks.issue = cycle * kTicksPerCycle;
        break;
      case Stage::X:
      case Stage::Rs:
        ticks.complete = left * kTicksPerCycle;
        break;
      case Stage::W:
        ticks.retire = timeline.flushed ? 0 : cycle * kTicksPerCycle;
        break;
      default:
        break;
    }
  }
  if (timeline.instruction != nullptr && timeline.instruction->store) ticks.store = ticks.retire;
  return ticks;
}
}  // namespace

O3PipeViewWriter::O3PipeViewWriter(std::string path, Disassembler disassembler)
    : file_(std::move(path), "--o3"), texts_(std::move(disassembler)) {}

void O3PipeViewWriter::add(const InstructionTimeline& timeline) {
  const Ticks ticks = ticks_of(timeline);
  const std::string_view assembly = texts_.assembly(timeline).substr(0, 256);
  char* out = file_.reserve(1024);
  const auto words = [&](std::string_view piece) { out = std::copy(piece.begin(), piece.end(), out); };
  const auto time = [&](std::string_view name, std::uint64_t tick) {
    words(name);
    out = write_decimal(out, tick);
  };
  time("O3PipeView:fetch:", ticks.fetch);
  words(":0x");
  out = write_hex(out, timeline.pc, 8);
  words(":0:");
  out = write_decimal(out, timeline.sequence);
  *out++ = ':';
  // Readers split the line at colons.
  out = std::replace_copy(assembly.begin(), assembly.end(), out, ':', ' ');
  time("\nO3PipeView:decode:", ticks.decode);
  time("\nO3PipeView:rename:", ticks.rename);
  time("\nO3PipeView:dispatch:", ticks.dispatch);
  time("\nO3PipeView:issue:", ticks.issue);
  time("\nO3PipeView:complete:", ticks.complete);
  time("\nO3PipeView:retire:", ticks.retire);
  time(":store:", ticks.store);
  *out++ = '\n';
  file_.advance_to(out);
}

void O3PipeViewWriter::finish() { file_.commit(); }

}  // namespace psim::pipeline::dump
