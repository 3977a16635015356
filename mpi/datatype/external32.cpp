// SPDX-License-Identifier: Apache-2.0
#include "mpi/datatype/external32.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace psim::net::mpi {
namespace {

/// IEEE 754 binary128.
#ifdef __sparc__
using Quad = long double;
#else
using Quad = __float128;
#endif
static_assert(sizeof(Quad) == 16);

/// A number of a basic type in memory and in external32. Complex types have two.
struct Number {
  std::uint32_t memory, external;
};

Number number_of(Basic basic) {
  switch (basic) {
    case Basic::Long:
    case Basic::UnsignedLong:
      return {8, 4};
    case Basic::WideCharacter:
      return {4, 2};
    case Basic::ComplexFloat:
      return {4, 4};
    case Basic::ComplexDouble:
      return {8, 8};
    case Basic::ComplexLongDouble:
    case Basic::ComplexQuad:
      return {16, 16};
    default:
      return {size_of(basic), size_of(basic)};
  }
}

/// Returns the bytes of an element of a basic type in external32.
std::uint64_t external_size(Basic basic) {
  const auto [memory, external] = number_of(basic);
  return memory == 0 ? 0 : size_of(basic) / memory * external;
}

/// Copies a number and reverses its bytes on a little-endian machine.
void copy_big_endian(std::byte* to, const std::byte* from, std::uint32_t size) {
  if constexpr (std::endian::native == std::endian::big)
    std::memcpy(to, from, size);
  else
    std::reverse_copy(from, from + size, to);
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class T>
void store_external(std::byte* to, T value) {
  std::byte bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  copy_big_endian(to, bytes, sizeof value);
}
template <class T>
T load_external(const std::byte* from) {
  std::byte bytes[sizeof(T)];
  copy_big_endian(bytes, from, sizeof(T));
  return load<T>(bytes);
}
template <class T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

void to_external(Basic basic, const std::byte* from, std::byte* to) {
  switch (basic) {
    case Basic::Long: {
      // The less significant bytes are moved, and the sign is kept (MPI-3.1 section 13.5.2).
      const auto value = load<std::int64_t>(from);
      const std::uint32_t sign = value < 0 ? 0x8000'0000u : 0;
      return store_external(to, (static_cast<std::uint32_t>(value) & 0x7fff'ffffu) | sign);
    }
    case Basic::UnsignedLong:
      return store_external(to, static_cast<std::uint32_t>(load<std::uint64_t>(from)));
    case Basic::WideCharacter:
      return store_external(to, static_cast<std::uint16_t>(load<std::uint32_t>(from)));
    case Basic::LongDouble:
    case Basic::ComplexLongDouble:
      return store_external(to, static_cast<Quad>(load<long double>(from)));
    default:
      return copy_big_endian(to, from, number_of(basic).memory);
  }
}

void from_external(Basic basic, const std::byte* from, std::byte* to) {
  switch (basic) {
    case Basic::Long:
      return store(to, std::int64_t{load_external<std::int32_t>(from)});
    case Basic::UnsignedLong:
      return store(to, std::uint64_t{load_external<std::uint32_t>(from)});
    case Basic::WideCharacter:
      return store(to, std::uint32_t{load_external<std::uint16_t>(from)});
    case Basic::LongDouble:
    case Basic::ComplexLongDouble:
      return store(to, static_cast<long double>(load_external<Quad>(from)));
    case Basic::Bool8:
      return store(to, from[0] != std::byte{0});
    default:
      return copy_big_endian(to, from, number_of(basic).memory);
  }
}

/// Calls convert(basic, offset in memory, offset in external32) for each number of `count` elements, until it
/// returns false.
template <class Convert>
void each_number(const Datatype& type, std::uint64_t count, Convert convert) {
  std::uint64_t packed = 0;
  for (std::uint64_t element = 0; element < count; ++element)
    for (const Segment s : type.all_segments()) {
      const auto [memory, external] = number_of(s.basic);
      const std::uint64_t numbers = s.run_bytes() / memory;
      for (std::uint64_t i = 0; i < s.repeats; ++i) {
        std::ptrdiff_t at = static_cast<std::ptrdiff_t>(element) * type.extent() + s.offset +
                            static_cast<std::ptrdiff_t>(i) * s.stride;
        for (std::uint64_t j = 0; j < numbers; ++j, at += memory, packed += external)
          if (!convert(s.basic, at, packed)) return;
      }
    }
}

}  // namespace

std::uint64_t external32_size(const Datatype& type) {
  std::uint64_t bytes = 0;
  for (const Segment& s : type.segments) bytes += s.repeats * s.count * external_size(s.basic);
  return bytes * type.copies;
}

void pack_external32(const Datatype& type, std::uint64_t count, const std::byte* user, std::byte* packed) {
  each_number(type, count, [=](Basic basic, std::ptrdiff_t at, std::uint64_t to) {
    to_external(basic, user + at, packed + to);
    return true;
  });
}

std::uint64_t unpack_external32(const Datatype& type, std::uint64_t count, std::byte* user,
                                const std::byte* packed, std::uint64_t bytes) {
  std::uint64_t size = 0;
  each_number(type, count, [=, &size](Basic basic, std::ptrdiff_t at, std::uint64_t from) {
    const auto [memory, external] = number_of(basic);
    if (from + external > bytes) return false;
    from_external(basic, packed + from, user + at);
    size += memory;
    return true;
  });
  return size;
}

}  // namespace psim::net::mpi
