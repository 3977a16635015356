// SPDX-License-Identifier: Apache-2.0
// A file of the host, opened once per host process for all ranks that opened it together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "mpi/include/mpi.h"
#include "mpi/object/ref.h"

namespace psim::net::mpi {

class HostFile : public Counted {
 public:
  /// Opens the file; `amode` as in MPI_File_open. Without `create`, MPI_MODE_CREATE and MPI_MODE_EXCL are
  /// ignored. Fails with the matching error class.
  HostFile(std::string name, int amode, bool create);
  ~HostFile();
  HostFile(const HostFile&) = delete;
  HostFile& operator=(const HostFile&) = delete;

  /// Returns the bytes read: fewer than `bytes` at the end of the file.
  std::uint64_t read(MPI_Offset offset, std::byte* to, std::uint64_t bytes) const;
  void write(MPI_Offset offset, const std::byte* from, std::uint64_t bytes) const;
  MPI_Offset size() const;
  void resize(MPI_Offset size) const;
  const std::string& name() const { return name_; }
  static void remove(const std::string& name);

 private:
  std::string name_;
  int descriptor_;
};

/// Returns the file that the ranks of a communicator opened together, by the communicator's number. Opens it
/// if no rank of this host process has done so.
Ref<HostFile> open_together(std::uint32_t context, const std::string& name, int amode, bool create);
/// Drops the file when no rank of this host process has it open any more.
void close_together(std::uint32_t context, Ref<HostFile>& file);

}  // namespace psim::net::mpi
