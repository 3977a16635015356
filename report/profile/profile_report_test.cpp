// SPDX-License-Identifier: Apache-2.0
// A run of five instructions, by hand: main at 0x1000 calls f at 0x2000, which returns. Each commits alone;
// the core waits 10 cycles of memory for f's first, and refills for 5 after f's return, which was
// mispredicted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/profile/callgrind_file.h"
#include "report/profile/profile_json.h"
#include "report/profile/profile_section.h"
#include "report/profile/profile_text.h"

namespace psim::report {
namespace {

using pipeline::CpiPart;
using ::testing::HasSubstr;
using ::testing::Not;

struct FiveInstructions {
  FiveInstructions() {
    call.branch = isa::BranchKind::Call;
    leave.branch = isa::BranchKind::Return;
    plain.word = 1, call.word = 2, leave.word = 3;
    commit(0x1000, call, 0x2000);
    commit(0x1004, plain);
    profile.store_missed(0x1004, false);
    profile.waited_for_line(10);
    commit(0x2000, leave, 0x1008, [](pipeline::InFlight& e) {
      e.level = pipeline::Level::Memory;
      e.mispredicted = true;
    });
    commit(0x2004, plain);
    profile.waited(CpiPart::Branch, 5, true);
    commit(0x1008, plain, 0, [](pipeline::InFlight& e) { e.fetch_missed = true; });
    profile.waited(CpiPart::Drain, 2, true);
    profile.finish();
    names.line_of = [](std::uint64_t pc) {
      return CodeNames::Line{pc < 0x2000 ? "a.c" : "b.c", pc < 0x2000 ? 3 : 7};
    };
    names.functions = {{0x1000, 0x0c, "main"}, {0x2000, 0, "<f>"}};
    names.disassemble = [](std::uint32_t word, std::uint64_t) { return "word " + std::to_string(word); };
  }
  void commit(
      std::uint64_t pc, const isa::StaticInstruction& instruction, std::uint64_t target = 0,
      const std::function<void(pipeline::InFlight&)>& change = [](pipeline::InFlight&) {}) {
    pipeline::InFlight& e = window[1];
    e = {};
    e.record.pc = pc, e.record.target = target;
    e.record.instruction = &instruction;
    change(e);
    profile.committed(window, 1, 1, 1);
  }

  isa::StaticInstruction plain, call, leave;
  pipeline::InFlightRing window{8};
  pipeline::Profile profile;
  CodeNames names;
};

TEST(ProfileReport, CallgrindFileHasCostsOfInstructionsAndInclusiveCostsOfCalls) {
  const FiveInstructions run;
  EXPECT_EQ(callgrind_file(NamedProfile(run.profile, run.names), "psim", "a.out", "a.out 1"),
            "# callgrind format\nversion: 1\ncreator: psim\ncmd: a.out 1\npart: 1\n\npositions: instr line\n"
            "event: L1Imisses : Instruction cache misses\nevent: L1Dmisses : L1 misses of loads\n"
            "event: L2misses : L2 misses of loads\nevent: Mispredictions : Mispredicted branches\n"
            "event: StoreL1Dmisses : L1 misses of stores\nevent: StoreL2misses : L2 misses of stores\n"
            "events: Cycles Instructions L1Imisses L1Dmisses L2misses Mispredictions StoreL1Dmisses "
            "StoreL2misses\nsummary: 22 5 1 1 1 1 1 0\n\n"
            "ob=a.out\n"
            "\nfl=(1) a.c\nfn=(1) main\n"
            "0x1000 3 1 1 0 0 0 0 0 0\n"
            "cfi=(2) b.c\ncfn=(2) <f>\ncalls=1 0x2000 7\n0x1000 3 17 2 0 1 1 1 0 0\n"
            "0x1004 3 1 1 0 0 0 0 1 0\n"
            "0x1008 3 3 1 1 0 0 0 0 0\n"
            "\nfl=(2)\nfn=(2)\n"
            "0x2000 7 16 1 0 1 1 1 0 0\n"
            "0x2004 7 1 1 0 0 0 0 0 0\n"
            "\ntotals: 22 5 1 1 1 1 1 0\n");
}

TEST(ProfileReport, ResultHasFunctionsAndLinesByCycles) {
  const FiveInstructions run;
  const auto profile = profile_json(NamedProfile(run.profile, run.names));
  const auto& functions = profile["functions"];
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(
      functions[0].dump(),
      R"({"name":"<f>","address":"0x2000","file":"b.c","line":7,"calls":1,"inclusive_cycles":17,"cycles":17,)"
      R"("instructions":2,"l1i_misses":0,"l1d_misses":1,"l2_misses":1,"mispredictions":1,"store_l1d_misses":0,"store_l2_misses":0,)"
      R"("cpi_stack":{"base":2,"branch":5,"memory":10}})");
  EXPECT_EQ(functions[1]["name"], "main");
  EXPECT_EQ(functions[1]["cycles"], 5);
  EXPECT_EQ(
      profile["lines"][1].dump(),
      R"({"file":"a.c","line":3,"cycles":5,"instructions":3,"l1i_misses":1,"l1d_misses":0,"l2_misses":0,)"
      R"("mispredictions":0,"store_l1d_misses":1,"store_l2_misses":0,"cpi_stack":{"base":3,"drain":2}})");
  EXPECT_EQ(
      profile["listings"][0]["instructions"][1].dump(),
      R"({"pc":"0x2004","text":"word 1","file":"b.c","line":7,"cycles":1,"instructions":1,"cpi_stack":{"base":1}})");
}

TEST(ProfileReport, CodeWithoutSymbolsIsCutAtTheTargetsOfCalls) {
  FiveInstructions run;
  run.names.functions.clear();
  run.names.line_of = nullptr;
  const NamedProfile profile(run.profile, run.names);
  ASSERT_EQ(profile.functions.size(), 2u);
  EXPECT_EQ(profile.functions[0].name, "0x1000");
  EXPECT_EQ(profile.functions[1].name, "0x2000");
  EXPECT_EQ(profile.functions[1].calls, 1u);
  EXPECT_TRUE(profile.lines.empty());
}

TEST(ProfileReport, TextAndPageShowTheSameNumbers) {
  const FiveInstructions run;
  const NamedProfile profile(run.profile, run.names);
  const std::string text = profile_text(profile, {.functions = 1, .lines = 10, .listed = 1});
  EXPECT_THAT(text, HasSubstr("           17  77.27             2  0.12         0          1         1       "
                              "  1         0         0  "
                              "memory 59 %             77.27           1  <f>\n  … 1 more\n"));
  EXPECT_THAT(text, HasSubstr("  a.c:3\n"));
  EXPECT_THAT(text, HasSubstr("0x0000000000002000  word 3\n"));
  EXPECT_THAT(text, Not(HasSubstr("0x0000000000001000")));
  const std::string page = profile_section({{"cycles", 22}, {"profile", profile_json(profile)}});
  EXPECT_THAT(page, HasSubstr("<code>&lt;f&gt;</code>"));
  EXPECT_THAT(page, Not(HasSubstr("<f>")));
  EXPECT_THAT(page, HasSubstr("<data value=\"17\">77.27 %</data>"));
  EXPECT_THAT(page, HasSubstr("title=\"Memory: 10 cycles, 58.82 %\""));
  EXPECT_THAT(page, HasSubstr("<code>word 3</code>"));
  EXPECT_EQ(profile_section({{"cycles", 22}}), "");
}

}  // namespace
}  // namespace psim::report
