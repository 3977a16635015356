// SPDX-License-Identifier: Apache-2.0
// .eh_frame and .debug_frame, as GNU as lays them out.
#include <elf.h>

#include <algorithm>

#include "isa/assembler/call_frame_rules.h"
#include "isa/assembler/call_frames.h"
#include "isa/assembler/unit.h"

namespace psim::isa::assembler {
namespace {

using Frame = CallFrames::Frame;
using Encoded = CallFrames::Encoded;

constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kPcRelative4 = 0x1b;  // DW_EH_PE_pcrel | DW_EH_PE_sdata4: of a function's address

Item location(std::uint32_t section, std::uint64_t offset) {
  Item item;
  item.kind = Item::Kind::Location;
  item.section = section;
  item.number = offset;
  return item;
}

bool same(const Encoded& a, const Encoded& b) {
  return a.encoding == b.encoding && a.address.source == b.address.source;
}
bool share(const Frame& a, const Frame& b, bool for_exceptions) {
  return a.initial == b.initial && a.signal == b.signal && a.return_column == b.return_column &&
         (!for_exceptions || (same(a.personality, b.personality) && a.lsda.encoding == b.lsda.encoding));
}

class FrameSection {
 public:
  FrameSection(Unit& unit, bool for_exceptions) : unit_(unit), eh_(for_exceptions) {
    unit.enter_section(
        section_named(eh_ ? ".eh_frame" : ".debug_frame", SHT_PROGBITS, eh_ ? SHF_ALLOC : 0, 1));
    unit.section().alignment = std::max<std::uint64_t>(unit.section().alignment, 8);
    Item here;
    here.kind = Item::Kind::Symbol;
    here.text = ".";
    Expression expression;
    expression.items = {here};
    unit.localise(expression);
    number_ = expression.items[0].section;
  }

  void add(const Frame& frame, bool last) {
    unit_.line = frame.line;
    const auto known =
        std::ranges::find_if(cies_, [&](const Cie& cie) { return share(*cie.frame, frame, eh_); });
    const std::uint64_t common = known != cies_.end() ? known->offset : add_cie(frame);
    const std::uint64_t begin = start();
    const std::uint64_t entry = unit_.offset();
    if (eh_)
      number(entry - common, 4);
    else
      address({location(number_, common)}, 4, false);
    address({location(frame.section, frame.begin)}, eh_ ? 4 : 8, eh_);
    number(frame.end - frame.begin, eh_ ? 4 : 8);
    if (eh_) {
      const unsigned bytes =
          frame.lsda.encoding == Encoded::kOmitted ? 0 : frame_rule::encoded_bytes(frame.lsda.encoding);
      text(frame_rule::uleb(bytes));
      if (bytes != 0) encoded(frame.lsda);
    }
    text(frame.changes);
    // The next section of another file begins at a multiple of eight.
    end(begin, !eh_ || last ? 8 : 4);
  }

 private:
  struct Cie {
    const Frame* frame;
    std::uint64_t offset;
  };

  std::uint64_t add_cie(const Frame& frame) {
    const std::uint64_t begin = start();
    number(eh_ ? 0 : 0xffffffff, 4);
    number(kVersion, 1);
    const bool personality = frame.personality.encoding != Encoded::kOmitted;
    const bool lsda = frame.lsda.encoding != Encoded::kOmitted;
    std::string augmentation;
    if (eh_) augmentation = std::string("z") + (personality ? "P" : "") + (lsda ? "L" : "") + "R";
    if (frame.signal) augmentation += 'S';
    text(augmentation + '\0');
    text(frame_rule::uleb(frame_rule::kCodeAlignment));
    text(frame_rule::sleb(frame_rule::kDataAlignment));
    number(frame.return_column, 1);
    if (eh_) {
      text(frame_rule::uleb(1u +
                            (personality ? 1 + frame_rule::encoded_bytes(frame.personality.encoding) : 0) +
                            (lsda ? 1 : 0)));
      if (personality) {
        number(frame.personality.encoding, 1);
        encoded(frame.personality);
      }
      if (lsda) number(frame.lsda.encoding, 1);
      number(kPcRelative4, 1);
    }
    text(frame.initial);
    end(begin, eh_ ? 4 : 8);
    cies_.push_back({&frame, begin});
    return begin;
  }

  /// Starts an entry; its length is filled in later.
  std::uint64_t start() {
    const std::uint64_t begin = unit_.offset();
    number(0, 4);
    return begin;
  }
  void end(std::uint64_t begin, std::uint64_t alignment) {
    while (unit_.offset() % alignment != 0) number(0, 1);  // DW_CFA_nop
    const std::uint64_t length = unit_.offset() - begin - 4;
    for (unsigned i = 0; i < 4; ++i)
      unit_.section().bytes[begin + i] = static_cast<std::uint8_t>(length >> (8 * (3 - i)));
  }

  void number(std::uint64_t value, unsigned bytes) { unit_.emit(value, bytes, 1); }
  void text(const std::string& bytes) { unit_.emit(bytes, 1); }
  void encoded(const Encoded& what) {
    address(what.address.items, frame_rule::encoded_bytes(what.encoding),
            frame_rule::is_pc_relative(what.encoding), what.address);
  }
  void address(std::vector<Item> items, unsigned bytes, bool from_here, const Expression& written = {}) {
    Expression expression;
    expression.column = std::max(written.column, 1u);
    expression.source = written.source;
    expression.items = std::move(items);
    if (from_here) {
      Item distance;
      distance.kind = Item::Kind::SelectBits;
      distance.modifier = bytes == 8 ? Modifier::Disp64 : Modifier::Disp32;
      expression.items.push_back(distance);
    }
    unit_.fill_later({Operand::None, static_cast<std::uint8_t>(bytes)}, expression);
    number(0, bytes);
  }

  Unit& unit_;
  bool eh_;
  std::uint32_t number_ = 0;  ///< of the section
  std::vector<Cie> cies_;
};

}  // namespace

void CallFrames::write(Unit& unit) const {
  for (const Frame& frame : frames_)
    if (frame.open)
      unit.complain(frame.line, {frame.column, "got .cfi_startproc, expected .cfi_endproc behind it"});
  if (frames_.empty()) return;
  for (const bool for_exceptions : {true, false}) {
    if (!(for_exceptions ? eh_frame_ : debug_frame_)) continue;
    try {
      FrameSection section(unit, for_exceptions);
      for (const Frame& frame : frames_) section.add(frame, &frame == &frames_.back());
    } catch (const Complaint& complaint) {
      unit.complain(complaint);
    }
  }
}

}  // namespace psim::isa::assembler
