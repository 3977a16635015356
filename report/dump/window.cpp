// SPDX-License-Identifier: Apache-2.0
#include "report/dump/window.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/parse_number.h"

namespace psim::pipeline::dump {

namespace {
[[noreturn]] void complain(std::string_view text, std::string_view expected) {
  throw UserError("--window " + std::string(text) + ": expected " + std::string(expected));
}

std::optional<std::uint64_t> number(std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  return parse_number<std::uint64_t>(text, hex ? 16 : 10);
}

std::string hex(std::uint64_t value) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  return "0x" + std::string(digits, end);
}

CycleWindow parse_cycles(std::string_view text, std::string_view value) {
  constexpr std::string_view kForm = "cycles=A:B, with A < B in cycles, either left out for no bound";
  const auto colon = value.find(':');
  if (colon == value.npos) complain(text, kForm);
  CycleWindow window;
  const std::string_view begin = value.substr(0, colon), end = value.substr(colon + 1);
  if (!begin.empty()) {
    const auto read = number(begin);
    if (!read) complain(text, kForm);
    window.begin = *read;
  }
  if (!end.empty()) {
    const auto read = number(end);
    if (!read) complain(text, kForm);
    window.end = *read;
  }
  if (window.begin >= window.end) complain(text, kForm);
  return window;
}

PcWindow parse_pc(std::string_view text, std::string_view value) {
  constexpr std::string_view kForm =
      "pc=0xADDR[:N], ADDR a multiple of 4, N the instructions to show (at least 1, default 1000)";
  const auto colon = value.find(':');
  PcWindow window;
  const auto pc = number(value.substr(0, colon));
  if (!pc || *pc % 4 != 0) complain(text, kForm);
  window.pc = *pc;
  if (colon != value.npos) {
    const auto count = number(value.substr(colon + 1));
    if (!count || *count == 0) complain(text, kForm);
    window.instructions = *count;
  }
  return window;
}

RegionWindow parse_region(std::string_view text, std::string_view value) {
  // A name may contain colons itself: only a number after the last one is the occurrence.
  RegionWindow window{std::string(value)};
  if (const auto colon = value.rfind(':'); colon != value.npos) {
    if (const auto occurrence = number(value.substr(colon + 1))) {
      window.name = value.substr(0, colon);
      window.occurrence = *occurrence;
    }
  }
  if (window.name.empty() || window.occurrence == 0)
    complain(text, "region=NAME[:K], the K-th (from 1, default 1) execution of region NAME");
  return window;
}

MessageWindow parse_message(std::string_view text, std::string_view value) {
  constexpr std::string_view kForm =
      "message=RANK.NUMBER[:N], a message such as 0.17, N the instructions to show (at least 1, default 400)";
  const auto colon = value.find(':'), dot = value.find('.');
  if (dot >= colon) complain(text, kForm);
  MessageWindow window;
  const auto rank = number(value.substr(0, dot)),
             of_rank = number(value.substr(dot + 1, std::min(colon, value.size()) - dot - 1));
  if (!rank || *rank > std::numeric_limits<std::uint32_t>::max() || !of_rank) complain(text, kForm);
  window.rank = static_cast<std::uint32_t>(*rank), window.number = *of_rank;
  if (colon != value.npos) {
    const auto count = number(value.substr(colon + 1));
    if (!count || *count == 0) complain(text, kForm);
    window.instructions = *count;
  }
  return window;
}
}  // namespace

WindowSpec parse_window(std::string_view text) {
  const auto equals = text.find('=');
  const std::string_view key = text.substr(0, equals);
  const std::string_view value = equals == text.npos ? std::string_view{} : text.substr(equals + 1);
  if (key == "cycles" && equals != text.npos) return parse_cycles(text, value);
  if (key == "pc" && equals != text.npos) return parse_pc(text, value);
  if (key == "region" && equals != text.npos) return parse_region(text, value);
  if (key == "message" && equals != text.npos) return parse_message(text, value);
  complain(text, "cycles=A:B, pc=0xADDR[:N] or region=NAME[:K]");
}

std::string to_string(const WindowSpec& window) {
  if (const auto* cycles = std::get_if<CycleWindow>(&window)) {
    std::string text = "cycles=" + std::to_string(cycles->begin) + ":";
    if (cycles->end != CycleWindow{}.end) text += std::to_string(cycles->end);
    return text;
  }
  if (const auto* pc = std::get_if<PcWindow>(&window))
    return "pc=" + hex(pc->pc) + ":" + std::to_string(pc->instructions);
  if (const auto* message = std::get_if<MessageWindow>(&window))
    return "message=" + std::to_string(message->rank) + "." + std::to_string(message->number) + ":" +
           std::to_string(message->instructions);
  const auto& region = std::get<RegionWindow>(window);
  return "region=" + region.name + ":" + std::to_string(region.occurrence);
}

void Window::on_region(const RegionMark& mark) {
  const auto* region = std::get_if<RegionWindow>(&spec_);
  if (region == nullptr || mark.name != region->name || last_ != kUnknown) return;
  if (mark.begin) {
    if (first_ != kUnknown) ++depth_;
    if (++begun_ == region->occurrence) first_ = mark.sequence, depth_ = 1;
  } else if (first_ != kUnknown && --depth_ == 0) {
    last_ = mark.sequence;
  }
}

bool Window::shows(const InstructionTimeline& timeline) {
  if (state_ == State::Closed) return false;
  return std::visit([&](const auto& window) { return shows(window, timeline); }, spec_);
}

bool Window::shows(const CycleWindow& window, const InstructionTimeline& timeline) {
  const std::uint64_t begin = timeline.stages.empty() ? timeline.end : timeline.stages.front().cycle;
  if (begin >= window.end) {
    state_ = State::Closed;
    return false;
  }
  if (timeline.end > window.begin) state_ = State::Open;
  return state_ == State::Open;
}

bool Window::shows(const PcWindow& window, const InstructionTimeline& timeline) {
  if (state_ == State::Waiting && !timeline.flushed && timeline.pc == window.pc) state_ = State::Open;
  if (state_ != State::Open) return false;
  if (!timeline.flushed && ++shown_ == window.instructions) state_ = State::Closed;
  return true;
}

void Window::open_message(std::uint64_t cycle) {
  if (std::holds_alternative<MessageWindow>(spec_) && opens_ == kUnknown) opens_ = cycle;
}

bool Window::shows(const MessageWindow& window, const InstructionTimeline& timeline) {
  if (opens_ == kUnknown) return false;
  if (timeline.end > opens_) state_ = State::Open;
  if (state_ != State::Open) return false;
  if (!timeline.flushed && ++shown_ == window.instructions) state_ = State::Closed;
  return true;
}

bool Window::shows(const RegionWindow&, const InstructionTimeline& timeline) {
  if (timeline.sequence < first_) return false;
  state_ = timeline.sequence >= last_ ? State::Closed : State::Open;
  return timeline.sequence <= last_;
}

}  // namespace psim::pipeline::dump
