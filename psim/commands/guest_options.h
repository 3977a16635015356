// SPDX-License-Identifier: Apache-2.0
// The options of commands that run a program: its sandbox, environment and multiply-adds.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>

#include "guest/guest_program.h"

namespace psim::commands {

/// The way in which a command starts its program unless an option selects another.
enum class ProgramStart : std::uint8_t {
  Fixed,      ///< simulations: --inherit-env adds psim's variables
  Inherited,  ///< as qemu's user emulation: --clean-env selects the fixed start
};
void add_guest_options(CLI::App& app, GuestOptions& options, ProgramStart start);

/// The machine of commands that run a program functionally. It has SIMD-PEs for programs that use them; its
/// times do not matter.
inline constexpr const char* kFunctionalMachine = "simd16";
inline constexpr const char* kFunctionalMachineHelp =
    "machine to simulate: a TOML file, or the name of a shipped one [simd16]";

}  // namespace psim::commands
