// SPDX-License-Identifier: Apache-2.0
// An array of zeros whose pages take memory when they are first written, for tables that may be large and are
// used in part. Move-only.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace psim {

template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  /// Allocates `size` elements with all bytes zero. Throws std::bad_alloc.
  explicit ZeroedArray(std::size_t size) : data_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (!data_ && size) throw std::bad_alloc();
  }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T[], Free> data_;
};

}  // namespace psim
