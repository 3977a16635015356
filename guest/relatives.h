// SPDX-License-Identifier: Apache-2.0
// Process numbers of the guest: the program is 1000, the n-th process forked in its family 1000 + n, on every
// run. Host numbers are known only here.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace psim::isa {

class Relatives {
 public:
  static constexpr std::uint32_t kFirst = 1000;
  static constexpr std::uint32_t kMost = 16384;  ///< processes a family may fork in all

  Relatives() = default;
  ~Relatives();
  Relatives(const Relatives&) = delete;
  Relatives& operator=(const Relatives&) = delete;

  std::uint32_t self() const { return self_; }
  std::uint32_t parent() const { return parent_; }
  /// There are, or were, other processes of this family.
  bool any() const { return family_ != nullptr; }
  /// Some of them may live: false only once all have ended on the host, with all that their ends bring about
  /// (signals, ends of pipes).
  bool others_live() const;

  /// Before a fork: the child's number, 0 if there are no more.
  std::uint32_t next_child();
  /// After the fork, in the parent and in the child.
  void record(std::uint32_t guest, pid_t host);
  void become(std::uint32_t guest);

  /// 0 where there is no counterpart.
  pid_t host_of(std::uint32_t guest) const;
  std::uint32_t guest_of(pid_t host) const;
  /// Numbers of the family's other processes, whether they still live or not.
  std::vector<std::uint32_t> others() const;

 private:
  struct Family;
  Family* family_ = nullptr;  ///< shared memory of all processes, made at the first fork
  std::uint32_t self_ = kFirst, parent_ = 1;
};

}  // namespace psim::isa
