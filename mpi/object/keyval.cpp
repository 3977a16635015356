// SPDX-License-Identifier: Apache-2.0
#include "mpi/object/keyval.h"

namespace psim::net::mpi {

Pool<Keyval, 6>& keyvals() {
  static Pool<Keyval, 6> pool;
  return pool;
}

Keyval& keyval(int handle, AttributeOwner owner) {
  const std::uint32_t index = handle_index(handle);
  require(is_handle(handle, HandleKind::Keyval) && index >= kFirstKeyval &&
              keyvals().holds(index - kFirstKeyval + 1),
          MPI_ERR_KEYVAL);
  Keyval& k = keyvals()[index - kFirstKeyval + 1];
  require(k.uses > 0 && k.owner == owner, MPI_ERR_KEYVAL);
  return k;
}

int new_keyval(AttributeOwner owner, Keyval::Copy* copy, Keyval::Delete* remove, void* extra) {
  const std::uint32_t index = keyvals().take();
  keyvals()[index] = {owner, copy, remove, extra, 1, false};
  return make_handle(HandleKind::Keyval, index + kFirstKeyval - 1);
}

void free_keyval(int& handle, AttributeOwner owner) {
  Keyval& k = keyval(handle, owner);
  if (!std::exchange(k.freed, true)) drop_keyval(handle);
  handle = MPI_KEYVAL_INVALID;
}

void drop_keyval(int handle) {
  const std::uint32_t index = handle_index(handle) - kFirstKeyval + 1;
  if (--keyvals()[index].uses == 0) keyvals().give(index);
}

namespace {

Keyval& held(int handle) { return keyvals()[handle_index(handle) - kFirstKeyval + 1]; }

void call_delete(int object, int handle, void* value) {
  const Keyval k = held(handle);
  if (k.remove != nullptr)
    if (const int error = k.remove(object, handle, value, k.extra)) fail(error);
}

}  // namespace

void set_attribute(int object, AttributeOwner owner, std::unique_ptr<Attributes>& list, int handle,
                   void* value) {
  Keyval& k = keyval(handle, owner);
  if (!list) list = std::make_unique<Attributes>();
  for (auto& [key, old] : *list)
    if (key == handle) {
      call_delete(object, handle, old);
      old = value;
      return;
    }
  ++k.uses;
  list->emplace_back(handle, value);
}

bool get_attribute(AttributeOwner owner, const std::unique_ptr<Attributes>& list, int handle, void* value) {
  keyval(handle, owner);
  if (!list) return false;
  for (const auto& [key, v] : *list)
    if (key == handle) {
      *static_cast<void**>(value) = v;
      return true;
    }
  return false;
}

void delete_attribute(int object, AttributeOwner owner, std::unique_ptr<Attributes>& list, int handle) {
  keyval(handle, owner);
  if (!list) return;
  for (auto at = list->begin(); at != list->end(); ++at)
    if (at->first == handle) {
      call_delete(object, handle, at->second);
      list->erase(at);
      drop_keyval(handle);
      return;
    }
}

void copy_attributes(int old_object, const Attributes& from, Attributes& to) {
  for (const auto& [handle, value] : from) {
    const Keyval k = held(handle);
    if (k.copy == nullptr) continue;
    void* copied = value;
    int flag = 1;
    if (reinterpret_cast<std::intptr_t>(k.copy) != 1)  // not MPI_…_DUP_FN
      if (const int error = k.copy(old_object, handle, k.extra, value, &copied, &flag)) fail(error);
    if (flag == 0) continue;
    ++held(handle).uses;
    to.emplace_back(handle, copied);
  }
}

void delete_attributes(int object, Attributes& attributes) {
  while (!attributes.empty()) {
    const auto [handle, value] = attributes.back();
    attributes.pop_back();
    call_delete(object, handle, value);
    drop_keyval(handle);
  }
}

}  // namespace psim::net::mpi
