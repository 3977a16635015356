// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/units.h"
#include "ranks/fibers/fibers.h"
#include "ranks/program/image.h"

namespace psim::net {

/// Returns "in f (prog.c:12)" or "in raise (libc.so.6), called from f (prog.c:12)"; empty without frames.
/// Source lines need a program compiled with -g.
std::string location(std::span<void* const> frames, const Image& image, const Program& program);

/// Returns the place where the program called the message library, in which the frames begin; empty if it did
/// not.
std::string calling_location(std::span<void* const> frames, const Image& image, const Program& program);

/// Returns one line: "SIGSEGV at 0x10 in f (prog.c:12)", "SIGABRT in raise (libc.so.6), called from f
/// (prog.c:12)", "stack overflow (of 1048576 bytes) in f (prog.c:12)".
std::string describe(const Crash& crash, const Image& image, const Program& program, Bytes stack);

}  // namespace psim::net
