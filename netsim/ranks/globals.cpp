// SPDX-License-Identifier: Apache-2.0
#include "netsim/ranks/globals.h"

#include <fmt/format.h>

#include "base/error.h"
#include "netsim/ranks/globals_remapped.h"
#include "netsim/ranks/globals_swapped.h"
#include "netsim/ranks/memory_need.h"
#include "netsim/ranks/sanitizer.h"

namespace psim::net {

namespace {

constexpr std::uint32_t kMostCopies = 512;
// Measured (benches/ranks_bench): copying in and out costs 45 ns a KiB, mapping 5 us and 1.2 us for each page
// touched afterwards. Below, copying wins unless a rank touches next to nothing; above, pages that are never
// written also cost no memory when mapped.
constexpr std::uint64_t kMostSwapped = 256 * 1024;

class Copies : public Globals {
 public:
  Copies(const ProgramFile& file, std::uint32_t ranks) : bytes_(file.whole().size() + file.bytes().size()) {
    images_.reserve(ranks);
    for (std::uint32_t i = 0; i < ranks; ++i) images_.emplace_back(file);
  }
  const Image& image(std::uint32_t rank) const override { return images_[rank]; }
  void enter(std::uint32_t) override {}
  std::byte* memory(std::uint32_t, void* address) const override { return static_cast<std::byte*>(address); }
  GlobalsMode mode() const override { return GlobalsMode::Copies; }
  std::uint64_t bytes_per_rank() const override { return bytes_; }

 private:
  std::vector<Image> images_;
  std::uint64_t bytes_;
};

class Shared : public Globals {
 public:
  explicit Shared(const ProgramFile& file) : image_(file) {}
  const Image& image(std::uint32_t) const override { return image_; }
  void enter(std::uint32_t) override {}
  std::byte* memory(std::uint32_t, void* address) const override { return static_cast<std::byte*>(address); }
  GlobalsMode mode() const override { return GlobalsMode::Shared; }
  std::uint64_t bytes_per_rank() const override { return 0; }

 private:
  Image image_;
};

}  // namespace

std::unique_ptr<Globals> Globals::make(const ProgramFile& file, std::uint32_t ranks, GlobalsMode mode) {
  const std::uint64_t each = file.variables().size() + file.thread_local_bytes();
  if (mode == GlobalsMode::Automatic)
    mode = ranks <= kMostCopies   ? GlobalsMode::Copies
           : each <= kMostSwapped ? GlobalsMode::Swapped
                                  : GlobalsMode::Remapped;
  if (mode == GlobalsMode::Shared) return std::make_unique<Shared>(file);
  if (mode != GlobalsMode::Copies && needs_address_sanitizer(file.path()))
    throw UserError(
        fmt::format("{}: with AddressSanitizer, global variables cannot be exchanged between ranks: up to {} "
                    "ranks, or --globals copies",
                    file.path(), kMostCopies));
  const std::uint64_t copy = file.whole().size() + file.bytes().size();
  check_memory(file.path(), {.ranks = ranks, .globals = mode == GlobalsMode::Copies ? copy : each},
               available_memory());
  if (mode == GlobalsMode::Copies) return std::make_unique<Copies>(file, ranks);
  if (mode == GlobalsMode::Swapped) return std::make_unique<SwappedGlobals>(file, ranks);
  return std::make_unique<RemappedGlobals>(file, ranks);
}

std::string name(GlobalsMode mode) {
  switch (mode) {
    case GlobalsMode::Automatic:
      return "automatic";
    case GlobalsMode::Copies:
      return "copies";
    case GlobalsMode::Swapped:
      return "swapped";
    case GlobalsMode::Remapped:
      return "remapped";
    case GlobalsMode::Shared:
      return "shared";
  }
  return "";
}

}  // namespace psim::net
