// SPDX-License-Identifier: Apache-2.0
// A list of counts, displacements or sizes of the program's: of int, or of the wider types of functions with
// large counts (MPI-4.1 section 2.5.8).
#pragma once

#include <cstdint>

#include "mpi/include/mpi.h"

namespace psim::net::mpi {

class Numbers {
 public:
  Numbers() = default;
  Numbers(std::nullptr_t) {}
  Numbers(const int* list) : first_(list) {}
  Numbers(const MPI_Aint* list) : first_(list), wide_(true) {}
  Numbers(const MPI_Count* list) : first_(list), wide_(true) {}

  const void* data() const { return first_; }
  explicit operator bool() const { return first_ != nullptr; }
  std::uint64_t width() const { return wide_ ? sizeof(MPI_Count) : sizeof(int); }
  const void* address(int i) const {
    return static_cast<const char*>(first_) +
           static_cast<std::int64_t>(i) * static_cast<std::int64_t>(width());
  }
  /// Reads a number of the list at an address.
  std::int64_t read(const void* at) const {
    return wide_ ? *static_cast<const MPI_Count*>(at) : *static_cast<const int*>(at);
  }
  std::int64_t operator[](std::int64_t i) const {
    return wide_ ? static_cast<const MPI_Count*>(first_)[i] : static_cast<const int*>(first_)[i];
  }

 private:
  const void* first_ = nullptr;
  bool wide_ = false;
};
static_assert(sizeof(MPI_Aint) == sizeof(MPI_Count));

}  // namespace psim::net::mpi
