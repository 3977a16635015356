// SPDX-License-Identifier: Apache-2.0
// A rank program with the shared libraries that each rank has for itself: those its user built. Libraries of
// the system and of compilers are shared by all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ranks/program_file.h"

namespace psim::net {

class Program {
 public:
  /// Reads the program and its libraries: what the loader would find in the folders that files name for it,
  /// in LD_LIBRARY_PATH, or in /usr/local/lib, outside of the system's folders, and not loaded with the
  /// simulator. What is not found is left to the loader. Throws UserError, see ProgramFile.
  explicit Program(const std::string& path);

  const std::string& path() const { return parts_[0].file.path(); }

  /// Asks for another part by the name that stands at `place` in the file.
  struct Link {
    std::uint64_t place = 0;
    std::size_t part = 0;
  };
  struct Part {
    ProgramFile file;
    std::vector<Link> links;
  };
  /// The program itself first.
  const std::vector<Part>& parts() const { return parts_; }
  const ProgramFile& file() const { return parts_[0].file; }
  /// Parts in the order in which they are constructed: who is needed before who needs it.
  const std::vector<std::size_t>& order() const { return order_; }
  /// Of memory, for each loaded copy: at the least, and when all variables have been used.
  std::uint64_t least_per_copy() const;
  std::uint64_t most_per_copy() const;

 private:
  std::size_t add(const std::string& path);
  std::string find(const ProgramFile& file, const std::string& name) const;

  std::vector<Part> parts_;
  std::vector<std::size_t> order_;
};

}  // namespace psim::net
