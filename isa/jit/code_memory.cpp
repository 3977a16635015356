// SPDX-License-Identifier: Apache-2.0
#include "isa/jit/code_memory.h"

#include "base/error.h"

namespace psim::isa::jit {

using asmjit::VirtMem::MemoryFlags;

CodeMemory::CodeMemory() {
  void* at = nullptr;
  if (asmjit::VirtMem::alloc(&at, kBytes, MemoryFlags::kNone) == asmjit::kErrorOk)
    base_ = static_cast<std::byte*>(at);
}

CodeMemory::~CodeMemory() {
  if (base_ != nullptr) asmjit::VirtMem::release(base_, kBytes);
}

const std::byte* CodeMemory::add(asmjit::CodeHolder& code) {
  if (base_ == nullptr || code.flatten() != asmjit::kErrorOk ||
      code.resolveUnresolvedLinks() != asmjit::kErrorOk)
    return nullptr;
  if (code.codeSize() > kBytes - used_) return nullptr;
  std::byte* const at = base_ + used_;
  if (code.relocateToBase(reinterpret_cast<std::uint64_t>(at)) != asmjit::kErrorOk) return nullptr;
  const std::size_t bytes = code.codeSize(), page = asmjit::VirtMem::info().pageSize;
  std::byte* const first = base_ + used_ / page * page;
  const std::size_t around = (used_ % page + bytes + page - 1) / page * page;
  const auto protect = [&](MemoryFlags flags) {
    const bool done = asmjit::VirtMem::protect(first, around, flags) == asmjit::kErrorOk;
    // Code that is in these pages already could not run.
    if (!done && used_ != 0)
      throw UserError("the host no longer allows executable memory; --translate-after 0 needs none");
    return done;
  };
  if (!protect(MemoryFlags::kAccessRW)) return nullptr;
  code.copyFlattenedData(at, bytes);
  if (!protect(MemoryFlags::kAccessRX)) return nullptr;
  used_ += (bytes + 15) / 16 * 16;
  return at;
}

}  // namespace psim::isa::jit
