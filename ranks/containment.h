// SPDX-License-Identifier: Apache-2.0
// Containment of a crash: whether it leaves the other programs, which share the address space, unharmed.
// Nothing they share may be half done; above all, no lock of the C library may stay locked
// (docs/decisions/0027).
#pragma once

#include "ranks/fibers/fibers.h"
#include "ranks/program/image.h"

namespace psim::net {

/// Returns true if the crash is an instruction of the program itself, a call of no code, or part of abort()
/// or a failed assertion, and if only frames of the program and of the message library (which contains
/// `library`) lie between it and psim's own frames. Other crashes, and stacks that cannot be unwound, may
/// leave shared state half changed.
bool contained(const Crash& crash, const Image& image, const void* library);

}  // namespace psim::net
