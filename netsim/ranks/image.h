// SPDX-License-Identifier: Apache-2.0
// A rank program in memory: one loaded copy of the shared object that the wrappers made, with its code
// resolved but its constructors not yet run: each rank runs them for itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace psim::net {

/// The bytes of a program file, checked, and changed so that the loader leaves its constructors to us.
class ProgramFile {
 public:
  /// Throws UserError naming `path` if it is no x86-64 shared object.
  explicit ProgramFile(std::string path);

  const std::string& path() const { return path_; }
  std::span<const std::byte> bytes() const { return bytes_; }

  /// Addresses are relative to where the program is loaded.
  struct Range {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t size() const { return end - begin; }
  };
  Range whole() const { return whole_; }
  /// What a program can write to, whole pages: initialised data and bss, without what the loader seals.
  Range writable() const { return writable_; }
  /// Of these pages, the bytes that are the program's.
  Range variables() const { return {writable_.begin, std::max(writable_.begin, variables_end_)}; }
  /// Bytes of thread_local variables.
  std::uint64_t thread_local_bytes() const { return thread_local_bytes_; }
  /// Functions to be called in this order before the entry; 0 and ~0 are not functions.
  Range constructors() const { return constructors_; }
  std::uint64_t early_constructor() const { return early_constructor_; }  ///< DT_INIT, 0 if none

 private:
  void take_dynamic(std::uint64_t offset, std::uint64_t size);

  std::string path_;
  std::vector<std::byte> bytes_;
  Range whole_, writable_, constructors_;
  std::uint64_t variables_end_ = 0, thread_local_bytes_ = 0, early_constructor_ = 0;
};

/// One loaded copy. Unloaded with the object.
class Image {
 public:
  using Entry = int (*)(int argc, char** argv, char** environment);

  /// Throws UserError if a symbol or library is missing, or the program was not linked by this version's
  /// wrappers.
  explicit Image(const ProgramFile& file);
  ~Image();
  Image(Image&& other) noexcept;
  Image& operator=(Image&&) = delete;

  std::byte* at(std::uint64_t relative) const { return base_ + relative; }
  std::byte* begin() const { return at(file_->whole().begin); }
  std::byte* end() const { return at(file_->whole().end); }
  bool contains(const void* address) const { return address >= begin() && address < end(); }
  Entry entry() const { return entry_; }
  /// A symbol of the program or of the libraries it was linked with, or null.
  void* symbol(const char* name) const;
  /// This thread's copy of the program's thread_local variables, or null if it has none.
  std::byte* thread_locals() const;
  /// Runs the constructors, for the running rank.
  void construct(int argc, char** argv, char** environment) const;

 private:
  const ProgramFile* file_;
  void* handle_ = nullptr;
  int descriptor_ = -1;
  std::byte* base_ = nullptr;
  Entry entry_ = nullptr;
};

}  // namespace psim::net
