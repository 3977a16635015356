// SPDX-License-Identifier: Apache-2.0
#include "report/dump/text_cache.h"

#include "report/dump/buffered_file.h"

namespace psim::pipeline::dump {

void TextCache::fill(Entry& entry, const InstructionTimeline& timeline) {
  entry.pc = timeline.pc;
  entry.instruction = timeline.instruction;
  char pc[16];
  entry.line.assign("0x").append(pc, write_hex(pc, timeline.pc, 8)).append(": ");
  entry.assembly = entry.line.size();
  entry.line += entry.instruction == nullptr ? "no text" : disassembler_(*entry.instruction, entry.pc);
  for (char& c : entry.line)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
}

}  // namespace psim::pipeline::dump
