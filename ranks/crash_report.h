// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/units.h"
#include "ranks/fibers.h"
#include "ranks/image.h"

namespace psim::net {

/// "in f (prog.c:12)", "in raise (libc.so.6), called from f (prog.c:12)"; empty without frames. Source lines
/// need a program compiled with -g.
std::string place(std::span<void* const> frames, const Image& image, const Program& program);

/// Of frames that begin in the library of messages: where the program called it; empty if it did not.
std::string calling_place(std::span<void* const> frames, const Image& image, const Program& program);

/// One line: "SIGSEGV at 0x10 in f (prog.c:12)", "SIGABRT in raise (libc.so.6), called from f (prog.c:12)",
/// "stack overflow (of 1048576 bytes) in f (prog.c:12)".
std::string describe(const Crash& crash, const Image& image, const Program& program, Bytes stack);

}  // namespace psim::net
