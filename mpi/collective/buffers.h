// SPDX-License-Identifier: Apache-2.0
// Memory of collectives. Algorithms work on packed bytes. These views give them the user's memory if its type
// has no holes, else a packed copy. Size-only runs have no memory at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>

#include "mpi/collective/collective.h"
#include "mpi/datatype/datatype.h"
#include "mpi/protocol.h"

namespace psim::net::mpi {

/// Adds an offset to an address, which may be null if the run carries no data.
inline std::byte* shifted(void* base, std::int64_t bytes) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::intptr_t>(base) + bytes);
}
inline const std::byte* shifted(const void* base, std::int64_t bytes) {
  return shifted(const_cast<void*>(base), bytes);
}

/// Memory owned by a collective.
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(std::uint64_t bytes) : data_(size_only() || bytes == 0 ? nullptr : memory_for(bytes)) {}
  Scratch(Scratch&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Scratch& operator=(Scratch&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~Scratch() { std::free(data_); }
  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
};

/// Copies between memory of the user (as addressed by `c`'s rank) or scratch. Does nothing in size-only runs.
inline void copy(const Channel& c, void* to, const void* from, std::uint64_t bytes) {
  if (bytes == 0 || size_only() || to == from) return;
  const std::uint32_t rank = c.collective->rank->id;
  std::byte* const target = library->memory(rank, to, bytes);
  const std::byte* const source = library->memory(rank, from, bytes);
  const std::less_equal<> before;
  if (before(target + bytes, source) || before(source + bytes, target))
    std::memcpy(target, source, bytes);
  else
    std::memmove(target, source, bytes);  // nine times as long with glibc for sparc64
}

/// A user's buffer: `count` elements of `type` at `user`.
struct UserBuffer {
  Rank* rank = nullptr;
  std::byte* user = nullptr;
  std::uint64_t count = 0;
  Ref<Datatype> type;

  UserBuffer(const Channel& c, const void* address, std::uint64_t n, Datatype& t)
      : rank(c.collective->rank),
        user(static_cast<std::byte*>(const_cast<void*>(address))),
        count(n),
        type(&t) {}
  std::uint64_t bytes() const { return count * type->size; }
  /// Packs elements first … first + n to `packed`, or unpacks them.
  void pack_to(std::byte* packed, std::uint64_t first, std::uint64_t n) const;
  void unpack_from(const std::byte* packed, std::uint64_t first, std::uint64_t n) const;
  std::byte* at(std::uint64_t element) const {
    return shifted(user, static_cast<std::int64_t>(element) * type->extent());
  }
};

/// A packed view of a user's buffer. Its size may differ from the buffer's: a call with wrong arguments still
/// takes part in the collective with the size that the other ranks expect.
class PackedView {
 public:
  explicit PackedView(UserBuffer user) : PackedView(std::move(user), ~std::uint64_t{0}) {}
  PackedView(UserBuffer user, std::uint64_t bytes)
      : user_(std::move(user)),
        bytes_(bytes == ~std::uint64_t{0} ? user_.bytes() : bytes),
        direct_(user_.type->contiguous && bytes_ == user_.bytes()),
        own_(direct_ ? Scratch() : Scratch(bytes_)) {
    if (own_.data() != nullptr && bytes_ > user_.bytes()) std::memset(own_.data(), 0, bytes_);
  }
  std::byte* data() const { return direct_ ? user_.user : own_.data(); }
  std::uint64_t bytes() const { return bytes_; }
  void load() const {
    if (!direct_) user_.pack_to(own_.data(), 0, whole());
  }
  void store() const {
    if (!direct_) user_.unpack_from(own_.data(), 0, whole());
  }

 private:
  /// Returns the elements that both the buffer and the view hold.
  std::uint64_t whole() const { return bytes_ >= user_.bytes() ? user_.count : bytes_ / user_.type->size; }
  UserBuffer user_;
  std::uint64_t bytes_;
  bool direct_;
  Scratch own_;
};

}  // namespace psim::net::mpi
