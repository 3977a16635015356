// SPDX-License-Identifier: Apache-2.0
#include "predict/roofline.h"

#include <fmt/format.h>

#include <algorithm>

namespace psim::predict {
namespace {

constexpr double kRounding = 1.001;  // a point may be above its roof by the rounding of times

std::string advice_of(const Roofline& roofline, const Assessment& point) {
  const std::string& bound = point.bound != nullptr ? point.bound->name : std::string();
  switch (point.remedy) {
    case Remedy::FasterUnits:
      return "the node computes at its peak: only faster or more units help";
    case Remedy::Reuse:
      return fmt::format("{} limits: transfer fewer bytes, by reuse in registers and caches (blocking)",
                         bound);
    case Remedy::FewerMessages:
      return fmt::format("{} limits: send fewer bytes, or place ranks that exchange data on one node", bound);
    case Remedy::Placement:
      return fmt::format(
          "{} limits: place partners so that they use {}, up to {:.4g} GFlop/s; or send fewer bytes", bound,
          roofline.fastest(Limit::Messages)->name, point.attainable * 1e-9);
    case Remedy::Condition:
      return fmt::format("the auxiliary line {} limits: improve its condition", bound);
    case Remedy::Overlap:
      return "no line is near: overlap transfers with computing, and use more of the units (unrolling, SIMD, "
             "multiply-add)";
    case Remedy::Check:
      return "the point is above a roof: the machine's numbers and the run do not belong together";
  }
  return "";
}

Remedy remedy_of(const Roofline& roofline, const RoofLine& bound) {
  if (bound.measured) return Remedy::Condition;
  switch (bound.limit) {
    case Limit::Flops:
      return Remedy::FasterUnits;
    case Limit::Memory:
      return Remedy::Reuse;
    case Limit::Messages:
      break;
  }
  return roofline.fastest(Limit::Messages)->rate > bound.rate ? Remedy::Placement : Remedy::FewerMessages;
}

}  // namespace

std::string_view name(Counting counting) { return counting == Counting::OneWay ? "one-way" : "both"; }

std::string_view describe(Counting counting) {
  return counting == Counting::OneWay
             ? "one-way: the larger of the bytes sent and received counts, with the bandwidth of one "
               "direction"
             : "both: the bytes sent and received count, with the bandwidth of both directions together";
}

std::string_view name(Limit limit) {
  return limit == Limit::Flops ? "flops" : limit == Limit::Memory ? "memory" : "messages";
}

std::string_view name(Remedy remedy) {
  switch (remedy) {
    case Remedy::FasterUnits:
      return "faster units";
    case Remedy::Reuse:
      return "reuse";
    case Remedy::FewerMessages:
      return "fewer message bytes";
    case Remedy::Placement:
      return "placement";
    case Remedy::Condition:
      return "auxiliary line";
    case Remedy::Overlap:
      return "overlap";
    case Remedy::Check:
      break;
  }
  return "check";
}

double Roofline::rate(const RoofLine& line) const {
  return line.limit == Limit::Messages && counting == Counting::Both ? 2 * line.rate : line.rate;
}

const RoofLine* Roofline::fastest(Limit limit) const {
  const RoofLine* best = nullptr;
  for (const RoofLine& line : lines)
    if (line.limit == limit && !line.measured && (best == nullptr || line.rate > best->rate)) best = &line;
  return best;
}

double Roofline::peak() const {
  const RoofLine* line = fastest(Limit::Flops);
  return line == nullptr ? 0 : line->rate;
}

double Roofline::ridge(const RoofLine& line) const { return rate(line) > 0 ? peak() / rate(line) : 0; }

std::optional<double> message_bytes(const NodeWork& work, Counting counting) {
  if (!work.sent_bytes || !work.received_bytes) return {};
  return counting == Counting::Both ? *work.sent_bytes + *work.received_bytes
                                    : std::max(*work.sent_bytes, *work.received_bytes);
}

std::optional<double> value_at(const Roofline& roofline, const RoofLine& line, const Assessment& point) {
  switch (line.limit) {
    case Limit::Flops:
      return line.rate;
    case Limit::Memory:
      return point.memory_intensity ? std::optional(line.rate * *point.memory_intensity) : std::nullopt;
    case Limit::Messages:
      break;
  }
  return point.message_intensity ? std::optional(roofline.rate(line) * *point.message_intensity)
                                 : std::nullopt;
}

Assessment assess(const Roofline& roofline, const NodeWork& work) {
  Assessment point;
  point.rate = work.flops / work.seconds;
  if (work.memory_bytes.value_or(0) > 0) point.memory_intensity = work.flops / *work.memory_bytes;
  if (const auto bytes = message_bytes(work, roofline.counting); bytes.value_or(0) > 0)
    point.message_intensity = work.flops / *bytes;
  double lowest = 0;
  for (const Limit limit : {Limit::Flops, Limit::Memory, Limit::Messages})
    if (const RoofLine* roof = roofline.fastest(limit); roof != nullptr)
      if (const auto value = value_at(roofline, *roof, point))
        point.attainable = point.attainable == 0 ? *value : std::min(point.attainable, *value);
  for (const RoofLine& line : roofline.lines) {
    const auto value = value_at(roofline, line, point);
    if (!value || *value * kRounding < point.rate || (point.bound != nullptr && *value >= lowest)) continue;
    point.bound = &line, lowest = *value;
  }
  if (point.attainable * kRounding < point.rate) {
    point.bound = nullptr;
    point.remedy = Remedy::Check;
  } else if (point.bound != nullptr) {
    point.share = point.rate / lowest;
    point.remedy = point.share >= kNear ? remedy_of(roofline, *point.bound) : Remedy::Overlap;
  }
  point.advice = advice_of(roofline, point);
  return point;
}

}  // namespace psim::predict
