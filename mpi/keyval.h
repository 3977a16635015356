// SPDX-License-Identifier: Apache-2.0
// Keyvals and the attributes set under them.
#pragma once

#include <memory>

#include "mpi/attribute.h"
#include "mpi/failure.h"
#include "mpi/handle.h"
#include "mpi/pool.h"

namespace psim::net::mpi {

/// Lower places of Keyval handles are predefined in mpi.h.
constexpr std::uint32_t kFirstKeyval = 32;

/// All fail with MPI_ERR_KEYVAL if the keyval is none of the owner's kind.
Keyval& keyval(int handle, AttributeOwner owner);
int new_keyval(AttributeOwner owner, Keyval::Copy* copy, Keyval::Delete* remove, void* extra);
/// Frees the user's handle, once: attributes keep the keyval, and functions that delete them may free it
/// again.
void free_keyval(int& handle, AttributeOwner owner);
/// One use less; the last frees it.
void drop_keyval(int handle);
void set_attribute(int object, AttributeOwner owner, std::unique_ptr<Attributes>& list, int handle,
                   void* value);
bool get_attribute(AttributeOwner owner, const std::unique_ptr<Attributes>& list, int handle, void* value);
void delete_attribute(int object, AttributeOwner owner, std::unique_ptr<Attributes>& list, int handle);

}  // namespace psim::net::mpi
