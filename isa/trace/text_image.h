// SPDX-License-Identifier: Apache-2.0
// The instruction words that a trace knows, with what replay needs of each: recorded pages, changed where the
// program's code changed.
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
#include "isa/exec/decoded.h"
#include "isa/static_instruction.h"

namespace psim::isa::trace {

class TextImage {
 public:
  static constexpr std::uint64_t kPageBytes = 8192;

  struct Entry {
    const StaticInstruction* instruction = nullptr;  ///< null: not looked at yet
    const StaticInstruction* in_simd = nullptr;      ///< as it is executed in SIMD state
    AddressSite site;
    Flow flow = Flow::Straight;
    bool address = false;  ///< it has an effective address
    bool listed = false;   ///< reset_sites() knows it
  };

  /// The instruction at `pc`; null where no word is known. Valid for ever, though its instruction may change.
  Entry* at(std::uint64_t pc);
  /// The site of `pc`, which reset_sites() will reset from now on.
  AddressSite& site(Entry& entry);
  /// Every site begins anew, as at the start of a frame.
  void reset_sites();

  /// Most pages with words that are not zeros: 128 MiB of text.
  static constexpr std::size_t kMostPages = 1 << 14;
  /// Words from `address` (a multiple of 4) on become known or are replaced.
  /// Throws BadTrace beyond kMostPages.
  void set(std::uint64_t address, std::span<const std::uint32_t> words);
  /// Whole pages from `address` on are known to be zeros. Costs next to nothing: an executable stack is
  /// mostly that. Throws BadTrace beyond kMostPages.
  void set_zero_pages(std::uint64_t address, std::uint64_t pages);
  /// The words of [address, address + bytes) are no longer known.
  void forget(std::uint64_t address, std::uint64_t bytes);
  /// The word at `pc` (a multiple of 4) is known and this.
  bool holds(std::uint64_t pc, std::uint32_t word);

  /// The runs of `words`, which lie in one page from `address` on, that are not what is known: visit(address,
  /// words), which may set them.
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

  /// The analysed word, one object for each word and state, for ever.
  const StaticInstruction* analysed(std::uint32_t word, bool simd = false);

  /// Pages with a known word: visit(address).
  template <class Visit>
  void for_each_page(Visit visit) const {
    for (const auto& [number, page] : pages_)
      if (page->known.any()) visit(number * kPageBytes);
    for (const std::uint64_t number : zero_pages_) visit(number * kPageBytes);
  }
  /// Runs of pages of zeros, ascending: visit(address, pages).
  template <class Visit>
  void for_each_zero_run(Visit visit) const {
    for (auto page = zero_pages_.begin(); page != zero_pages_.end();) {
      const std::uint64_t first = *page;
      std::uint64_t count = 0;
      while (page != zero_pages_.end() && *page == first + count) ++page, ++count;
      visit(first * kPageBytes, count);
    }
  }
  /// Runs of known words in ascending order: visit(address, words of one page).
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
  std::set<std::uint64_t> zero_pages_;  // those not in pages_
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
  std::vector<Entry*> sites_;
  std::unordered_map<std::uint32_t, StaticInstruction> words_[2];  // nodes never move
};

}  // namespace psim::isa::trace
