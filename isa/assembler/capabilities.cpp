// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/capabilities.h"

namespace psim::isa::assembler {
namespace {

using u64 = std::uint64_t;
constexpr u64 kMul32 = 1, kDiv32 = 2, kFsmuld = 4, kPopc = 0x10, kVis = 0x20, kVis2 = 0x40, kFmaf = 0x100,
              kVis3 = 0x400, kHpc = 0x800, kIma = 0x8000, kPause = 0x800'0000, kCbcond = 0x1000'0000,
              kVis3b = u64{2} << 32;

void put_leb(std::string& out, u64 value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}
void put_word(std::string& out, std::size_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

}  // namespace

u64 hardware_capabilities(const Spec& spec) {
  const Op op = spec.op;
  const auto within = [op](Op first, Op last) { return op >= first && op <= last; };
  switch (op) {
    case Op::Umul:
    case Op::Umulcc:
    case Op::Smul:
    case Op::Smulcc:
      return kMul32;
    case Op::Udiv:
    case Op::Udivcc:
    case Op::Sdiv:
    case Op::Sdivcc:
      return kDiv32;
    case Op::Fsmuld:
      return kFsmuld;
    case Op::Popc:
      return kPopc;
    case Op::Rdgsr:
    case Op::Wrgsr:
      return kVis;
    case Op::Rdstick:
      return kVis2;
    case Op::Wrpause:
      return kPause;
    case Op::Cwb:
    case Op::Cxb:
      return kCbcond;
    case Op::Fpmaddx:
    case Op::Fpmaddxhi:
      return kIma;
    case Op::Fpadd64:
    case Op::Fpsub64:
      return kVis3 | kVis3b;
    default:
      break;
  }
  if (within(Op::Fmadds, Op::Fnmaddd)) return kFmaf;
  if (within(Op::Edge8cc, Op::Fxnors)) return kVis;
  if (within(Op::Edge8n, Op::Siam)) return kVis2;
  if (within(Op::Fnadds, Op::Flcmpd)) return kHpc;
  if (within(Op::Addxc, Op::Fpcmpueq8)) return kVis3;
  return 0;
}

std::string gnu_attributes(u64 capabilities) {
  if (capabilities == 0) return {};
  std::string tags;
  if (const u64 first = capabilities & 0xffffffff) put_leb(tags, 4), put_leb(tags, first);
  if (const u64 second = capabilities >> 32) put_leb(tags, 8), put_leb(tags, second);
  std::string scope(1, '\1');  // the whole file
  put_word(scope, 1 + 4 + tags.size());
  std::string all = "A";
  put_word(all, 4 + 4 + scope.size() + tags.size());
  all += std::string("gnu\0", 4) + scope + tags;
  return all;
}

}  // namespace psim::isa::assembler
