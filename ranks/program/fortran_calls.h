// SPDX-License-Identifier: Apache-2.0
// Calls into gfortran's library. The loader finds a few instructions in front of each function that the
// library exports, which compare the rank whose variables are in place with the running one, so that the
// variables need to be exchanged only when another rank calls the library (docs/decisions/0039).
#pragma once

#include <link.h>

#include <cstddef>

#include "ranks/program/code_range.h"

namespace psim::net {

class FortranCalls {
 public:
  /// Read and written by the instructions in front of the functions, which know its layout.
  struct State {
    /// The place of the return address of the last call, and the address. The call has not returned while
    /// they are equal; they may be equal after it has returned, too. Null: none.
    const void* const* place = nullptr;
    const void* return_address = nullptr;
    // Any object stands for a rank, null for the host.
    const void* running = nullptr;
    const void* owner = nullptr;  ///< its variables are in place
  };
  static State& state();
  /// Returns false if the last call has certainly returned.
  static bool may_be_inside();
  /// Forgets the last call if it has returned, by the frames between the caller and `top`, the end of its
  /// stack; `whole` is the library.
  static void forget_if_returned(const std::byte* top, const CodeRange& whole);
  /// Forgets the last call, which has returned.
  static void forget() { state().place = nullptr; }

  using SetArguments = void (*)(int argc, char** argv);
  using SetOptions = void (*)(int count, int* options);
  /// A library whose calls are redirected. Two of its functions, which every Fortran main program calls, are
  /// replaced by those of FortranLibrary.
  struct Library {
    const ::link_map* map = nullptr;
    CodeRange entries;  ///< the instructions in front of its functions
    SetArguments set_arguments = nullptr;
    SetOptions set_options = nullptr;
  };
  /// Lets the loader find the instructions in front of the functions of the library that contains `function`.
  /// Objects loaded earlier still call the functions themselves. Returns false if that has been done before.
  static bool redirect(const void* function);
  /// Returns the library that `function` belongs to, as the loader finds it; null if none.
  static const Library* library_of(const void* function);
};

}  // namespace psim::net
