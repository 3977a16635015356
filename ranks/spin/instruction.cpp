// SPDX-License-Identifier: Apache-2.0
// Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A.
#include "ranks/spin/instruction.h"

#include <cstring>

namespace psim::net::spin {

namespace {

class Decoder {
 public:
  Decoder(std::uint64_t pc, Instruction& to) : pc_(pc), at_(pc), to_(to) {
    to = {};
    to.rm.base = to.rm.index = none;
  }

  bool decode() {
    prefixes();
    const auto opcode = take<std::uint8_t>();
    to_.size = static_cast<std::uint8_t>(wide_ ? 8 : narrow_ ? 2 : 4);
    if (!(opcode == 0x0f ? two_bytes(take<std::uint8_t>()) : one_byte(opcode))) return false;
    to_.length = static_cast<std::uint8_t>(at_ - pc_);
    return true;
  }

 private:
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(at_), sizeof value);
    at_ += sizeof value;
    return value;
  }
  /// Takes `size` bytes and extends their sign.
  std::uint64_t take_signed(unsigned size) {
    if (size == 1) return extend(take<std::uint8_t>(), 1);
    return size == 2 ? extend(take<std::uint16_t>(), 2) : extend(take<std::uint32_t>(), 4);
  }
  /// Takes an immediate operand as long as the others, but 4 bytes for operands of 8.
  void immediate() { to_.immediate = take_signed(to_.size == 8 ? 4 : to_.size); }
  void immediate_byte() { to_.immediate = take_signed(1); }
  /// Takes an immediate operand, of one byte after opcodes with bit 1.
  void immediate_by(std::uint8_t opcode) { (opcode & 2) != 0 ? immediate_byte() : immediate(); }
  /// Sets the size of operands by the lowest bit of opcodes with two sizes.
  void size_by(std::uint8_t opcode) {
    if ((opcode & 1) == 0) to_.size = 1;
  }
  /// Returns the number of a general register as an operand of `size` bytes.
  std::uint8_t general(unsigned number, unsigned size) const {
    const bool high = size == 1 && !rex_ && number >= 4 && number < 8;
    return static_cast<std::uint8_t>(high ? high_bytes + number - 4 : number);
  }
  bool done(Action action, unsigned detail = 0) {
    to_.action = action;
    to_.detail = static_cast<std::uint8_t>(detail);
    return true;
  }
  /// Completes an instruction that has operands by ModRM and no more bytes.
  bool operands(Action action, unsigned detail = 0) {
    modrm();
    return done(action, detail);
  }
  bool sized_operands(std::uint8_t opcode, Action action) {
    size_by(opcode);
    return operands(action);
  }

  void prefixes() {
    std::uint8_t byte = 0;
    for (;; ++at_) {
      byte = *reinterpret_cast<const std::uint8_t*>(at_);
      if (byte == 0x66)
        narrow_ = true;
      else if (byte == 0xf2)
        repeat_not_ = true;
      else if (byte == 0xf3)
        repeat_ = true;
      else if (byte == 0x64)
        to_.rm.of_thread = true;
      else if (byte != 0x2e && byte != 0x3e && byte != 0xf0)  // segments without effect, lock
        break;
    }
    if ((byte & 0xf0) != 0x40) return;
    ++at_;
    rex_ = true;
    wide_ = (byte & 8) != 0;
    rex_r_ = (byte & 4u) << 1;
    rex_x_ = (byte & 2u) << 2;
    rex_b_ = (byte & 1u) << 3;
  }

  /// Takes ModRM, SIB and displacement.
  void modrm() {
    const auto byte = take<std::uint8_t>();
    const unsigned mode = byte >> 6, low = byte & 7u;
    field_ = byte >> 3 & 7u;
    to_.reg = general(field_ | rex_r_, to_.size);
    Operand& rm = to_.rm;
    if (mode == 3) {
      rm.number = general(low | rex_b_, to_.size);
      return;
    }
    rm.memory = true;
    if (low == 4) {
      const auto sib = take<std::uint8_t>();
      const unsigned index = (sib >> 3 & 7u) | rex_x_, base = sib & 7u;
      if (index != rsp) rm.index = static_cast<std::uint8_t>(index);
      rm.scale = sib >> 6;
      if (base == 5 && mode == 0)
        rm.displacement = take_signed(4);
      else
        rm.base = static_cast<std::uint8_t>(base | rex_b_);
    } else if (low == 5 && mode == 0) {
      rm.displacement = take_signed(4);
      rm.base = rip;
    } else {
      rm.base = static_cast<std::uint8_t>(low | rex_b_);
    }
    if (mode == 1) rm.displacement = take_signed(1);
    if (mode == 2) rm.displacement = take_signed(4);
  }

  bool one_byte(std::uint8_t opcode) {
    const unsigned low = (opcode & 7u) | rex_b_;
    if (opcode < 0x40 && (opcode & 7) < 6) return compute(opcode);
    switch (opcode & 0xf8) {
      case 0x50:
      case 0x58:
        to_.reg = static_cast<std::uint8_t>(low);
        return !narrow_ && done(opcode < 0x58 ? Action::Push : Action::Pop);
      case 0x70:
      case 0x78:
        return jump(1, Action::JumpIf, opcode & 15u);
      case 0xb0:
        to_.size = 1;
        [[fallthrough]];
      case 0xb8:
        to_.rm.number = general(low, to_.size);
        if (to_.size == 8)
          to_.immediate = take<std::uint64_t>();
        else
          immediate();
        return done(Action::MoveImmediate);
      default:
        break;
    }
    switch (opcode) {
      case 0x63:
        return operands(Action::SignExtend, 4);
      case 0x68:
      case 0x6a:
        to_.immediate = take_signed(opcode == 0x68 ? 4 : 1);
        return done(Action::PushImmediate);
      case 0x69:
      case 0x6b:
        modrm();
        immediate_by(opcode);
        return done(Action::MultiplyImmediate);
      case 0x80:
      case 0x81:
      case 0x83:
        size_by(opcode);
        modrm();
        immediate_by(opcode);
        return done(Action::ComputeImmediate, field_);
      case 0x84:
      case 0x85:
        return sized_operands(opcode, Action::Test);
      case 0x86:
      case 0x87:
        return sized_operands(opcode, Action::Exchange);
      case 0x88:
      case 0x89:
        return sized_operands(opcode, Action::MoveToOperand);
      case 0x8a:
      case 0x8b:
        return sized_operands(opcode, Action::MoveToRegister);
      case 0x8d:
        modrm();
        return to_.rm.memory && !to_.rm.of_thread && done(Action::LoadAddress);
      case 0x90:
        return rex_b_ == 0 && done(Action::Nothing);  // nop, pause
      case 0x98:
        return done(Action::ExtendAccumulator);
      case 0x99:
        return done(Action::SignOfAccumulator);
      case 0xa8:
      case 0xa9:
        size_by(opcode);
        to_.rm.number = rax;
        immediate();
        return done(Action::TestImmediate);
      case 0xc1:
        modrm();
        immediate_byte();
        return done(Action::ShiftImmediate, field_);
      case 0xd1:
        modrm();
        to_.immediate = 1;
        return done(Action::ShiftImmediate, field_);
      case 0xd3:
        modrm();
        return done(Action::ShiftByCl, field_);
      case 0xc3:
        return done(Action::Return);
      case 0xc6:
      case 0xc7:
        size_by(opcode);
        modrm();
        immediate();
        return field_ == 0 && done(Action::MoveImmediate);
      case 0xc9:
        return done(Action::Leave);
      case 0xe8:
        return jump(4, Action::Call);
      case 0xe9:
        return jump(4, Action::Jump);
      case 0xeb:
        return jump(1, Action::Jump);
      case 0xf6:
      case 0xf7:
        return unary(opcode);
      case 0xfe:
      case 0xff:
        return increment_or_jump(opcode);
      default:
        return false;
    }
  }

  bool compute(std::uint8_t opcode) {
    const unsigned operation = opcode >> 3;
    size_by(opcode);
    if ((opcode & 7) >= 4) {  // al or eax, immediate
      to_.rm.number = rax;
      immediate();
      return done(Action::ComputeImmediate, operation);
    }
    modrm();
    if (!to_.rm.memory && to_.rm.number == to_.reg && (operation == kXor || operation == kSub))
      return done(Action::Clear, operation);
    return done((opcode & 2) != 0 ? Action::ComputeRegister : Action::Compute, operation);
  }

  bool jump(unsigned bytes, Action action, unsigned detail = 0) {
    to_.immediate = take_signed(bytes);
    return done(action, detail);
  }

  /// Decodes opcodes F6, F7: test, not, neg, mul, imul, div, idiv.
  bool unary(std::uint8_t opcode) {
    size_by(opcode);
    modrm();
    switch (field_) {
      case 0:
      case 1:
        immediate();
        return done(Action::TestImmediate);
      case 2:
        return done(Action::Not);
      case 3:
        return done(Action::Negate);
      default:
        return to_.size >= 4 && done(field_ < 6 ? Action::MultiplyWide : Action::Divide, field_ & 1);
    }
  }

  bool increment_or_jump(std::uint8_t opcode) {
    size_by(opcode);
    modrm();
    if (field_ < 2) return done(Action::Increment, field_ == 0 ? kAdd : kSub);
    if (opcode == 0xfe || narrow_) return false;
    to_.size = 8;
    if (field_ == 2) return done(Action::CallOperand);
    if (field_ == 4) return done(Action::JumpOperand);
    return field_ == 6 && done(Action::PushOperand);
  }

  bool two_bytes(std::uint8_t opcode) {
    switch (opcode & 0xf0) {
      case 0x40:
        return operands(Action::MoveIf, opcode & 15u);
      case 0x80:
        return jump(4, Action::JumpIf, opcode & 15u);
      case 0x90:
        to_.size = 1;
        return operands(Action::SetIf, opcode & 15u);
      default:
        break;
    }
    if ((opcode & 0xf8) == 0xc8) {
      to_.reg = static_cast<std::uint8_t>((opcode & 7u) | rex_b_);
      return !narrow_ && done(Action::ByteSwap);
    }
    switch (opcode) {
      case 0x0d:
      case 0x18:
      case 0x19:
      case 0x1e:  // endbr64
      case 0x1f:
        return operands(Action::Nothing);  // prefetches, hints
      case 0xa3:
        modrm();
        return !to_.rm.memory && done(Action::TestBit);
      case 0xba:
        modrm();
        immediate_byte();
        return !to_.rm.memory && field_ == 4 && done(Action::TestBitImmediate);
      case 0xae:  // lfence, mfence, sfence
        modrm();
        return !to_.rm.memory && field_ >= 5 && !repeat_ && !narrow_ && done(Action::Nothing);
      case 0xaf:
        return operands(Action::Multiply);
      case 0xb0:
      case 0xb1:
        return sized_operands(opcode, Action::CompareExchange);
      case 0xb6:
      case 0xb7:
      case 0xbe:
      case 0xbf: {
        const unsigned from = (opcode & 1) != 0 ? 2 : 1;
        modrm();
        if (!to_.rm.memory) to_.rm.number = general(to_.rm.number, from);
        return done(opcode < 0xbe ? Action::ZeroExtend : Action::SignExtend, from);
      }
      case 0xc0:
      case 0xc1:
        return sized_operands(opcode, Action::ExchangeAdd);
      default:
        return vector(opcode);
    }
  }

  bool vector(std::uint8_t opcode) {
    const bool scalar = repeat_ || repeat_not_;
    modrm();
    switch (opcode) {
      case 0x10:
      case 0x11:
        if (!scalar) return done(opcode == 0x10 ? Action::MoveVectorToRegister : Action::MoveVectorToOperand);
        to_.size = repeat_ ? 4 : 8;
        if (opcode == 0x10) return done(Action::MoveScalarToRegister);
        return to_.rm.memory && done(Action::MoveScalarToOperand);
      case 0x28:
        return done(Action::MoveVectorToRegister);
      case 0x29:
        return done(Action::MoveVectorToOperand);
      case 0x6f:
        return (narrow_ || repeat_) && done(Action::MoveVectorToRegister);
      case 0x7f:
        return (narrow_ || repeat_) && done(Action::MoveVectorToOperand);
      case 0x12:
      case 0x13:
      case 0x16:
      case 0x17:  // movlps, movhps
        return to_.rm.memory && !scalar &&
               done((opcode & 1) == 0 ? Action::MoveHalfToRegister : Action::MoveHalfToOperand,
                    opcode >= 0x16 ? 1 : 0);
      case 0x2e:
      case 0x2f:  // ucomiss, ucomisd, comiss, comisd
        to_.size = narrow_ ? 8 : 4;
        return !scalar && done(Action::CompareScalars);
      case 0x57:
      case 0xef:  // xorps, xorpd, pxor
        return (opcode == 0x57 ? !scalar : narrow_) && !to_.rm.memory && to_.rm.number == to_.reg &&
               done(Action::ClearVector);
      case 0x6c:  // punpcklqdq
        return narrow_ && done(Action::UnpackLow);
      case 0x6e:
        to_.size = wide_ ? 8 : 4;
        return narrow_ && done(Action::MoveGeneralToVector);
      case 0x7e:
        if (repeat_) return done(Action::MoveLowToRegister);
        to_.size = wide_ ? 8 : 4;
        return narrow_ && done(Action::MoveVectorToGeneral);
      case 0xd6:
        return narrow_ && done(Action::MoveLowToOperand);
      default:
        return false;
    }
  }

  std::uint64_t pc_;
  std::uint64_t at_;  ///< address of the next byte
  Instruction& to_;
  bool rex_ = false, wide_ = false, narrow_ = false, repeat_ = false, repeat_not_ = false;
  unsigned rex_r_ = 0, rex_x_ = 0, rex_b_ = 0;
  unsigned field_ = 0;  ///< of ModRM, without the bit of REX: an extension of the opcode
};

}  // namespace

bool decode(std::uint64_t pc, Instruction& to) { return Decoder(pc, to).decode(); }

}  // namespace psim::net::spin
