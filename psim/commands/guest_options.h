// SPDX-License-Identifier: Apache-2.0
// The options of commands that run a program: its sandbox, environment and multiply-adds.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/linux/process.h"

namespace psim::commands {

struct GuestOptions {
  std::string fma = "auto";  ///< auto, fused, unfused
  std::string root;
  std::vector<std::string> binds;  ///< HOST:GUEST[:ro]
  std::vector<std::string> environment;
  bool fixed_start = true;            ///< isa/linux/start.h
  bool inherit_environment = false;   ///< with a fixed start: psim's own variables all the same
  std::uint64_t stack_mebibytes = 8;  ///< 1–4096
};
/// How a command starts its program unless an option says otherwise.
enum class ProgramStart : std::uint8_t {
  Fixed,      ///< simulations: --inherit-env adds psim's variables
  Inherited,  ///< as qemu's user emulation: --clean-env asks for the fixed start
};
void add_guest_options(CLI::App& app, GuestOptions& options, ProgramStart start);

/// The machine of commands that run a program functionally: its SIMD-PEs are there for programs that use
/// them; times do not matter.
inline constexpr const char* kFunctionalMachine = "simd16";

/// A program read and checked, and how to run it.
struct GuestProgram {
  isa::ElfImage image;
  std::string sha256;  ///< of the file
  isa::ProcessOptions options;
};
/// `words` is PROG [ARG…]. Throws UserError.
GuestProgram load_guest(const std::vector<std::string>& words, const GuestOptions& options,
                        std::uint64_t seed);

}  // namespace psim::commands
