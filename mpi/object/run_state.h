// SPDX-License-Identifier: Apache-2.0
// Library state outside the pools; reset between runs, because the numbers of communicators and ranks get new
// meanings.
#pragma once

#include <utility>

namespace psim::net::mpi {

/// The list of all such objects.
class RunStateBase {
 public:
  RunStateBase(const RunStateBase&) = delete;
  RunStateBase& operator=(const RunStateBase&) = delete;
  /// Resets all of them to their initial values.
  static void reset_all() {
    for (RunStateBase* one = first_; one != nullptr; one = one->next_) one->clear();
  }

 protected:
  RunStateBase() : next_(first_) { first_ = this; }
  ~RunStateBase() = default;

 private:
  virtual void clear() = 0;
  inline static RunStateBase* first_ = nullptr;
  RunStateBase* next_;
};

/// One value of the library's state. For static objects only: they are never unlinked.
template <class T>
class RunState final : public RunStateBase {
 public:
  T value;

 private:
  void clear() override {
    T old;
    std::swap(old, value);  // destructors of the old value may use `value`
  }
};

}  // namespace psim::net::mpi
