// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/capabilities.h"

namespace psim::isa::assembler {
namespace {

using u64 = std::uint64_t;

void put_leb(std::string& out, u64 value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}
void put_word(std::string& out, std::size_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

}  // namespace

std::string gnu_attributes(u64 capabilities) {
  if (capabilities == 0) return {};
  std::string tags;
  if (const u64 first = capabilities & 0xffffffff) put_leb(tags, 4), put_leb(tags, first);
  if (const u64 second = capabilities >> 32) put_leb(tags, 8), put_leb(tags, second);
  std::string scope(1, '\1');  // the whole file
  put_word(scope, 1 + 4 + tags.size());
  std::string all = "A";
  put_word(all, 4 + 4 + scope.size() + tags.size());
  all += std::string("gnu\0", 4) + scope + tags;
  return all;
}

}  // namespace psim::isa::assembler
