// SPDX-License-Identifier: Apache-2.0
// The instruction words of a trace, with the properties that replay needs: recorded pages, with the changes
// of the program's code.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "isa/exec/address_site.h"
#include "isa/state/decoded.h"
#include "isa/table/static_instruction.h"

namespace psim::isa::trace {

class TextImage {
 public:
  static constexpr std::uint64_t kPageBytes = 8192;

  struct Entry {
    const StaticInstruction* instruction = nullptr;  ///< null: not analysed yet
    const StaticInstruction* in_simd = nullptr;      ///< as executed in SIMD state
    AddressSite site;
    Flow flow = Flow::Straight;
    bool address = false;  ///< it has an effective address
    bool listed = false;   ///< in the list of reset_sites()
  };

  /// Returns the instruction at `pc`; null if no word is known. The entry stays valid for ever, though its
  /// instruction may change.
  Entry* at(std::uint64_t pc);
  /// Returns the site of `pc`, which reset_sites() resets from now on.
  AddressSite& site(Entry& entry);
  /// Resets every site, as at the start of a frame.
  void reset_sites();

  /// Most pages with words that are not zeros: 128 MiB of text.
  static constexpr std::size_t kMostPages = 1 << 14;
  /// Sets or replaces the words from `address` (a multiple of 4) on. Throws BadTrace beyond kMostPages.
  void set(std::uint64_t address, std::span<const std::uint32_t> words);
  /// Sets whole pages from `address` on to zeros. This is cheap: an executable stack is mostly zeros. Throws
  /// BadTrace beyond kMostPages.
  void set_zero_pages(std::uint64_t address, std::uint64_t pages);
  /// Forgets the words of [address, address + bytes).
  void forget(std::uint64_t address, std::uint64_t bytes);
  /// Returns true if the word at `pc` (a multiple of 4) is known and equal to `word`.
  bool holds(std::uint64_t pc, std::uint32_t word);

  /// Visits the runs of `words`, which lie in one page from `address` on, that differ from the image:
  /// visit(address, words), which may set them.
  template <class Visit>
  void for_each_difference(std::uint64_t address, std::span<const std::uint32_t> words, Visit visit) {
    if (words.empty()) return;
    const bool zeros = zero_pages_.contains(address / kPageBytes);
    const Page* const page = zeros ? nullptr : page_of(address);
    const std::size_t first = address % kPageBytes / 4;
    const auto holds = [&](std::size_t i) {
      return zeros ? words[i] == 0
                   : page != nullptr && page->known.test(first + i) && page->words[first + i] == words[i];
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (holds(i)) continue;
      const std::size_t begin = i;
      while (i < words.size() && !holds(i)) ++i;
      visit(address + 4 * begin, words.subspan(begin, i - begin));
    }
  }

  /// Returns the analysed word: one object per word and state, valid for ever.
  const StaticInstruction* analysed(std::uint32_t word, bool simd = false);

  /// Visits pages with a known word: visit(address).
  template <class Visit>
  void for_each_page(Visit visit) const {
    for (const auto& [number, page] : pages_)
      if (page->known.any()) visit(number * kPageBytes);
    for (const std::uint64_t number : zero_pages_) visit(number * kPageBytes);
  }
  /// Visits runs of pages of zeros, ascending: visit(address, pages).
  template <class Visit>
  void for_each_zero_run(Visit visit) const {
    for (auto page = zero_pages_.begin(); page != zero_pages_.end();) {
      const std::uint64_t first = *page;
      std::uint64_t count = 0;
      while (page != zero_pages_.end() && *page == first + count) ++page, ++count;
      visit(first * kPageBytes, count);
    }
  }
  /// Visits runs of known words in ascending order: visit(address, words of one page).
  template <class Visit>
  void for_each_run(Visit visit) const {
    for (const auto& [number, page] : pages_)
      for (std::size_t i = 0; i < kWords;) {
        if (!page->known.test(i)) {
          ++i;
          continue;
        }
        const std::size_t begin = i;
        while (i < kWords && page->known.test(i)) ++i;
        visit(number * kPageBytes + 4 * begin, std::span(page->words).subspan(begin, i - begin));
      }
  }

 private:
  static constexpr std::size_t kWords = kPageBytes / 4, kChunk = 256;
  struct Page {
    std::array<std::uint32_t, kWords> words{};
    std::bitset<kWords> known;
    std::array<std::unique_ptr<std::array<Entry, kChunk>>, kWords / kChunk> entries;
  };
  Page* page_of(std::uint64_t pc);

  std::map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::set<std::uint64_t> zero_pages_;  // pages of zeros that are not in pages_
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
  std::vector<Entry*> sites_;
  std::unordered_map<std::uint32_t, StaticInstruction> words_[2];  // nodes never move
};

}  // namespace psim::isa::trace
