// SPDX-License-Identifier: Apache-2.0
// A rank program in memory: one loaded copy of the shared object that the wrappers made and of its private
// libraries, with their code resolved but their constructors not yet run: each rank runs them for itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ranks/program.h"

namespace psim::net {

/// One loaded copy. Unloaded with the object.
class Image {
 public:
  using Entry = int (*)(int argc, char** argv, char** environment);

  /// `program` must outlive it. `guarded`: what writes beyond the last of its variables faults. Throws
  /// UserError if a symbol or library is missing, or the program was not linked by this version's wrappers.
  explicit Image(const Program& program, bool guarded = true);
  ~Image();
  Image(Image&& other) noexcept;
  Image& operator=(Image&&) = delete;

  /// Takes code, constants and large initialised variables from another copy's file, so that caches and
  /// memory hold them once. The other must outlive this one's use of them.
  void share(const Image& other);

  /// Whether an object that the loader has under this name is a copy of a program's file.
  static bool is_copy(std::string_view name);

  /// Of the program itself.
  std::byte* at(std::uint64_t relative) const { return parts_[0].base + relative; }
  bool contains(const void* address) const { return part_of(address) != kNone; }
  /// Which of the program's parts() an address lies in, and where that is loaded.
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t part_of(const void* address) const;
  std::byte* base(std::size_t part) const { return parts_[part].base; }

  Entry entry() const { return entry_; }
  /// A symbol of the program or of the libraries it was linked with, or null.
  void* symbol(const char* name) const;
  /// This thread's copy of the program's thread_local variables, or null if it has none.
  std::byte* thread_locals() const { return thread_locals(0); }
  /// The same of one of the program's parts().
  std::byte* thread_locals(std::size_t part) const;
  /// Runs the constructors, for the running rank.
  void construct(int argc, char** argv, char** environment) const;
  /// Runs the destructors of the running rank that are no exit handlers.
  void destruct() const;

 private:
  struct Part {
    int descriptor = -1;
    std::byte* base = nullptr;
  };
  void load(bool guarded);
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
