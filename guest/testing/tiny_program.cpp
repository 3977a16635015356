// SPDX-License-Identifier: Apache-2.0
#include "guest/testing/tiny_program.h"

#include <elf.h>

namespace psim::isa::testing {

namespace {

class Writer {
 public:
  void put(std::uint64_t value, unsigned size) {
    for (unsigned i = size; i-- > 0;) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
  }
  std::vector<std::byte> bytes;
};

}  // namespace

std::vector<std::byte> tiny_elf(const std::vector<std::uint32_t>& words) {
  constexpr std::uint64_t kBase = 0x100000, kHeaders = 64 + 56;
  const std::uint64_t size = kHeaders + words.size() * 4;
  Writer w;
  for (const int c : {0x7F, int{'E'}, int{'L'}, int{'F'}, ELFCLASS64, ELFDATA2MSB, EV_CURRENT})
    w.put(static_cast<std::uint64_t>(c), 1);
  w.put(0, 8), w.put(0, 1);
  w.put(ET_EXEC, 2), w.put(EM_SPARCV9, 2), w.put(EV_CURRENT, 4);
  w.put(kTinyEntry, 8), w.put(64, 8), w.put(0, 8), w.put(0, 4);
  w.put(64, 2), w.put(56, 2), w.put(1, 2), w.put(64, 2), w.put(0, 2), w.put(0, 2);
  w.put(PT_LOAD, 4), w.put(PF_R | PF_W | PF_X, 4);
  w.put(0, 8), w.put(kBase, 8), w.put(kBase, 8), w.put(size, 8), w.put(size, 8), w.put(0x100000, 8);
  for (const std::uint32_t word : words) w.put(word, 4);
  return w.bytes;
}

TinyProgram::TinyProgram(std::vector<std::uint32_t> words, bool timed) {
  ProcessOptions options;
  options.arguments = {"tiny"};
  options.timed = timed;
  process_ = std::make_unique<Process>(parse_elf("tiny", tiny_elf(words)), options);
}

}  // namespace psim::isa::testing
