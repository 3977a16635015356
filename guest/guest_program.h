// SPDX-License-Identifier: Apache-2.0
// A program read and checked, and how to run it: its sandbox, environment and multiply-adds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "guest/process.h"

namespace psim {

struct GuestOptions {
  std::string fma = "auto";  ///< auto, fused, unfused
  std::string root;
  std::vector<std::string> binds;  ///< HOST:GUEST[:ro]
  std::vector<std::string> environment;
  bool fixed_start = true;            ///< guest/start.h
  bool inherit_environment = false;   ///< with a fixed start: psim's own variables all the same
  std::uint64_t stack_mebibytes = 8;  ///< 1–4096
};

struct GuestProgram {
  isa::ElfImage image;
  std::string sha256;  ///< of the file
  isa::ProcessOptions options;
};
/// `words` is PROG [ARG…]. Throws UserError.
GuestProgram load_guest(const std::vector<std::string>& words, const GuestOptions& options,
                        std::uint64_t seed);

}  // namespace psim
