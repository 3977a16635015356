// SPDX-License-Identifier: Apache-2.0
#include "guest/initial_stack.h"

#include <elf.h>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "guest/elf/elf_image.h"

namespace psim::isa {

namespace {

// Appends byte strings downwards from the top of the stack and remembers their addresses.
class Strings {
 public:
  Strings(GuestMemory& memory, std::uint64_t top, std::uint64_t floor)
      : memory_(memory), at_(top), floor_(floor) {}
  std::uint64_t add(std::span<const std::byte> bytes) {
    if (bytes.size() > at_ - floor_) return fits_ = false, floor_;
    at_ -= bytes.size();
    if (memory_.copy_in(at_, bytes) != bytes.size()) fits_ = false;
    return at_;
  }
  void align(std::uint64_t bytes) { at_ &= ~(bytes - 1); }
  std::uint64_t add(const std::string& text) {  // with its NUL
    return add(std::as_bytes(std::span(text.c_str(), text.size() + 1)));
  }
  std::uint64_t at() const { return at_; }
  bool fits() const { return fits_; }

 private:
  GuestMemory& memory_;
  std::uint64_t at_, floor_;
  bool fits_ = true;
};

}  // namespace

std::uint64_t MemoryFlags::word() const {
  const auto field = [](std::uint64_t value, unsigned bits, unsigned place) {
    return std::min(value, (std::uint64_t{1} << bits) - 1) << place;
  };
  const auto logarithm = [](std::uint64_t value) {
    return static_cast<std::uint64_t>(std::bit_width(value | 1) - 1);
  };
  return field(memory_cycles, 12, 4) | field(bandwidth, 12, 16) | field(l2_cycles, 8, 28) |
         field(logarithm(l1_bytes), 6, 42) | field(logarithm(l2_bytes), 6, 48) | field(prefetch, 2, 54);
}

std::uint64_t InitialStack::write(GuestMemory& memory, std::uint64_t top, std::uint64_t bytes) const {
  Strings strings(memory, top - 8, top - bytes);  // the kernel leaves a null word above
  const std::uint64_t executable_at = strings.add(executable);
  std::vector<std::uint64_t> words{arguments.size()};
  std::vector<std::uint64_t> environment_at(environment.size()), arguments_at(arguments.size());
  // Downwards, so that the strings lie in ascending order, as the kernel places them.
  for (std::size_t i = environment.size(); i-- > 0;) environment_at[i] = strings.add(environment[i]);
  for (std::size_t i = arguments.size(); i-- > 0;) arguments_at[i] = strings.add(arguments[i]);
  words.insert(words.end(), arguments_at.begin(), arguments_at.end());
  words.push_back(0);
  words.insert(words.end(), environment_at.begin(), environment_at.end());
  words.push_back(0);
  const std::uint64_t random_words[2]{big_endian(random[0]), big_endian(random[1])};
  strings.align(16);
  const std::uint64_t random_at = strings.add(std::as_bytes(std::span(random_words)));

  const std::pair<std::uint64_t, std::uint64_t> auxiliary[] = {
      {AT_PHDR, program_headers},
      {AT_PHENT, kProgramHeaderBytes},
      {AT_PHNUM, program_header_count},
      {AT_PAGESZ, GuestMemory::kPageBytes},
      {AT_BASE, load_base},
      {AT_FLAGS, flags},
      {AT_ENTRY, entry},
      {AT_UID, user},
      {AT_EUID, effective_user},
      {AT_GID, group},
      {AT_EGID, effective_group},
      {AT_HWCAP, hardware_capabilities},
      {AT_CLKTCK, 100},
      {AT_RANDOM, random_at},
      {AT_SECURE, 0},
      {AT_EXECFN, executable_at},
      {AT_NULL, 0},
  };
  for (const auto& [type, value] : auxiliary) words.push_back(type), words.push_back(value);

  constexpr std::uint64_t kWindowSaveArea = 128;
  const std::uint64_t size = kWindowSaveArea + words.size() * 8;
  if (!strings.fits() || size + 16 > strings.at() - (top - bytes)) return 0;
  const std::uint64_t sp = (strings.at() - size) & ~std::uint64_t{15};
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!memory.store<std::uint64_t>(sp + kWindowSaveArea + i * 8, words[i])) return 0;
  return sp - kStackBias;
}

}  // namespace psim::isa
