// SPDX-License-Identifier: Apache-2.0
// Memory of a rank that others may reach, and the 64-bit addresses that all ranks know it by. An address is a
// rank, a key and an offset, so that bytes of one registration follow each other: address + n is n bytes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace psim::net::rdma {

/// How the bits divide: 10 of the key, as many of the rank as there are ranks, the rest of the offset. 0 is
/// no address.
class GlobalAddresses {
 public:
  static constexpr std::uint32_t kKeyBits = 10;
  static constexpr std::uint32_t kKeys = 1u << kKeyBits;

  explicit GlobalAddresses(std::uint32_t ranks);

  std::uint64_t make(std::uint32_t rank, std::uint32_t key, std::uint64_t offset) const {
    return (std::uint64_t{rank} + 1) << (kKeyBits + offset_bits_) | std::uint64_t{key} << offset_bits_ |
           offset;
  }
  /// ≥ the number of ranks if it is none's.
  std::uint32_t rank(std::uint64_t address) const {
    return static_cast<std::uint32_t>((address >> (kKeyBits + offset_bits_)) - 1);
  }
  std::uint32_t key(std::uint64_t address) const { return (address >> offset_bits_) & (kKeys - 1); }
  std::uint64_t offset(std::uint64_t address) const { return address & (most() - 1); }
  /// The longest memory that can be registered, bytes.
  std::uint64_t most() const { return std::uint64_t{1} << offset_bits_; }

 private:
  std::uint32_t offset_bits_;
};

/// What one rank has registered, by key.
class RegisteredMemory {
 public:
  static constexpr std::uint32_t kNone = GlobalAddresses::kKeys;

  /// The key, or kNone if all are used. Keys given back are used again last.
  std::uint32_t add(std::byte* base, std::uint64_t size);
  /// False if nothing has this key.
  bool remove(std::uint32_t key);
  /// Where these bytes are; null if they are not all inside.
  std::byte* find(std::uint32_t key, std::uint64_t offset, std::uint64_t bytes) const;
  /// The offset of `address` in the memory with this key; `most` if it is not inside.
  std::uint64_t offset(std::uint32_t key, const std::byte* address, std::uint64_t most) const;

 private:
  struct Region {
    std::byte* base = nullptr;
    std::uint64_t size = 0;
    bool used = false;
  };
  std::vector<Region> regions_;
  std::uint32_t next_ = 0;  ///< tried first
};

}  // namespace psim::net::rdma
