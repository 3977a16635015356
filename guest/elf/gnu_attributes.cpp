// SPDX-License-Identifier: Apache-2.0
#include "guest/elf/gnu_attributes.h"

#include <algorithm>
#include <string_view>

namespace psim::isa {

namespace {

// A cursor that stays inside its bytes; `ok` becomes false at the first read beyond them.
struct Cursor {
  std::span<const std::byte> bytes;
  bool ok = true;

  std::uint8_t byte() {
    if (bytes.empty()) return ok = false, std::uint8_t{0};
    const auto value = static_cast<std::uint8_t>(bytes.front());
    bytes = bytes.subspan(1);
    return value;
  }
  std::uint32_t word() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | byte();
    return value;
  }
  std::uint64_t uleb128() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      value |= std::uint64_t{part & 0x7Fu} << shift;
      if (!(part & 0x80) || !ok) break;
    }
    return value;
  }
  std::string_view string() {
    const auto nul = std::find(bytes.begin(), bytes.end(), std::byte{0});
    if (nul == bytes.end()) return ok = false, bytes = {}, std::string_view{};
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                                static_cast<std::size_t>(nul - bytes.begin()));
    bytes = bytes.subspan(text.size() + 1);
    return text;
  }
  // Returns the next `size` bytes as a cursor of their own.
  Cursor part(std::size_t size) {
    if (size > bytes.size()) return ok = false, Cursor{{}, false};
    const Cursor inner{bytes.first(size)};
    bytes = bytes.subspan(size);
    return inner;
  }
};

constexpr std::uint64_t kTagFile = 1, kTagSparcHwcaps = 4, kTagCompatibility = 32;

std::uint32_t file_scope(Cursor attributes) {
  std::uint32_t capabilities = 0;
  while (attributes.ok && !attributes.bytes.empty()) {
    const std::uint64_t tag = attributes.uleb128();
    // Odd tags carry a string, even ones a number; Tag_compatibility carries both.
    if (tag == kTagCompatibility) {
      attributes.uleb128(), attributes.string();
    } else if (tag & 1) {
      attributes.string();
    } else {
      const std::uint64_t value = attributes.uleb128();
      if (tag == kTagSparcHwcaps && attributes.ok) capabilities |= static_cast<std::uint32_t>(value);
    }
  }
  return capabilities;
}

}  // namespace

std::uint32_t sparc_hardware_capabilities(std::span<const std::byte> section) {
  Cursor all{section};
  if (all.byte() != 'A') return 0;
  std::uint32_t capabilities = 0;
  while (all.ok && !all.bytes.empty()) {
    const std::uint32_t size = all.word();  // counts itself
    if (size < 4) break;
    Cursor vendor = all.part(size - 4);
    if (vendor.string() != "gnu") continue;
    while (vendor.ok && !vendor.bytes.empty()) {
      const std::size_t before = vendor.bytes.size();
      const std::uint64_t scope = vendor.uleb128();
      const std::uint32_t scope_size = vendor.word();  // counts the tag and itself
      const std::size_t header = before - vendor.bytes.size();
      if (!vendor.ok || scope_size < header) break;
      const Cursor attributes = vendor.part(scope_size - header);
      if (scope == kTagFile) capabilities |= file_scope(attributes);
    }
  }
  return capabilities;
}

}  // namespace psim::isa
