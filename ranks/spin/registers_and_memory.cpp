// SPDX-License-Identifier: Apache-2.0
// Reads and writes of instructions: the copy of the registers, and the log of memory.
#include "ranks/spin/interpreter.h"

namespace psim::net::spin {

[[gnu::no_sanitize_address]] std::uint64_t in_memory(std::uint64_t address) {
  return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(address), __ATOMIC_RELAXED);
}

namespace {

/// Returns the address of the thread's block, the base of segment FS.
std::uint64_t thread_pointer() {
  std::uint64_t base;
  asm("mov %%fs:0, %0" : "=r"(base));  // the first word of a thread's block is its own address
  return base;
}

/// Returns the slot of a word where its search begins: words side by side share cache lines.
std::size_t first_slot(std::uint64_t address) { return (address >> 3) + (address >> 12); }

}  // namespace

Word* Interpreter::word(std::uint64_t address) {
  std::size_t slot = first_slot(address) % kSlots;
  for (; slots_[slot] != 0; slot = (slot + 1) % kSlots)
    if (Word& word = words_[slots_[slot] - 1u]; word.address == address) return &word;
  if (count_ == kMostWords) return nullptr;
  Word& word = words_[count_++];
  slots_[slot] = static_cast<std::uint8_t>(count_);
  word.address = address;
  word.before = in_memory(address);
  word.now = word.before;
  word.known = word.kept = is_dead(address) ? 0 : 0xff;
  return &word;
}

void Interpreter::forget_words() {
  count_ = 0;
  slots_ = {};
}

bool Interpreter::load(std::uint64_t address, unsigned size, Value& value) {
  const unsigned offset = address & 7;
  const Word* low = word(address - offset);
  if (low == nullptr) return false;
  unsigned known = low->known;
  value.bits = low->now >> 8 * offset;
  if (offset + size > 8) {
    const Word* high = word(address - offset + 8);
    if (high == nullptr) return false;
    value.bits |= high->now << (64 - 8 * offset);
    known |= unsigned{high->known} << 8;
  }
  const unsigned bytes = (1u << size) - 1;
  value.known = (known >> offset & bytes) == bytes;
  value.bits &= mask(size);
  return true;
}

bool Interpreter::store(std::uint64_t address, unsigned size, Value value) {
  const unsigned offset = address & 7;
  const auto put = [&](std::uint64_t at, std::uint64_t bits, std::uint64_t which, unsigned bytes) {
    Word* one = word(at);
    if (one == nullptr) return false;
    one->now = (one->now & ~which) | (bits & which);
    one->known = static_cast<std::uint8_t>(value.known ? one->known | bytes : one->known & ~bytes);
    return true;
  };
  const unsigned bytes = ((1u << size) - 1) << offset;
  if (!put(address - offset, value.bits << 8 * offset, mask(size) << 8 * offset, bytes)) return false;
  if (offset + size <= 8) return true;
  return put(address - offset + 8, value.bits >> (64 - 8 * offset), mask(size) >> (64 - 8 * offset),
             bytes >> 8);
}

Value Interpreter::get(unsigned number, unsigned size) const {
  if (number >= high_bytes) {
    const Value value = registers[number - high_bytes];
    return {value.bits >> 8 & 0xff, value.known};
  }
  return {registers[number].bits & mask(size), registers[number].known};
}

void Interpreter::set(unsigned number, unsigned size, Value value) {
  if (number >= high_bytes) {
    Value& whole = registers[number - high_bytes];
    whole.bits = (whole.bits & ~std::uint64_t{0xff00}) | (value.bits & 0xff) << 8;
    whole.known &= value.known;
    return;
  }
  Value& whole = registers[number];
  if (size >= 4) {  // 32-bit results clear the upper half
    whole = {value.bits & mask(size), value.known};
  } else {
    whole.bits = (whole.bits & ~mask(size)) | (value.bits & mask(size));
    whole.known &= value.known;
  }
}

Value Interpreter::address_of(const Operand& operand) const {
  const Value &base = registers[operand.base], &index = registers[operand.index];
  Value result{base.bits + (index.bits << operand.scale) + operand.displacement, base.known && index.known};
  if (operand.of_thread) result.bits += thread_pointer();
  return result;
}

/// Loads an operand. Returns false for memory at an unknown address.
bool Interpreter::read(const Operand& operand, unsigned size, Value& value) {
  if (operand.memory) {
    const Value address = address_of(operand);
    return address.known && load(address.bits, size, value);
  }
  value = get(operand.number, size);
  return true;
}

bool Interpreter::write(const Operand& operand, unsigned size, Value value) {
  if (operand.memory) {
    const Value address = address_of(operand);
    return address.known && store(address.bits, size, value);
  }
  set(operand.number, size, value);
  return true;
}

bool Interpreter::push(Value value) {
  if (!registers[rsp].known) return false;
  registers[rsp].bits -= 8;
  return store(registers[rsp].bits, 8, value);
}

bool Interpreter::pop(Value& value) {
  if (!registers[rsp].known || !load(registers[rsp].bits, 8, value)) return false;
  registers[rsp].bits += 8;
  return true;
}

}  // namespace psim::net::spin
