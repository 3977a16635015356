// SPDX-License-Identifier: Apache-2.0
// A structure of the guest's ABI as bytes: fields are written and read at their offsets, big-endian.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "isa/memory/guest_memory.h"

namespace psim::isa {

template <std::size_t Size>
class GuestStruct {
 public:
  /// Writes a field. Offsets are in bytes; T is an unsigned integer.
  template <class T>
  void put(std::size_t offset, T value) {
    assert(offset + sizeof(T) <= Size);
    const T raw = big_endian(value);
    std::memcpy(bytes_.data() + offset, &raw, sizeof raw);
  }
  void put8(std::size_t offset, std::uint64_t value) { put(offset, static_cast<std::uint8_t>(value)); }
  void put16(std::size_t offset, std::uint64_t value) { put(offset, static_cast<std::uint16_t>(value)); }
  void put32(std::size_t offset, std::uint64_t value) { put(offset, static_cast<std::uint32_t>(value)); }
  void put64(std::size_t offset, std::uint64_t value) { put(offset, value); }
  template <class T>
  T get(std::size_t offset) const {
    assert(offset + sizeof(T) <= Size);
    T raw;
    std::memcpy(&raw, bytes_.data() + offset, sizeof raw);
    return big_endian(raw);
  }

  /// Copies the structure to the guest. Returns false (EFAULT) if the guest may not access all of it.
  bool write_to(GuestMemory& memory, std::uint64_t address) const {
    return memory.accessible(address, Size, kWrite) == Size && memory.copy_in(address, bytes_) == Size;
  }
  bool read_from(const GuestMemory& memory, std::uint64_t address) {
    return memory.copy_out(address, bytes_) == Size;
  }
  std::span<std::byte> bytes() { return bytes_; }

 private:
  std::array<std::byte, Size> bytes_{};
};

}  // namespace psim::isa
