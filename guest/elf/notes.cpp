// SPDX-License-Identifier: Apache-2.0
#include "guest/elf/notes.h"

#include <elf.h>

namespace psim::isa {
namespace {

std::uint64_t number_at(std::span<const std::byte> bytes, std::uint64_t offset, unsigned size) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[offset + i]);
  return value;
}

/// Searches one segment, whose parts begin at multiples of `align`.
std::optional<std::span<const std::byte>> find_in(std::span<const std::byte> segment, std::uint64_t align,
                                                  std::string_view name, std::uint32_t type) {
  constexpr std::uint64_t kHead = 12;
  const auto padded = [align](std::uint64_t bytes) { return (bytes + align - 1) / align * align; };
  for (std::uint64_t at = 0; at + kHead <= segment.size();) {
    const std::uint64_t name_bytes = number_at(segment, at, 4), text_bytes = number_at(segment, at + 4, 4);
    const std::uint64_t text = padded(at + kHead + name_bytes), end = text + text_bytes;
    if (end > segment.size()) return std::nullopt;
    const std::string_view found(reinterpret_cast<const char*>(segment.data() + at + kHead), name_bytes);
    // The name ends with a NUL, which counts.
    if (number_at(segment, at + 8, 4) == type && found.size() == name.size() + 1 && found.starts_with(name) &&
        found.back() == '\0')
      return segment.subspan(text, text_bytes);
    at = padded(end);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::span<const std::byte>> find_note(const ElfImage& image, std::string_view name,
                                                    std::uint32_t type) {
  const std::span<const std::byte> file(image.bytes);
  const std::uint64_t table = number_at(file, offsetof(Elf64_Ehdr, e_phoff), 8);
  for (unsigned i = 0; i < image.program_header_count; ++i) {
    const std::uint64_t header = table + i * kProgramHeaderBytes;
    if (number_at(file, header, 4) != PT_NOTE) continue;
    const std::uint64_t offset = number_at(file, header + offsetof(Elf64_Phdr, p_offset), 8);
    const std::uint64_t bytes = number_at(file, header + offsetof(Elf64_Phdr, p_filesz), 8);
    if (offset > file.size() || bytes > file.size() - offset) continue;
    const std::uint64_t align = number_at(file, header + offsetof(Elf64_Phdr, p_align), 8) == 8 ? 8 : 4;
    if (const auto found = find_in(file.subspan(offset, bytes), align, name, type)) return found;
  }
  return std::nullopt;
}

}  // namespace psim::isa
