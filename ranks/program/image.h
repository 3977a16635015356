// SPDX-License-Identifier: Apache-2.0
// A rank program in memory: one loaded copy of the shared object made by the wrappers, and of its private
// libraries. Their symbols are resolved, but constructors have not run: each rank runs them for itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ranks/program/program.h"

namespace psim::net {

/// One loaded copy. Unloaded with the object.
class Image {
 public:
  using Entry = int (*)(int argc, char** argv, char** environment);

  /// Loads the program, which must outlive the image. With `guarded`, writes beyond the last of its variables
  /// fault. Throws UserError if a symbol or library is missing, or the program was not linked by this
  /// version's wrappers. An image that is not the `first` of its program does not search for gfortran's
  /// library, whose calls the first has redirected.
  explicit Image(const Program& program, bool guarded = true, bool first = true);
  ~Image();
  Image(Image&& other) noexcept;
  Image& operator=(Image&&) = delete;

  /// Maps code, constants and large initialised variables from another copy's file, so that caches and memory
  /// hold them once. The other image must outlive this one's use of them.
  void share(const Image& other);

  /// Returns true if the loader's object of this name is a copy of a program's file.
  static bool is_copy(std::string_view name);

  /// Returns an address in the program itself.
  std::byte* at(std::uint64_t relative) const { return parts_[0].base + relative; }
  bool contains(const void* address) const { return part_of(address) != kNone; }
  /// Returns the index in the program's parts() of the part that contains an address; base() is where it is
  /// loaded.
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t part_of(const void* address) const;
  std::byte* base(std::size_t part) const { return parts_[part].base; }

  Entry entry() const { return entry_; }
  /// Returns a symbol of the program or of the libraries it was linked with, or null.
  void* symbol(const char* name) const;
  /// Returns this thread's copy of the program's thread_local variables, or null if it has none.
  std::byte* thread_locals() const { return thread_locals(0); }
  /// Likewise for one of the program's parts().
  std::byte* thread_locals(std::size_t part) const;
  /// Runs the constructors for the running rank.
  void construct(int argc, char** argv, char** environment) const;
  /// Runs the running rank's destructors that are no exit handlers.
  void destruct() const;

 private:
  struct Part {
    int descriptor = -1;
    std::byte* base = nullptr;
  };
  void load(bool guarded, bool first);
  bool redirect_fortran_calls() const;
  bool write_file(std::size_t part, bool guarded) const;
  void guard() const;
  void share_variables(std::size_t part, const Image& other);
  void unload();

  const Program* program_;
  void* handle_ = nullptr;
  std::vector<Part> parts_;
  Entry entry_ = nullptr;
};

}  // namespace psim::net
