// SPDX-License-Identifier: Apache-2.0
// How data are stored in a file (MPI-3.1 section 13.5): as in memory, in external32, or as the program
// converts them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "mpi/datatype/datatype.h"

namespace psim::net::mpi {

/// Functions of the program for its own representation (MPI_Register_datarep).
struct Conversion {
  /// A function of either form; both null: data are as in memory.
  struct Function {
    MPI_Datarep_conversion_function* small = nullptr;
    MPI_Datarep_conversion_function_c* large = nullptr;
    explicit operator bool() const { return small != nullptr || large != nullptr; }
  };
  Function read, write;
  MPI_Datarep_extent_function* extent;
  void* extra;
};

class Representation {
 public:
  /// Makes "native".
  Representation() = default;
  /// Finds a representation of the library's or one that the rank has registered. Fails with
  /// MPI_ERR_UNSUPPORTED_DATAREP.
  explicit Representation(std::string_view name);

  const std::string& name() const { return name_; }
  bool as_in_memory() const { return !external32_ && conversion_ == nullptr; }
  /// Returns the bytes of an element of a type in the file.
  std::uint64_t size_of(const Datatype& type) const;
  /// Returns the layout of a type in the file; null if it is that in memory.
  std::unique_ptr<Datatype> layout(const Datatype& type) const;

  /// Converts `count` elements at `user` to the bytes of the file. Fails with MPI_ERR_CONVERSION.
  void write(Datatype& type, std::uint64_t count, const std::byte* user, std::byte* file) const;
  /// Converts `bytes` of the file, which may end within the elements. Returns the size of the converted data
  /// in memory. Fails with MPI_ERR_CONVERSION.
  std::uint64_t read(Datatype& type, std::uint64_t count, std::byte* user, std::byte* file,
                     std::uint64_t bytes) const;

 private:
  /// Checks that data which no function converts have memory's size.
  void check_native(const Datatype& type) const;

  std::string name_ = "native";
  bool external32_ = false;
  const Conversion* conversion_ = nullptr;
};

}  // namespace psim::net::mpi
