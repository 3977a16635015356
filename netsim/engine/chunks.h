// SPDX-License-Identifier: Apache-2.0
// Sequences that only grow and are then emptied, from a common store of blocks that windows reuse. Elements
// do not move.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "netsim/engine/huge_pages.h"
#include "netsim/engine/prefetch.h"

namespace psim::net {

template <class T, std::size_t Bytes = 4096>
class ChunkStore {
 public:
  ChunkStore() = default;
  ChunkStore(const ChunkStore&) = delete;
  ChunkStore& operator=(const ChunkStore&) = delete;
  ~ChunkStore() {
    for (Chunk* block : blocks_) HugePages<Chunk>().deallocate(block, 0);
  }

  static constexpr std::size_t kAlign = sizeof(T) & -sizeof(T);
  static constexpr std::size_t kLength = (Bytes - std::max(sizeof(void*), kAlign)) / sizeof(T);
  /// A block. Most windows of a quiet network fill little of one, so `next` lies in the first line.
  struct alignas(64) Chunk {
    Chunk* next;
    alignas(kAlign) T items[kLength];
  };

  Chunk* take() {
    if (free_ == nullptr) refill();
    Chunk* chunk = free_;
    free_ = chunk->next;
    chunk->next = nullptr;
    return chunk;
  }
  void give(Chunk* chunk) {
    chunk->next = free_;
    free_ = chunk;
  }

 private:
  void refill() {
    constexpr std::size_t kFirst = 64, kNext = HugePages<Chunk>::kHuge / sizeof(Chunk);
    const std::size_t count = blocks_.empty() ? kFirst : kNext;
    Chunk* block = HugePages<Chunk>().allocate(count);
    blocks_.push_back(block);
    for (std::size_t i = count; i-- > 0;) give(&block[i]);
  }

  std::vector<Chunk*> blocks_;
  Chunk* free_ = nullptr;
};

template <class T>
class ChunkList {
 public:
  using Store = ChunkStore<T>;

  /// Returns whether the next grow() takes a block from the store; true for an empty list.
  bool full() const { return next_ == end_; }
  /// Appends an element and returns it uninitialised.
  T& grow(Store& store) {
    if (full()) [[unlikely]]
      extend(store);
    return *next_++;
  }
  template <class Visit>
  void each(Visit visit) const {
    each([](const T&) {}, visit);
  }
  /// Visits each element, and calls ahead() on it some elements earlier.
  template <class Ahead, class Visit>
  void each(Ahead ahead, Visit visit) const {
    constexpr std::ptrdiff_t kAhead = 8;
    for (const auto* chunk = first_; chunk != nullptr; chunk = chunk->next) {
      const T* const end = chunk == last_ ? next_ : chunk->items + Store::kLength;
      for (const T* item = chunk->items; item != end && item != chunk->items + kAhead; ++item) ahead(*item);
      for (const T* item = chunk->items; item != end; ++item) {
        if (end - item > kAhead) ahead(item[kAhead]);
        visit(*item);
      }
    }
  }
  void clear(Store& store) {
    while (first_ != nullptr) {
      auto* chunk = first_;
      first_ = chunk->next;
      store.give(chunk);
    }
    last_ = nullptr;
    next_ = end_ = nullptr;
  }
  bool empty() const { return first_ == nullptr; }
  /// Prefetches the first elements; the hardware prefetches later ones by itself.
  void prefetch() const {
    if (first_ == nullptr) return;
    for (std::size_t line = 0; line < 4; ++line)
      prefetch_line(reinterpret_cast<const std::byte*>(first_) + line * 64);
  }

 private:
  [[gnu::noinline]] void extend(Store& store) {
    typename Store::Chunk* chunk = store.take();
    (last_ == nullptr ? first_ : last_->next) = chunk;
    last_ = chunk;
    next_ = chunk->items;
    end_ = next_ + Store::kLength;
  }

  typename Store::Chunk* first_ = nullptr;
  typename Store::Chunk* last_ = nullptr;
  T* next_ = nullptr;  ///< next free element of the last block
  T* end_ = nullptr;   ///< of the last block
};

}  // namespace psim::net
