// SPDX-License-Identifier: Apache-2.0
// What the library knows beside its pools, and knows no more when a run is over: numbers of communicators and
// ranks mean others in the next.
#pragma once

#include <utility>

namespace psim::net::mpi {

class OfRunBase {
 public:
  OfRunBase(const OfRunBase&) = delete;
  OfRunBase& operator=(const OfRunBase&) = delete;
  /// Empties all.
  static void forget() {
    for (OfRunBase* one = first_; one != nullptr; one = one->next_) one->clear();
  }

 protected:
  OfRunBase() : next_(first_) { first_ = this; }
  ~OfRunBase() = default;

 private:
  virtual void clear() = 0;
  inline static OfRunBase* first_ = nullptr;
  OfRunBase* next_;
};

/// For static objects: they are never unlinked.
template <class T>
class OfRun final : public OfRunBase {
 public:
  T value;

 private:
  void clear() override {
    T old;
    std::swap(old, value);  // what goes may ask for `value`
  }
};

}  // namespace psim::net::mpi
