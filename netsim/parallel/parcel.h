// SPDX-License-Identifier: Apache-2.0
// A sequence of values for another host process of the same program on the same kind of machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace psim::net {

class Parcel {
 public:
  std::vector<std::byte>& bytes() { return bytes_; }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  void clear() { bytes_.clear(), read_ = 0; }

  void put(const void* data, std::size_t size);
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(&value, sizeof value);
  }
  template <class T>
  void put_all(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(std::uint64_t{values.size()});
    put(values.data(), values.size_bytes());
  }
  template <class T>
  void put_all(const std::vector<T>& values) {
    put_all(std::span<const T>(values));
  }
  void put_text(std::string_view text) { put_all(std::span<const char>(text)); }

  /// Reads the next `size` bytes, in the order of put(). They stay valid until clear().
  const std::byte* take(std::size_t size) {
    const std::byte* at = bytes_.data() + read_;
    read_ += size;
    return at;
  }
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  /// Calls each(value) for the values that put_all() wrote.
  template <class T, class Each>
  void take_each(Each each) {
    for (auto left = take<std::uint64_t>(); left != 0; --left) each(take<T>());
  }
  template <class T>
  std::vector<T> take_all() {
    std::vector<T> values(take<std::uint64_t>());
    if (!values.empty())
      std::memcpy(values.data(), take(values.size() * sizeof(T)), values.size() * sizeof(T));
    return values;
  }
  std::string take_text() {
    const auto size = take<std::uint64_t>();
    return {reinterpret_cast<const char*>(take(size)), size};
  }
  bool empty() const { return read_ == bytes_.size(); }

 private:
  std::vector<std::byte> bytes_;
  std::size_t read_ = 0;
};

}  // namespace psim::net
