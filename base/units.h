// SPDX-License-Identifier: Apache-2.0
// Quantities of distinct types, which cannot be added to each other, and their only written form: a number, a
// space, a unit ("2 GHz", "128 KiB", "120 cycles", "17 us", "4 GB/s").
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace psim {

/// Clock cycles of the core.
struct Cycles {
  std::uint64_t count = 0;
  auto operator<=>(const Cycles&) const = default;
};
/// A size. KB, MB, GB mean 2^10, 2^20, 2^30 bytes, as in sizes of caches; they print as KiB, MiB, GiB.
struct Bytes {
  std::uint64_t count = 0;
  auto operator<=>(const Bytes&) const = default;
};
/// A frequency in hertz.
struct Hertz {
  std::uint64_t count = 0;
  auto operator<=>(const Hertz&) const = default;
};
/// A bandwidth. 1 GB/s is 10^9 bytes per second, as in data sheets of links and memories; GiB/s is 2^30.
/// Gbit/s and Gbps are 10^9 bits per second.
struct BytesPerSecond {
  std::uint64_t count = 0;
  auto operator<=>(const BytesPerSecond&) const = default;
};
/// A rate of floating-point operations.
struct FlopsPerSecond {
  std::uint64_t count = 0;
  auto operator<=>(const FlopsPerSecond&) const = default;
};
/// Simulated time; 64 bits hold 106 days.
using Picoseconds = std::chrono::duration<std::int64_t, std::pico>;
/// Returns the picoseconds of a time that is not negative.
constexpr std::uint64_t ps(Picoseconds time) { return static_cast<std::uint64_t>(time.count()); }

inline namespace literals {
consteval Cycles operator""_cycles(unsigned long long n) { return {n}; }
consteval Bytes operator""_B(unsigned long long n) { return {n}; }
consteval Bytes operator""_KiB(unsigned long long n) { return {n << 10}; }
consteval Bytes operator""_MiB(unsigned long long n) { return {n << 20}; }
consteval Bytes operator""_GiB(unsigned long long n) { return {n << 30}; }
consteval Hertz operator""_Hz(unsigned long long n) { return {n}; }
consteval Hertz operator""_MHz(unsigned long long n) { return {n * 1'000'000}; }
consteval Hertz operator""_GHz(unsigned long long n) { return {n * 1'000'000'000}; }
consteval BytesPerSecond operator""_MBps(unsigned long long n) { return {n * 1'000'000}; }
consteval BytesPerSecond operator""_GBps(unsigned long long n) { return {n * 1'000'000'000}; }
consteval Picoseconds operator""_ps(unsigned long long n) { return Picoseconds{n}; }
}  // namespace literals

/// The dimension of a configured number.
enum class Dimension : std::uint8_t {
  Count,
  Cycles,
  Size,
  Frequency,
  Bandwidth,
  Time,
  Energy,
  Power,
  FlopRate
};

/// Returns "a size", "a number of cycles", … and an example in that dimension, for messages.
std::string_view name(Dimension dimension);
std::string_view example(Dimension dimension);
/// Returns the units that parse_quantity accepts, "B, KB, MB, …"; empty for Count.
std::string units(Dimension dimension);

/// A quantity in its base unit (count, cycles, bytes, Hz, bytes/s, ps, fJ, uW, flop/s), or why `text` is not
/// one.
struct ParsedQuantity {
  std::optional<std::uint64_t> value;
  std::string problem;  ///< "has no unit", "'GHz' is not a unit of size", …; empty if value
};
/// Parses a quantity exactly: "1.5 KiB" is 1536. Refuses "0.3 B" and values that do not fit 63 bits. Never
/// throws.
ParsedQuantity parse_quantity(std::string_view text, Dimension dimension);

/// Returns the shortest exact text that parse_quantity reads back: 131072 bytes → "128 KiB".
std::string format_quantity(std::uint64_t value, Dimension dimension);

}  // namespace psim
