// SPDX-License-Identifier: Apache-2.0
#include "isa/trace/text_capture.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace psim::isa::trace {

static_assert(TextImage::kPageBytes == GuestMemory::kPageBytes);

namespace {
bool is_zero(const std::byte* page) {
  return page[0] == std::byte{0} && std::memcmp(page, page + 1, TextImage::kPageBytes - 1) == 0;
}
}  // namespace

TextCapture::TextCapture(const GuestMemory& memory, TextImage& image)
    : memory_(memory), image_(image), generation_(memory.executable_generation()) {
  for (const auto& [begin, end] : memory_.executable_ranges())
    for (std::uint64_t page = begin; page < end; page += TextImage::kPageBytes) {
      if (is_zero(memory_.host_base() + page))
        image_.set_zero_pages(page, 1);
      else
        compare(page, TextImage::kPageBytes);
    }
}

void TextCapture::set(std::uint64_t address, std::span<const std::uint32_t> words) {
  if (writer_ != nullptr)
    writer_->text(address, words);
  else
    image_.set(address, words);
}

/// Adopts the runs of words that differ. The range is executable.
void TextCapture::compare(std::uint64_t address, std::uint64_t bytes) {
  std::array<std::uint32_t, TextImage::kPageBytes / 4> words;
  for (const std::uint64_t end = address + bytes; address < end;) {
    const std::uint64_t here =
        std::min(end, (address / TextImage::kPageBytes + 1) * TextImage::kPageBytes) - address;
    std::memcpy(words.data(), memory_.host_base() + address, here);
    for (std::uint32_t& word : std::span(words).first(here / 4)) word = big_endian(word);
    image_.for_each_difference(address, std::span(words).first(here / 4),
                               [&](std::uint64_t at, std::span<const std::uint32_t> run) { set(at, run); });
    address += here;
  }
}

void TextCapture::code_decoded(std::uint64_t address, std::uint64_t bytes) { compare(address, bytes); }

void TextCapture::refresh_pages() {
  generation_ = memory_.executable_generation();
  std::vector<std::uint64_t> gone;
  image_.for_each_page([&](std::uint64_t address) {
    if ((memory_.permission(address) & kExecute) == 0) gone.push_back(address);
  });
  for (const std::uint64_t address : gone) {
    if (writer_ != nullptr)
      writer_->no_text(address, TextImage::kPageBytes);
    else
      image_.forget(address, TextImage::kPageBytes);
  }
  for (const auto& [begin, end] : memory_.executable_ranges()) compare(begin, end - begin);
}

}  // namespace psim::isa::trace
