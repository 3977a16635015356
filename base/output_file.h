// SPDX-License-Identifier: Apache-2.0
// A file that is either written whole or not at all. Until commit() its bytes are in a file without a name.
// Neither a simulated program in the same folder nor a rank of `psim net` can find, change or replace them.
//
// Symbolic links are followed when the object is made: their target is replaced, the links stay. A file that
// is not regular (a terminal, pipe or device; also /dev/stdout and /dev/fd/N) is never replaced but written
// directly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace psim {

class OutputFile {
 public:
  /// Finds the destination and opens a nameless file in its folder, so that a path that cannot be written is
  /// reported before a long run. `option` names the option, "--json". "-" is standard output. `program`: the
  /// file may be executed. `copies`: commit() copies the bytes, as on file systems without nameless files.
  /// Throws UserError.
  OutputFile(std::string path, std::string_view option, bool program = false, bool copies = false);
  /// Removes the nameless file unless commit() was called.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  /// Makes the file appear under its name, replacing an existing one. Throws UserError (disk full, …), also
  /// if the name leads elsewhere by now.
  void commit();

  /// Call in a copy of this process, which shares open files with it: from now on write() and commit() of
  /// the files made so far do nothing.
  static void leave_to_original();
  /// Begins an empty file if the present one was left to the original; commit() replaces the same name.
  /// Returns false if it cannot, because the file is written directly. Throws UserError.
  bool renew();
  /// Returns the number of files that this process has committed since leave_to_original().
  static std::uint64_t committed();

  /// Prefix of temporary names between commit()'s two steps. Files that killed processes leave are removed.
  static constexpr const char* kPrefix = ".psim-unfinished-";

 private:
  void find_destination();
  void open_known(int folder, const std::string& name);
  void use_inherited(const std::string& number);
  void open_nameless(bool copies);
  std::string give_name();
  std::string copy_to_name();
  void check_name(const std::string& temporary);
  void recycle_cache();
  [[noreturn]] void fail(std::string_view doing) const;
  [[noreturn]] void refuse(std::string_view why) const;

  std::string path_, option_, name_;  ///< name_: in folder_; empty if written directly
  int descriptor_ = -1, folder_ = -1;
  unsigned mode_ = 0666;
  unsigned process_;                         ///< number of the copy of the process that writes it
  bool linkable_ = false;                    ///< the nameless file is on the destination's file system
  std::uint64_t written_ = 0, advised_ = 0;  ///< bytes
};

}  // namespace psim
