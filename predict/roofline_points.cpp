// SPDX-License-Identifier: Apache-2.0
#include "predict/roofline_points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace psim::predict {
namespace {

using nlohmann::json;

/// All work in a result, and remarks on work without counts.
struct Found {
  std::vector<RooflinePoint> points;
  std::vector<std::string> notes;
};

/// Adds a point, or a note on its absence.
void add_point(PointsOfResult& to, RooflinePoint point) {
  const std::string where = point.region + (point.ranks.empty() ? "" : ", " + point.ranks);
  if (!(point.work.seconds > 0))
    to.notes.push_back(fmt::format("{}: takes no time: no point", where));
  else if (!(point.work.flops > 0))
    to.notes.push_back(fmt::format("{}: no floating-point operations: no point", where));
  else
    to.points.push_back(std::move(point));
}

double memory_traffic(const json& statistics) {
  const json& memory = statistics.at("memory");
  return memory.at("bytes_read").get<double>() + memory.at("bytes_written").get<double>();
}

Found core_points(const json& result, const std::string& file) {
  if (!result.contains("statistics"))
    throw UserError("statistics: missing; expected a run without --sample, which counts bytes of memory");
  Found all;
  const double seconds = result.at("seconds").get<double>(), cycles = result.at("cycles").get<double>();
  RooflinePoint whole{file, kWholeRun, "", {}};
  whole.work.seconds = seconds;
  whole.work.flops = result.at("flops").get<double>();
  whole.work.memory_bytes = memory_traffic(result["statistics"]);
  all.points.push_back(whole);
  for (const json& region : result.at("regions")) {
    const auto arguments = region.at("args").get<std::vector<std::int64_t>>();
    RooflinePoint point{file, region.at("name").get<std::string>(), "", {}};
    if (!arguments.empty()) point.region += fmt::format("({})", fmt::join(arguments, ", "));
    point.work.seconds = cycles > 0 ? region.at("cycles").get<double>() * seconds / cycles : 0;
    point.work.flops = region.at("flops").get<double>();
    if (region.contains("statistics")) {
      point.work.memory_bytes = memory_traffic(region["statistics"]);
      all.points.push_back(std::move(point));
    } else {
      all.notes.push_back(point.region + ": has no count of memory bytes: no point");
    }
  }
  return all;
}

/// Adds a point for each class of ranks.
void add_classes(Found& to, const json& work, const std::string& file, const std::string& region) {
  const json& classes = work.at("classes");
  for (const json& one : classes) {
    const double ranks = one.at("ranks").get<double>(), per_node = one.at("ranks_per_node").get<double>();
    RooflinePoint point{file, region, "", {}};
    if (classes.size() > 1)
      point.ranks = ranks == 1 ? fmt::format("rank {}", one.at("first_rank").get<std::uint64_t>())
                               : fmt::format("{} ranks from {}", one.at("ranks").get<std::uint64_t>(),
                                             one.at("first_rank").get<std::uint64_t>());
    point.work.seconds = one.at("seconds").get<double>() / ranks;
    const auto of_node = [&](const char* key) { return one.at(key).get<double>() / ranks * per_node; };
    point.work.flops = of_node("flops");
    // A program that states no memory traffic has none that is known.
    if (const double bytes = of_node("memory_bytes"); bytes > 0) point.work.memory_bytes = bytes;
    point.work.sent_bytes = of_node("sent_bytes");
    point.work.received_bytes = of_node("received_bytes");
    to.points.push_back(std::move(point));
  }
}

Found network_points(const json& result, const std::string& file) {
  if (!result.contains("work"))
    throw UserError(
        "work: missing; expected a run of a program that states its operations by PSIM_WORK "
        "(docs/roofline.md)");
  Found all;
  add_classes(all, result["work"], file, kWholeRun);
  if (result.contains("compute"))
    for (const json& region : result["compute"].at("regions"))
      if (region.contains("work"))
        add_classes(all, region["work"], file, region.at("name").get<std::string>());
  return all;
}

Found all_of(const json& result, const std::string& file) {
  const std::string command = result.value("command", "");
  try {
    if (command == "run" || command == "replay") return core_points(result, file);
    if (command == "net" || command == "cosim") return network_points(result, file);
  } catch (const json::exception& error) {
    throw UserError(fmt::format("has no counts of operations and bytes: {}", error.what()));
  }
  throw UserError(
      fmt::format("command = \"{}\": has no counts of operations and bytes; expected a result of psim run, "
                  "psim replay, psim net or psim cosim",
                  command));
}

}  // namespace

PointsOfResult points_of(const json& result, const std::string& file) {
  Found all = all_of(result, file);
  PointsOfResult points;
  points.notes = std::move(all.notes);
  for (RooflinePoint& point : all.points) add_point(points, std::move(point));
  return points;
}

std::vector<NodeWork> work_of(const json& result) {
  std::vector<NodeWork> all;
  for (const RooflinePoint& point : all_of(result, "").points) all.push_back(point.work);
  return all;
}

}  // namespace psim::predict
