// SPDX-License-Identifier: Apache-2.0
#include "isa/trace/text_image.h"

#include <algorithm>

#include "isa/exec/bindings.h"
#include "isa/table/analyse.h"
#include "isa/trace/varint.h"

namespace psim::isa::trace {

TextImage::Page* TextImage::page_of(std::uint64_t pc) {
  const std::uint64_t number = pc / kPageBytes;
  if (number != last_number_) {
    auto found = pages_.find(number);
    if (found == pages_.end()) {
      if (zero_pages_.erase(number) == 0) return nullptr;
      found = pages_.emplace(number, std::make_unique<Page>()).first;
      found->second->known.set();
    }
    last_number_ = number, last_ = found->second.get();
  }
  return last_;
}

TextImage::Entry* TextImage::at(std::uint64_t pc) {
  Page* const page = page_of(pc);
  const std::size_t word = pc % kPageBytes / 4;
  if (page == nullptr || pc % 4 != 0 || !page->known.test(word)) return nullptr;
  auto& chunk = page->entries[word / kChunk];
  if (chunk == nullptr) chunk = std::make_unique<std::array<Entry, kChunk>>();
  Entry& entry = (*chunk)[word % kChunk];
  if (entry.instruction == nullptr) {
    // Only the kind of control flow matters here, which does not depend on rounding.
    const Decoded d = decoded(page->words[word], bindings(FmaRounding::Unfused));
    entry.instruction = analysed(page->words[word]);
    entry.in_simd = analysed(page->words[word], true);
    entry.flow = d.spec->flow, entry.address = d.spec->flow == Flow::Straight && d.address;
  }
  return &entry;
}

AddressSite& TextImage::site(Entry& entry) {
  if (!entry.listed) entry.listed = true, sites_.push_back(&entry);
  return entry.site;
}

void TextImage::reset_sites() {
  for (Entry* entry : sites_) entry->site = {};
}

void TextImage::set(std::uint64_t address, std::span<const std::uint32_t> words) {
  while (!words.empty()) {
    Page* page = page_of(address);
    if (page == nullptr && pages_.size() == kMostPages) throw BadTrace("more text than any program has");
    if (page == nullptr) page = (pages_[address / kPageBytes] = std::make_unique<Page>()).get();
    const std::size_t first = address % kPageBytes / 4, count = std::min(words.size(), kWords - first);
    std::copy_n(words.begin(), count, page->words.begin() + static_cast<std::ptrdiff_t>(first));
    for (std::size_t index = first; index < first + count; ++index) {
      page->known.set(index);
      if (auto& chunk = page->entries[index / kChunk]) (*chunk)[index % kChunk].instruction = nullptr;
    }
    words = words.subspan(count);
    address += 4 * count;
  }
}

void TextImage::set_zero_pages(std::uint64_t address, std::uint64_t pages) {
  if (pages > kMostPages - std::min(kMostPages, zero_pages_.size()))
    throw BadTrace("more text than any program has");
  for (std::uint64_t number = address / kPageBytes; pages != 0; --pages, ++number)
    if (!pages_.contains(number)) zero_pages_.insert(number);
}

void TextImage::forget(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t end = address + bytes;
  std::vector<std::uint64_t> in_part;
  for (auto page = zero_pages_.lower_bound(address / kPageBytes);
       page != zero_pages_.end() && *page * kPageBytes < end;) {
    const std::uint64_t base = *page * kPageBytes;
    if (base < address || end - base < kPageBytes) {
      in_part.push_back(base);
      ++page;
    } else {
      page = zero_pages_.erase(page);
    }
  }
  for (const std::uint64_t base : in_part) page_of(base);
  for (auto page = pages_.lower_bound(address / kPageBytes);
       page != pages_.end() && page->first * kPageBytes < end; ++page) {
    const std::uint64_t base = page->first * kPageBytes;
    const std::size_t first = address > base ? (address - base) / 4 : 0;
    const std::size_t last = std::min<std::uint64_t>(kWords, (end - base + 3) / 4);
    for (std::size_t i = first; i < last; ++i) page->second->known.reset(i);
  }
}

bool TextImage::holds(std::uint64_t pc, std::uint32_t word) {
  if (word == 0 && zero_pages_.contains(pc / kPageBytes)) return true;
  const Page* const page = page_of(pc);
  const std::size_t index = pc % kPageBytes / 4;
  return page != nullptr && page->known.test(index) && page->words[index] == word;
}

const StaticInstruction* TextImage::analysed(std::uint32_t word, bool simd) {
  const auto [at, is_new] = words_[simd].try_emplace(word);
  if (is_new) at->second = analyse(word, simd);
  return &at->second;
}

}  // namespace psim::isa::trace
