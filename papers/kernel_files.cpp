// SPDX-License-Identifier: Apache-2.0
#include "papers/kernel_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "base/executable_path.h"
#include "base/read_file.h"

namespace psim::reproduce {

namespace fs = std::filesystem;

std::string kernel_directory() {
  std::error_code error;
  const fs::path directory = share_path("kernels");
  if (!fs::is_directory(directory / "paper", error))
    throw UserError(fmt::format(
        "{}: has no kernels; expected them to be built with psim, which needs the Debian packages "
        "gcc-sparc64-linux-gnu and libc6-dev-sparc64-cross: install them, then run cmake and build again",
        directory.string()));
  return directory.string();
}

bool has_kernel(std::string_view name) {
  std::error_code error;
  return fs::is_regular_file(fs::path(kernel_directory()) / name, error);
}

std::string read_kernel_file(std::string_view name) {
  const std::string path = fmt::format("{}/{}", kernel_directory(), name);
  FileBytes file = read_file(path);
  if (file.bytes.empty()) throw UserError(fmt::format("{}: cannot be read; build psim again", path));
  return std::move(file.bytes);
}

std::vector<Variant> variants() { return parse_variants(read_kernel_file("variants/list")); }

std::vector<Variant> parse_variants(std::string_view text) {
  std::vector<Variant> all;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Variant variant{};
    std::string modes;
    words >> variant.name >> variant.kernel >> modes >> std::ws;
    std::getline(words, variant.flags);
    variant.scalar = modes == "scalar" || modes == "both";
    variant.simd = modes == "simd" || modes == "both";
    if ((!variant.scalar && !variant.simd) || variant.flags.empty())
      throw std::runtime_error(
          fmt::format("kernels/variants/list: {}: expected name, source, modes and flags", line));
    all.push_back(std::move(variant));
  }
  return all;
}

}  // namespace psim::reproduce
