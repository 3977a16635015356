// SPDX-License-Identifier: Apache-2.0
// Shared ownership on one host thread: the object counts its owners in `refs`.
#pragma once

#include <cstdint>
#include <utility>

namespace psim::net::mpi {

struct Counted {
  Counted() = default;
  Counted(const Counted&) {}
  Counted& operator=(const Counted&) { return *this; }
  std::uint32_t refs = 0;
};

/// Deletes an object that has no owner left; types kept in a pool have an overload.
template <class T>
void dispose(T* object) {
  delete object;
}

template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(T* object) : object_(object) {  // NOLINT: implicit by intent
    if (object_) ++object_->refs;
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ && --object_->refs == 0) dispose(object_);
  }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  bool operator==(const Ref& other) const { return object_ == other.object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace psim::net::mpi
