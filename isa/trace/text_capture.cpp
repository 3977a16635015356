// SPDX-License-Identifier: Apache-2.0
#include "isa/trace/text_capture.h"

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

/// Takes over the runs of words that differ. The range is executable.
void TextCapture::compare(std::uint64_t address, std::uint64_t bytes) {
  std::vector<std::uint32_t> run;
  const std::uint64_t end = address + bytes;
  for (std::uint64_t at = address; at < end; at += 4) {
    std::uint32_t word;
    std::memcpy(&word, memory_.host_base() + at, sizeof word);
    word = big_endian(word);
    if (!image_.holds(at, word)) {
      run.push_back(word);
    } else if (!run.empty()) {
      set(at - 4 * run.size(), run);
      run.clear();
    }
  }
  if (!run.empty()) set(end - 4 * run.size(), run);
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
