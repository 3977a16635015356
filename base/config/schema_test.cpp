// SPDX-License-Identifier: Apache-2.0
#include "base/config/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config/print.h"

namespace psim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

enum class Replacement { Lru, Random };

struct Cache {
  Bytes size = 128_KiB, line = 64_B;
  std::uint32_t ways = 2;
  Cycles latency = 3_cycles;
  Hertz clock = 2_GHz;
  double share = 0.5;
  bool inclusive = true;
  Replacement replacement = Replacement::Lru;
  std::string label = "data";
};

struct SchemaTest : ::testing::Test {
  SchemaTest() {
    schema.section("l1", "cache");
    schema.add("l1.size", cache.size, {1_KiB, 1_MiB}, "capacity", "paper");
    schema.add("l1.line", cache.line, {16_B, 256_B, kPowerOfTwo}, "line", kAssumption);
    schema.add("l1.ways", cache.ways, {1, 64}, "associativity", "paper");
    schema.add("l1.latency", cache.latency, {1_cycles, 64_cycles}, "hit time", kAssumption);
    schema.add("l1.clock", cache.clock, {1_MHz, 100_GHz}, "clock", "paper");
    schema.add("l1.share", cache.share, {0.0, 1.0}, "share", kAssumption);
    schema.add("l1.inclusive", cache.inclusive, "holds the upper level", kAssumption);
    schema.add("l1.replacement", cache.replacement,
               {{"lru", Replacement::Lru}, {"random", Replacement::Random}}, "victim", kAssumption);
    schema.add("l1.label", cache.label, "name in reports", kAssumption);
    schema.rule(
        {"l1.size", "l1.ways", "l1.line"},
        [this] { return cache.size.count % (cache.ways * cache.line.count) == 0; },
        "l1.size must be a multiple of l1.ways × l1.line");
  }
  std::vector<std::string> apply(std::string_view toml) {
    Problems problems;
    schema.apply(read_toml(toml, "m.toml", problems), problems);
    return problems.lines();
  }
  Cache cache;
  Schema schema;
};

TEST_F(SchemaTest, ValuesLandInTheStructAndRememberTheirLine) {
  EXPECT_THAT(apply("[l1]\nsize = \"256 KB\"\nways = 4\nlatency = \"5 cycles\"\nclock = \"1.5 GHz\"\n"
                    "share = 0.25\ninclusive = false\nreplacement = \"random\"\nlabel = \"d\"\n"),
              IsEmpty());
  EXPECT_EQ(cache.size, 256_KiB);
  EXPECT_EQ(cache.ways, 4u);
  EXPECT_EQ(cache.latency, 5_cycles);
  EXPECT_EQ(cache.clock, 1500_MHz);
  EXPECT_EQ(cache.share, 0.25);
  EXPECT_FALSE(cache.inclusive);
  EXPECT_EQ(cache.replacement, Replacement::Random);
  EXPECT_EQ(cache.label, "d");
  EXPECT_EQ(schema.find("l1.ways")->origin.text(), "m.toml:3");
  EXPECT_EQ(schema.find("l1.line")->origin.text(), "default");
}

TEST_F(SchemaTest, EveryProblemIsReportedWithLineKeyValueAndTheExpectedValue) {
  EXPECT_THAT(
      apply("[l1]\nwayz = 4\nways = 0\nsize = 131072\nlatency = \"2 GHz\"\nline = \"48 B\"\nshare = 2.0\n"
            "inclusive = 1\nreplacement = \"lur\"\nlabel = 3\nclock = [1]\n"),
      ElementsAre(
          "m.toml:2: l1.wayz = 4: unknown key; did you mean l1.ways?",
          "m.toml:3: l1.ways = 0: expected 1 … 64",
          "m.toml:4: l1.size = 131072: has no unit; expected a size (1 KiB … 1 MiB), like \"128 KiB\"",
          "m.toml:5: l1.latency = \"2 GHz\": has 'GHz' where a unit (cycle, cycles) belongs; expected a "
          "number of cycles (1 cycle … 64 cycles), like \"12 cycles\"",
          "m.toml:6: l1.line = \"48 B\": expected 16 B … 256 B, a power of two",
          "m.toml:7: l1.share = 2: expected 0 … 1", "m.toml:8: l1.inclusive = 1: expected true or false",
          "m.toml:9: l1.replacement = \"lur\": expected one of lru, random; did you mean \"lru\"?",
          "m.toml:10: l1.label = 3: expected text in quotes",
          "m.toml:11: l1.clock = […]: expected a frequency (1 MHz … 100 GHz), not an array"));
}

TEST_F(SchemaTest, AValueMaySayWhereItComesFromAndPrintsSo) {
  EXPECT_THAT(apply("[l1]\nways = { value = 4, source = \"data sheet\" }\nline = { value = \"32 B\" }\n"),
              IsEmpty());
  EXPECT_EQ(cache.ways, 4u);
  EXPECT_EQ(cache.line, 32_B);
  EXPECT_EQ(schema.find("l1.ways")->source, "data sheet");
  EXPECT_EQ(schema.find("l1.line")->source, kAssumption);
  EXPECT_THAT(config_toml(schema), HasSubstr("ways = { value = 4, source = \"data sheet\" }"));
  EXPECT_THAT(apply("[l1]\nways = { value = 400, source = 7 }\nlatency = { sauce = \"x\" }\n"),
              ElementsAre(HasSubstr("l1.ways.source = 7: expected text"),
                          HasSubstr("l1.ways.value = 400: expected 1 … 64"), HasSubstr("l1.latency.sauce")));
}

TEST_F(SchemaTest, ARefusedValueLeavesTheDefault) {
  apply("l1.ways = -3");
  EXPECT_EQ(cache.ways, 2u);
}

TEST_F(SchemaTest, ABrokenRuleNamesAllItsKeysAtTheOneThatWasSet) {
  EXPECT_THAT(apply("\n[l1]\nways = 3"),
              ElementsAre("m.toml:3: l1.size = 128 KiB, l1.ways = 3, l1.line = 64 B: "
                          "l1.size must be a multiple of l1.ways × l1.line"));
}

TEST_F(SchemaTest, ARuleIsNotJudgedOnARefusedValue) {
  EXPECT_THAT(apply("l1.ways = 3\nl1.line = \"1 B\""), ElementsAre(HasSubstr("l1.line")));
}

TEST_F(SchemaTest, AStructsOwnCheckIsReportedWhereItsKeyWasSet) {
  schema.validate([this](Problems& problems) {
    if (cache.ways == 5) problems.add("l1.ways", "5 — expected anything else");
  });
  EXPECT_THAT(apply("l1.ways = 4"), IsEmpty());
  EXPECT_THAT(apply("\nl1.size = \"320 KB\"\nl1.ways = 5"),
              ElementsAre("m.toml:3: l1.ways: 5 — expected anything else"));
}

TEST_F(SchemaTest, AStructsOwnCheckOfSeveralKeysHasTheirValuesAndTheLocationOfTheLast) {
  schema.validate([this](Problems& problems) {
    if (cache.ways == 5) problems.add("l1.size, l1.ways", "expected anything else");
  });
  EXPECT_THAT(apply("\nl1.size = \"320 KB\"\nl1.ways = 5"),
              ElementsAre("m.toml:3: l1.size = 320 KiB, l1.ways = 5: expected anything else"));
  EXPECT_THAT(apply("\nl1.ways = 5\nl1.size = \"320 KB\""),
              ElementsAre("m.toml:3: l1.size = 320 KiB, l1.ways = 5: expected anything else"));
  // A second file comes after all settings of the first.
  EXPECT_THAT(apply("l1.ways = 4\nl1.line = \"64 B\"\nl1.size = \"320 KB\""), IsEmpty());
  EXPECT_THAT(apply("l1.ways = 5"),
              ElementsAre("m.toml:1: l1.size = 320 KiB, l1.ways = 5: expected anything else"));
}

TEST_F(SchemaTest, APlainNumberIsWrittenWithItsUnit) {
  std::uint32_t latency = 3;
  double clock = 2e9;
  schema.add("l2.latency", latency, Dimension::Cycles, {1, 100}, "hit time", kAssumption);
  schema.add("l2.clock", clock, Dimension::Frequency, {1e6, 1e11}, "clock", kAssumption);
  EXPECT_THAT(apply("l2.latency = \"7 cycles\"\nl2.clock = \"2.5 GHz\""), IsEmpty());
  EXPECT_EQ(latency, 7u);
  EXPECT_EQ(clock, 2.5e9);
  EXPECT_THAT(apply("l2.latency = 8"), ElementsAre(HasSubstr("has no unit")));
}

TEST_F(SchemaTest, AnOverrideReadsLikeTheFileAndWins) {
  Problems problems;
  std::vector<Setting> settings = read_toml("l1.ways = 4\nl1.latency = \"4 cycles\"", "m.toml", problems);
  settings.push_back(parse_override("l1.ways=8"));
  settings.push_back(parse_override("l1.latency = \"9 cycles\""));
  settings.push_back(parse_override("l1.inclusive=false"));
  schema.apply(settings, problems);
  EXPECT_THAT(problems.lines(), IsEmpty());
  EXPECT_EQ(cache.ways, 8u);
  EXPECT_EQ(cache.latency, 9_cycles);
  EXPECT_FALSE(cache.inclusive);
  EXPECT_EQ(schema.find("l1.ways")->origin.text(), "--set");
  EXPECT_THROW(parse_override("l1.ways"), UserError);
  EXPECT_THROW(parse_override("=3"), UserError);
}

TEST_F(SchemaTest, ExamplesOfAKeyAreWithinItsLimitsFromTheLeastToTheGreatest) {
  for (const Field& field : schema.fields())
    for (const double position : {0.0, 0.01, 0.3, 0.5, 0.77, 0.999, 1.0}) {
      const std::string value = field.example(position);
      EXPECT_EQ(field.set({.key = field.key, .value = value, .kind_name = {}, .origin = {}}), "")
          << field.key << " = " << value;
      EXPECT_EQ(field.text(), value) << field.key;
    }
  EXPECT_EQ(schema.find("l1.line")->example(0), "16 B");
  EXPECT_EQ(schema.find("l1.line")->example(1), "256 B");
  EXPECT_EQ(schema.find("l1.ways")->example(0.5), "10");  // √(2 × 65) − 1 is 10.4
  EXPECT_EQ(schema.find("l1.share")->example(0.25), "0.25");
  EXPECT_EQ(schema.find("l1.replacement")->example(0.6), "random");
}

TEST_F(SchemaTest, AKeyDescribedTwiceOrARuleOnNoKeyIsOurBug) {
  EXPECT_THROW(schema.add("l1.ways", cache.ways, {1, 2}, "", ""), std::logic_error);
  EXPECT_THROW(schema.rule(
                   {"l1.wayz"}, [] { return true; }, ""),
               std::logic_error);
}

TEST(Toml, WhateverTheBytesTheAnswerIsALineNotACrash) {
  const auto problem = [](const std::string& text) {
    Problems problems;
    read_toml(text, "m.toml", problems);
    return problems.empty() ? std::string() : problems.lines().front();
  };
  std::string deep = "a = ", dotted = "a", layered;
  for (int i = 0; i < 100'000; ++i) deep += '[', dotted += ".a";
  EXPECT_EQ(problem(deep), "m.toml:1: nested more than 32 deep");
  EXPECT_EQ(problem(dotted + " = 1"), "m.toml:1: more than 32 dots in a line");
  EXPECT_EQ(problem(std::string(2'000'000, ' ')),
            "m.toml: 2000000 bytes; a configuration has at most 1048576");
  EXPECT_THAT(problem("x = \n"), HasSubstr("m.toml:1: not TOML: "));
  EXPECT_THAT(problem("\n\nx = \"open\n"), HasSubstr("m.toml:3: not TOML: "));
  EXPECT_THAT(problem("a = 1\na = 2"), HasSubstr("not TOML"));
  EXPECT_THAT(problem("a = 99999999999999999999999"), HasSubstr("not TOML"));
  EXPECT_THAT(problem("\xff\xfe = 1"), HasSubstr("not TOML"));
  EXPECT_EQ(
      problem("# [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\nd = 1979-05-27T07:32:00Z\nf = nan\n'ключ' = 1"),
      "");
}

}  // namespace
}  // namespace psim
