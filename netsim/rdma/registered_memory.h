// SPDX-License-Identifier: Apache-2.0
// Memory of a rank that other ranks may access, and its 64-bit global addresses. An address is a rank, a key
// and an offset; within one registration, address + n is n bytes further.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace psim::net::rdma {

/// The layout of addresses: bits for rank + 1 from the top as the number of ranks requires, 10 bits of the
/// key, and the offset. 0 is not an address.
class GlobalAddresses {
 public:
  static constexpr std::uint32_t kKeyBits = 10;
  static constexpr std::uint32_t kKeys = 1u << kKeyBits;

  explicit GlobalAddresses(std::uint32_t ranks);

  std::uint64_t make(std::uint32_t rank, std::uint32_t key, std::uint64_t offset) const {
    return (std::uint64_t{rank} + 1) << (kKeyBits + offset_bits_) | std::uint64_t{key} << offset_bits_ |
           offset;
  }
  /// Returns the rank; ≥ the number of ranks if the address is invalid.
  std::uint32_t rank(std::uint64_t address) const {
    return static_cast<std::uint32_t>((address >> (kKeyBits + offset_bits_)) - 1);
  }
  std::uint32_t key(std::uint64_t address) const { return (address >> offset_bits_) & (kKeys - 1); }
  std::uint64_t offset(std::uint64_t address) const { return address & (most() - 1); }
  /// Returns the size of the largest registration, bytes.
  std::uint64_t most() const { return std::uint64_t{1} << offset_bits_; }

 private:
  std::uint32_t offset_bits_;
};

/// The registrations of one rank, by key.
class RegisteredMemory {
 public:
  static constexpr std::uint32_t kNone = GlobalAddresses::kKeys;

  /// Registers memory and returns its key, or kNone if all are used. Removed keys are reused last.
  std::uint32_t add(std::byte* base, std::uint64_t size);
  /// Removes a registration. Returns false if the key is unused.
  bool remove(std::uint32_t key);
  /// Returns the address of these bytes; null if they are not all inside.
  std::byte* find(std::uint32_t key, std::uint64_t offset, std::uint64_t bytes) const;
  /// Returns the offset of `address` in the memory with this key; `most` if it is not inside.
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
