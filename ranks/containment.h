// SPDX-License-Identifier: Apache-2.0
// Whether a crash of one program leaves the others, which share its address space, unharmed: nothing that
// they share may be half done, above all no lock of the C library be held for ever (docs/decisions/0027).
#pragma once

#include "ranks/fibers.h"
#include "ranks/image.h"

namespace psim::net {

/// The crash is an instruction of the program itself, a call of no code, or what abort() and a failed
/// assertion do; and between it and psim's own frames are only the program's and those of the library of
/// messages, in which `library` is. Anything else, and what cannot be unwound, may be in the middle of
/// something.
bool contained(const Crash& crash, const Image& image, const void* library);

}  // namespace psim::net
