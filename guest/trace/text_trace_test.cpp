// SPDX-License-Identifier: Apache-2.0
#include "isa/trace/text_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "guest/trace/testing/recordings.h"

namespace psim::isa::trace {
namespace {

std::string made_of(std::string_view text) {
  std::string trace;
  TraceFileWriter file(std::make_unique<MemorySink>(trace));
  write_from_text(text, "t.txt", file);
  return trace;
}

std::string text_of(const std::string& trace) {
  MemoryBytes bytes(trace);
  TraceFile file("memory", bytes);
  std::string text;
  print_as_text(file, 0, ~std::uint64_t{0}, true, [&](std::string_view line) { text += line; });
  return text;
}

std::string complaint_of(std::string_view text) {
  try {
    made_of(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(TextTrace, TheTextOfATraceMakesTheSameRecords) {
  for (const std::string& trace :
       {testing::recorded(testing::kBusyProgram), testing::recorded_live(testing::kBusyProgram),
        testing::recorded(testing::kSimdProgram)}) {
    const std::string again = made_of(text_of(trace));
    EXPECT_EQ(testing::replayed(again), testing::replayed(trace));
    EXPECT_EQ(text_of(again), text_of(trace));
  }
}

TEST(TextTrace, AHandWrittenTraceIsRead) {
  const std::string trace = made_of(
      "# by hand\n"
      "psim-trace 1\n"
      "property program = \"by hand\"\n"
      "window 2\n"
      "begin \"loop\" 3 -1\n"
      "0x1000: 0x013051d2\n"
      "0x1004: .word 0xd25a0000 @0x40000000   ! ldx [%o0], %o1\n"
      "4104 0x126ffffe taken                  ! bne %xcc, 0x1000\n"
      "0x100c: 0x01000000\n"
      "0x1000: 0x81c3e008 -> 0x2000           ! retl\n");
  EXPECT_EQ(testing::replayed(trace), (std::vector<std::string>{
                                          "0x1000 0x013051d2 kind 0 window 2 @0x0 0x0 marker pes 0",
                                          "0x1004 0xd25a0000 kind 0 window 2 @0x40000000 0x0 pes 0",
                                          "0x1008 0x126ffffe kind 0 window 2 @0x0 taken 0x1000 pes 0",
                                          "0x100c 0x01000000 kind 0 window 2 @0x0 0x0 pes 0",
                                          "0x1000 0x81c3e008 kind 0 window 2 @0x0 taken 0x2000 pes 0",
                                      }));
}

TEST(TextTrace, MistakesAreReportedWithLineAndColumn) {
  const std::string head = "psim-trace 1\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"hello", "t.txt:1:1: got hello, expected an instruction"},
      {"0x1000: 0\n", "t.txt:1:1: expected \"psim-trace 1\""},
      {"psim-trace 2\n", "t.txt:1:1: expected \"psim-trace 1\""},
      {head + "0x1000: zz\n", "t.txt:2:9: got zz, expected a number"},
      {head + "0x1001: 0\n", "t.txt:2:1: address 0x1001: expected a multiple of 4"},
      {head + "0x1000: 0x123456789\n", "t.txt:2:1: word 0x123456789: expected 32 bits"},
      {head + "0x1000: 0x01000000 @\n", "t.txt:2:21: got the end of the line, expected a number"},
      {head + "  0x1000: 0xd25a0000\n", "accesses memory; expected @ADDRESS"},
      {head + "0x1000: 0x01000000 @8\n", "nop: accesses no memory"},
      {head + "0x1000: 0x126ffffe\n", "is conditional; expected taken or untaken"},
      {head + "0x1000: 0x126ffffe taken -> 8\n", "-> 0x8: it leads to 0xff8"},
      {head + "0x1000: 0x81c3e008\n", "jumps; expected -> TARGET"},
      {head + "0x1000: 0x01000000 nonsense\n", "t.txt:2:20: got nonsense, expected the end of the line"},
      {head + "window 8\n", "t.txt:2:1: window 8: expected 0 to 7"},
      {head, "holds no instruction"},
      {head + "property x \"y\"\n", "t.txt:2:12: got \"y\", expected '='"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_THAT(complaint_of(text), ::testing::HasSubstr(expected)) << text;
}

}  // namespace
}  // namespace psim::isa::trace
