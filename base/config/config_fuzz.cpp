// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a machine file, applies them to a schema with every kind of key, prints and rereads it.
#include <cstdint>
#include <cstdlib>

#include "base/config/print.h"
#include "base/config/schema.h"

namespace {

enum class Choice { One, Two };

struct Values {
  bool truth = true;
  std::string text = "x";
  double number = 0.5;
  std::uint32_t count = 4;
  psim::Cycles cycles{3};
  psim::Bytes size{1024};
  psim::Hertz clock{2'000'000'000};
  psim::BytesPerSecond bandwidth{1'000'000};
  psim::Picoseconds time{1000};
  Choice choice = Choice::One;
};

void describe(psim::Schema& schema, Values& v) {
  using namespace psim::literals;
  schema.add("a.truth", v.truth, "", "");
  schema.add("a.text", v.text, "", "");
  schema.add("a.number", v.number, {-1e300, 1e300}, "", "");
  schema.add("a.count", v.count, {1, 1u << 31}, "", "");
  schema.add("a.cycles", v.cycles, {0_cycles, psim::Cycles{INT64_MAX}}, "", "");
  schema.add("a.size", v.size, {0_B, psim::Bytes{INT64_MAX}, psim::kPowerOfTwo}, "", "");
  schema.add("a.clock", v.clock, {0_Hz, psim::Hertz{INT64_MAX}}, "", "");
  schema.add("a.bandwidth", v.bandwidth, {0_MBps, psim::BytesPerSecond{INT64_MAX}}, "", "");
  schema.add("a.time", v.time, {0_ps, psim::Picoseconds::max()}, "", "");
  schema.add("a.choice", v.choice, {{"one", Choice::One}, {"two", Choice::Two}}, "", "");
  schema.rule(
      {"a.count", "a.size"}, [&v] { return v.size.count % v.count == 0; }, "a multiple");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Values values;
  psim::Schema schema;
  describe(schema, values);
  psim::Problems problems;
  schema.apply(psim::read_toml(text, "fuzz", problems), problems);
  if (!problems.empty()) return 0;

  // Accepted input prints as a file that is accepted and has the same meaning.
  const std::string printed = psim::config_toml(schema);
  Values copy;
  psim::Schema reread;
  describe(reread, copy);
  psim::Problems none;
  reread.apply(psim::read_toml(printed, "printed", none), none);
  for (std::size_t i = 0; i < schema.fields().size(); ++i)
    if (!none.empty() || schema.fields()[i].text() != reread.fields()[i].text()) std::abort();
  return 0;
}
