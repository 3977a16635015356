// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/table/disassemble.h"
#include "isa/trace/text_trace.h"

namespace psim::isa::trace {

namespace {
constexpr std::size_t kWordsOfLine = 8;

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + '"';
}

using Print = std::function<void(std::string_view)>;

void print_words(std::uint64_t address, std::span<const std::uint32_t> words, const Print& print) {
  while (!words.empty()) {
    const auto now = words.first(std::min(kWordsOfLine, words.size()));
    std::string line = fmt::format("text {:#x}:", address);
    for (const std::uint32_t word : now) line += fmt::format(" {:#010x}", word);
    print(line + "\n");
    address += 4 * now.size();
    words = words.subspan(now.size());
  }
}

void print_transfer(std::uint64_t number, const BlockTransfer& t, const Print& print) {
  print(fmt::format("transfer {} {:d} {} {} {} {} {} {} {} {} {}\n", number, t.put, t.tag, t.pes,
                    static_cast<std::int64_t>(t.memory), t.pe_stride, t.row_stride, t.sbm_offset, t.sbm_pitch,
                    t.row_bytes, t.rows));
}
}  // namespace

void print_as_text(TraceFile& file, std::uint64_t first, std::uint64_t count, bool with_text,
                   const Print& print) {
  print(fmt::format("psim-trace {}\n", kTextVersion));
  for (const auto& [name, value] : file.properties())
    print(fmt::format("property {} = {}\n", name, in_quotes(value)));
  std::string changes;  // changes of the text, written after the lines that they follow
  TraceSource source(file, first, count);
  if (with_text) {
    source.image().for_each_run([&](std::uint64_t address, std::span<const std::uint32_t> words) {
      print_words(address, words, print);
    });
    source.image().for_each_zero_run([&](std::uint64_t address, std::uint64_t pages) {
      print(fmt::format("zeros {:#x} {}\n", address, pages));
    });
    source.set_text_listener(
        [&](std::uint64_t address, std::span<const std::uint32_t> words, std::uint64_t bytes) {
          if (words.empty()) changes += fmt::format("notext {:#x} {}\n", address, bytes);
          print_words(address, words, [&](std::string_view line) { changes += line; });
        });
  }
  int window = -1;
  unsigned simd = 0, pes = 0;
  TextImage image;  // for the properties that a line must state
  for (InstructionRecord record;;) {
    Pull pull = source.next(0, false, record);
    const bool waited = pull == Pull::WaitUntilOldest;
    if (waited) pull = source.next(0, true, record);
    if (!changes.empty()) print(std::exchange(changes, {}));
    if (waited && (pull == Pull::End || !record.instruction->timed)) print("wait\n");
    if (pull == Pull::End) break;
    if (record.signal) print("signal\n");
    if (record.simd != simd || record.pes != pes) {
      simd = record.simd, pes = record.pes;
      print(fmt::format("simd {} {}\n", simd, pes));
    }
    if (record.kind != RecordKind::Instruction) {
      if (record.first_of_trap)
        print(fmt::format("{} {:#x} window {}\n", record.kind == RecordKind::SpillStore ? "spill" : "fill",
                          record.address, record.window));
      continue;
    }
    if (record.window != window) print(fmt::format("window {}\n", window = record.window));
    if (record.region_marker) {
      const RegionMarker marker = source.take_region();
      std::string line = fmt::format("{} {}", marker.begin ? "begin" : "end", in_quotes(marker.name));
      for (const std::int64_t argument : marker.arguments) line += fmt::format(" {}", argument);
      print(line + "\n");
    }
    image.set(record.pc, {&record.instruction->word, 1});
    const TextImage::Entry& entry = *image.at(record.pc);
    std::string line = fmt::format("{:#x}: {:#010x}", record.pc, record.instruction->word);
    if (entry.address) line += fmt::format(" @{:#x}", record.address);
    if (record.sbm) line += fmt::format(" sbm {:#x}", record.target);
    if (record.instruction->latency == LatencyClass::TransferSync)
      line += fmt::format(" tags {:#x}", record.target);
    if (record.instruction->latency == LatencyClass::BlockTransfer)
      print_transfer(record.target, source.transfer(record), print);
    const Outcome outcome = outcome_of(entry);
    if (outcome == Outcome::Branch) line += record.taken ? " taken" : " untaken";
    if (outcome == Outcome::Trap && record.taken) line += " taken";
    if (outcome == Outcome::Target) line += fmt::format(" -> {:#x}", record.target);
    print(fmt::format("{:<48} ! {}\n", line, disassemble(record.instruction->word, record.pc)));
  }
}

}  // namespace psim::isa::trace
