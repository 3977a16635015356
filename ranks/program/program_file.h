// SPDX-License-Identifier: Apache-2.0
// The file of a rank program or of a private shared library, checked, and changed so that the loader leaves
// its constructors and destructors to psim.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace psim::net {

class ProgramFile {
 public:
  /// Reads and checks the file. Throws UserError naming `path` if it is no x86-64 shared object.
  explicit ProgramFile(std::string path);

  const std::string& path() const { return path_; }
  /// Returns the part of the file that the loader needs, without debug sections.
  std::span<const std::byte> bytes() const { return bytes_; }

  /// A range of addresses relative to the load address.
  struct Range {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t size() const { return end - begin; }
  };
  Range whole() const { return whole_; }
  /// Returns the pages that a program can write: initialised data and bss, without pages that the loader
  /// protects.
  Range writable() const { return writable_; }
  /// Returns the bytes of these pages that are the program's.
  Range variables() const { return {writable_.begin, std::max(writable_.begin, variables_end_)}; }
  /// Returns the first of these pages, whole, in which variables have values other than zero.
  Range initialised() const { return {writable_.begin, std::max(writable_.begin, initialised_end_)}; }
  /// The whole pages in which all variables have values from the file.
  struct Variables {
    std::uint64_t address = 0, offset = 0, size = 0;
  };
  Variables values() const { return values_; }
  /// A page after everything loaded, if variables come last there. The loader reserves it for a file that has
  /// `size` at `place`.
  struct Guard {
    std::uint64_t address = 0, offset = 0, size = 0;
    static constexpr std::uint64_t kBytes = 4'096;
  };
  std::optional<Guard> guard() const;
  /// A range that never changes after loading: code and constants, in whole pages. There is none if the
  /// loader is to change code.
  struct Fixed {
    std::uint64_t address = 0, offset = 0, size = 0;
    bool code = false;
    Range alone;  ///< file pages from which nothing else is loaded
  };
  const std::vector<Fixed>& fixed() const { return fixed_; }
  /// Returns the bytes of initialised variables, which cost each rank memory even if unused. Others begin as
  /// zeros.
  std::uint64_t initialised_bytes() const { return initialised_bytes_; }
  /// Returns the bytes of thread_local variables.
  std::uint64_t thread_local_bytes() const { return thread_local_bytes_; }
  /// Returns the range of their initial values; variables after it begin as zeros.
  Range thread_local_values() const { return thread_local_values_; }
  /// Functions to be called in this order before the entry; 0 and ~0 are no functions.
  Range constructors() const { return constructors_; }
  std::uint64_t early_constructor() const { return early_constructor_; }  ///< DT_INIT, 0 if none
  /// Functions to be called at the end, in reverse order.
  Range destructors() const { return destructors_; }

  /// A library that the file is linked with.
  struct Needed {
    std::string name;
    std::uint64_t entry = 0;  ///< position of the dynamic entry in the file
  };
  const std::vector<Needed>& needed() const { return needed_; }
  /// Folders to search for its libraries, before (DT_RPATH) or after (DT_RUNPATH) LD_LIBRARY_PATH, as
  /// written: separated by colons, with $ORIGIN.
  const std::string& early_folders() const { return early_folders_; }
  const std::string& late_folders() const { return late_folders_; }

  /// Makes room for other names of libraries, kNameRoom bytes each with the final zero. Returns the file
  /// position of each name, in the order of `which`, whose elements are indices of needed(). To be called
  /// once. Throws UserError if the file has no note to replace by the names.
  static constexpr std::size_t kNameRoom = 32;
  std::vector<std::uint64_t> rename(std::span<const std::size_t> which);

 private:
  void take_dynamic(std::uint64_t offset, std::uint64_t size);
  void rename_versions(const std::string& name, std::uint64_t distance);
  void find_pages_alone();
  std::uint64_t file_offset(std::uint64_t address) const;
  std::string text_at(std::uint64_t address) const;
  template <typename T>
  T get(std::uint64_t offset) const;
  template <typename T>
  void put(std::uint64_t offset, const T& value);

  std::string path_;
  std::vector<std::byte> bytes_;
  Range whole_, writable_, constructors_, destructors_, thread_local_values_;
  std::uint64_t initialised_end_ = 0, variables_end_ = 0, thread_local_bytes_ = 0, initialised_bytes_ = 0,
                early_constructor_ = 0, names_ = 0, versions_ = 0;
  std::vector<Needed> needed_;
  std::vector<Fixed> fixed_;
  Variables values_;
  std::string early_folders_, late_folders_;
};

}  // namespace psim::net
