// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any word decodes, analyses and disassembles, and the results agree with each other.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "isa/table/analyse.h"
#include "isa/table/disassemble.h"
#include "isa/table/spec.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check(std::uint32_t word, std::uint64_t pc) {
  using namespace psim::isa;
  const Spec& spec = decode(word);
  require((word & spec.pattern.mask) == spec.pattern.value);
  // Bits that the row does not fix do not change the row, unless a finer row has the word.
  const Spec& flipped = decode(word ^ ~spec.pattern.mask);
  require(&flipped == &spec || (flipped.effects & effect::kRefines) != 0 ||
          (spec.effects & effect::kReserved) != 0);

  const StaticInstruction instruction = analyse(word);
  require(instruction.spec == &spec && instruction.word == word);
  require(instruction.sources <= instruction.source.size());
  require(instruction.destinations <= instruction.destination.size());
  require(instruction.address_sources <= instruction.sources);
  for (unsigned i = 0; i < instruction.sources; ++i) {
    require(instruction.source[i].first != 0 && instruction.source[i].count != 0);
    require(instruction.source[i].first + instruction.source[i].count <= reg::kCount);
  }
  for (unsigned i = 0; i < instruction.destinations; ++i) {
    require(instruction.destination[i].first != 0 && instruction.destination[i].count != 0);
    require(instruction.destination[i].first + instruction.destination[i].count <= reg::kCount);
  }
  require(instruction.displacement % 4 == 0);
  require(!disassemble(word, pc).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (std::size_t at = 0; at + 4 <= size; at += 4) {
    std::uint32_t word;
    std::memcpy(&word, data + at, sizeof word);
    check(word, 0x100000 + at);
  }
  return 0;
}
