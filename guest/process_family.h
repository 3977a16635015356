// SPDX-License-Identifier: Apache-2.0
// Process numbers of the guest: the program is 1000, the n-th process forked in its family 1000 + n, in every
// run. Only this class knows the host's numbers.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace psim::isa {

class ProcessFamily {
 public:
  static constexpr std::uint32_t kFirst = 1000;
  static constexpr std::uint32_t kMost = 16384;  ///< most processes that a family may fork

  ProcessFamily() = default;
  ~ProcessFamily();
  ProcessFamily(const ProcessFamily&) = delete;
  ProcessFamily& operator=(const ProcessFamily&) = delete;

  std::uint32_t self() const { return self_; }
  std::uint32_t parent() const { return parent_; }
  /// Returns true if this family has, or had, other processes.
  bool has_others() const { return shared_ != nullptr; }
  /// Returns false once all other processes have ended on the host and all effects of their ends (signals,
  /// closed pipes) have happened.
  bool others_live() const;

  /// Call before a fork: returns the child's number, 0 if none is left.
  std::uint32_t next_child();
  /// Call after the fork, in the parent and in the child: records the host's number.
  void record(std::uint32_t guest, pid_t host);
  void become(std::uint32_t guest);

  /// Translate process numbers; 0 where there is no counterpart.
  pid_t host_of(std::uint32_t guest) const;
  std::uint32_t guest_of(pid_t host) const;
  /// Returns the numbers of the family's other processes, living or ended.
  std::vector<std::uint32_t> others() const;

 private:
  struct Shared;
  Shared* shared_ = nullptr;  ///< shared memory of all processes, created at the first fork
  std::uint32_t self_ = kFirst, parent_ = 1;
};

}  // namespace psim::isa
