// SPDX-License-Identifier: Apache-2.0
// A rank program with its private shared libraries: those built by its user. All ranks share the libraries of
// the system and of compilers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ranks/program/program_file.h"

namespace psim::net {

class Program {
 public:
  /// Reads the program and its private libraries. These are the libraries that the loader would find in
  /// folders named by the files, in LD_LIBRARY_PATH or in /usr/local/lib, outside of the system's folders,
  /// and that the simulator has not loaded. Other libraries are left to the loader. Throws UserError, see
  /// ProgramFile, and if a part needs another MPI library, whose functions would take its calls.
  explicit Program(const std::string& path);

  const std::string& path() const { return parts_[0].file.path(); }

  /// A dependence on another part, by the name stored at `offset` in the file.
  struct Link {
    std::uint64_t offset = 0;
    std::size_t part = 0;
  };
  struct Part {
    ProgramFile file;
    std::vector<Link> links;
  };
  /// Returns all parts, the program first.
  const std::vector<Part>& parts() const { return parts_; }
  const ProgramFile& file() const { return parts_[0].file; }
  /// Returns the parts in the order of construction: a part follows the parts that it needs.
  const std::vector<std::size_t>& order() const { return order_; }
  /// Returns the paths of libraries that all copies share and that the files look up in folders of their own.
  /// The loader does not find them from a copy, because $ORIGIN is not the program's folder there.
  const std::vector<std::string>& shared() const { return shared_; }
  /// Return the bytes of memory of each loaded copy: at least, and with all variables in use.
  std::uint64_t least_per_copy() const;
  std::uint64_t most_per_copy() const;

 private:
  std::size_t add(const std::string& path);
  std::string find(const ProgramFile& file, const std::string& name) const;
  void share(const ProgramFile& file, const std::string& name);

  std::vector<Part> parts_;
  std::vector<std::size_t> order_;
  std::vector<std::string> shared_;
};

}  // namespace psim::net
