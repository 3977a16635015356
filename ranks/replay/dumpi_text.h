// SPDX-License-Identifier: Apache-2.0
// The calls of MPI in the text that dumpi2ascii of SST's sst-dumpi prints for one rank:
//
//   MPI_Send entering at walltime 835.656757762, cputime 0.142218214 seconds in thread 0.
//   int count=10
//   MPI_Datatype datatype=14 (MPI_DOUBLE)
//   …
//   MPI_Send returning at walltime 835.656759325, cputime 0.142221240 seconds in thread 0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace psim::net::replay {

struct DumpiFile {
  std::string name;  ///< for errors
  std::string_view bytes;
};

/// The status of a completed operation.
struct DumpiStatus {
  std::int64_t source = -1, tag = -1;
  bool cancelled = false;
};

/// A call with its recorded arguments. Its views point into the file.
class DumpiCall {
 public:
  std::string_view function;
  std::uint64_t enter = 0, leave = 0;  ///< ns

  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Return the argument `name`: one number, or a list. A list that was not recorded is empty. Throw
  /// UserError.
  std::int64_t number(std::string_view name) const;
  std::vector<std::int64_t> numbers(std::string_view name) const;
  /// Returns the recorded statuses; none if the program or the recorder ignored them.
  std::vector<DumpiStatus> statuses() const;
  /// Returns the error "FILE:LINE: MPI_Send: …".
  UserError error(const std::string& what) const;

 private:
  friend class DumpiText;
  const std::string_view* find(std::string_view name) const;

  const DumpiFile* file_ = nullptr;
  std::uint64_t line_ = 0;
  std::vector<std::pair<std::string_view, std::string_view>> arguments_;  ///< names and values
};

class DumpiText {
 public:
  explicit DumpiText(const DumpiFile& file) : file_(file), left_(file.bytes) {}

  /// Reads the next call. Returns false at the end of the file. Throws UserError, as in a file that ends
  /// within a call.
  bool next(DumpiCall& call);
  /// Returns the sizes in bytes of the datatypes by number, which stand at the end of the file. Throws
  /// UserError if there are none.
  std::vector<std::uint64_t> datatype_sizes() const;

 private:
  /// Takes a line. Returns false at the end.
  bool take(std::string_view& line);

  const DumpiFile& file_;
  std::string_view left_;
  std::uint64_t line_ = 0;
};

}  // namespace psim::net::replay
