// SPDX-License-Identifier: Apache-2.0
// Keyvals and the attributes set under them.
#pragma once

#include <memory>

#include "mpi/object/attribute.h"
#include "mpi/object/failure.h"
#include "mpi/object/handle.h"
#include "mpi/object/pool.h"

namespace psim::net::mpi {

/// First index after the predefined Keyval handles of mpi.h.
constexpr std::uint32_t kFirstKeyval = 32;

/// All of these fail with MPI_ERR_KEYVAL unless the keyval is of the owner's kind.
Keyval& keyval(int handle, AttributeOwner owner);
int new_keyval(AttributeOwner owner, Keyval::Copy* copy, Keyval::Delete* remove, void* extra);
/// Frees the user's handle once. Attributes keep the keyval, and their delete functions may free it again.
void free_keyval(int& handle, AttributeOwner owner);
/// Releases one use of the keyval; the last release frees it.
void drop_keyval(int handle);
void set_attribute(int object, AttributeOwner owner, std::unique_ptr<Attributes>& list, int handle,
                   void* value);
bool get_attribute(AttributeOwner owner, const std::unique_ptr<Attributes>& list, int handle, void* value);
void delete_attribute(int object, AttributeOwner owner, std::unique_ptr<Attributes>& list, int handle);
/// Copies the attributes that their copy functions select. Fails with the error of a copy function.
void copy_attributes(int old_handle, const Attributes& from, Attributes& to);
/// Calls the delete functions, latest first.
void delete_attributes(int handle, Attributes& attributes);

}  // namespace psim::net::mpi
