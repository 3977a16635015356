// SPDX-License-Identifier: Apache-2.0
// A checked program, and the options to run it with: sandbox, environment and multiply-adds.
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
  bool inherit_environment = false;   ///< with a fixed start: passes psim's own variables nevertheless
  std::uint64_t stack_mebibytes = 8;  ///< 1–4096
  std::uint16_t translated_runs = isa::Executor::kTranslatedRuns;
};

struct GuestProgram {
  isa::ElfImage image;
  std::string sha256;  ///< of the file
  isa::ProcessOptions options;
};
/// Loads `words`, which are PROG [ARG…]. Throws UserError.
GuestProgram load_guest(const std::vector<std::string>& words, const GuestOptions& options,
                        std::uint64_t seed);

}  // namespace psim
