// SPDX-License-Identifier: Apache-2.0
#include "report/net/compute_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/console.h"
#include "base/csv_field.h"
#include "report/html.h"
#include "report/net/net_tables.h"
#include "report/table.h"

namespace psim {
namespace {

using net::RegionTime;
using nlohmann::ordered_json;

constexpr const char* kOutside = "(outside)";
constexpr double kShortSeconds = 0.1;  // samples of the host's time come every 10 ms

double region_seconds(std::uint64_t ps) { return static_cast<double>(ps) * 1e-12; }

constexpr std::array<std::pair<const char*, std::uint64_t RegionTime::*>, 5> kParts{
    {{"seconds", &RegionTime::elapsed},
     {"compute", &RegionTime::compute},
     {"overhead", &RegionTime::overhead},
     {"transfer", &RegionTime::transfer},
     {"wait", &RegionTime::wait}}};

/// Adds the parts of a time. `jitter` is the rest of it.
void add_parts(ordered_json& to, const RegionTime& time) {
  for (const auto& [name, part] : kParts) to[name] = region_seconds(time.*part);
  const std::uint64_t parts = time.compute + time.overhead + time.transfer + time.wait;
  if (time.elapsed > parts) to["jitter"] = region_seconds(time.elapsed - parts);
}

/// A region of all jobs.
struct RegionSum {
  std::string name;
  std::uint32_t arguments = 0;
  std::array<std::int64_t, 4> least{}, most{};
  RegionTime sum;
  std::vector<RegionTime> times;  ///< by rank

  void add(const net::Regions::Row& row) {
    name = row.name;
    for (std::uint32_t i = 0; i < row.arguments; ++i) {
      const bool first = i >= arguments;
      least[i] = first ? row.least[i] : std::min(least[i], row.least[i]);
      most[i] = first ? row.most[i] : std::max(most[i], row.most[i]);
    }
    arguments = std::max(arguments, row.arguments);
    sum.add(row.sum());
    times.insert(times.end(), row.times.begin(), row.times.end());
  }
};

/// Returns the regions of these jobs, those with the most time first.
std::vector<RegionSum> region_sums(const std::vector<const net::Job*>& jobs) {
  std::map<std::string, RegionSum> by_name;
  for (const net::Job* job : jobs)
    for (const net::Regions::Row* row : job->regions.rows()) by_name[row->name].add(*row);
  std::vector<RegionSum> sums;
  for (auto& [name, sum] : by_name) sums.push_back(std::move(sum));
  std::ranges::stable_sort(sums, std::greater{}, [](const RegionSum& one) { return one.sum.elapsed; });
  return sums;
}

RegionTime outside_of(const std::vector<const net::Job*>& jobs) {
  RegionTime sum;
  for (const net::Job* job : jobs)
    for (std::uint32_t rank = 0; rank < job->ranks(); ++rank)
      sum.add(job->regions.outside(rank, job->results.times[rank]));
  return sum;
}

std::vector<const net::Job*> all_jobs(const net::RankLoad& load) {
  std::vector<const net::Job*> jobs;
  for (const auto& job : load.jobs()) jobs.push_back(job.get());
  return jobs;
}

bool marks_regions(const net::RankLoad& load) {
  return std::ranges::any_of(load.jobs(), [](const auto& job) { return !job->regions.rows().empty(); });
}

/// Returns mean, min and max over the ranks.
ordered_json over_ranks(const RegionSum& region) {
  ordered_json all;
  for (const auto& [name, part] : kParts) {
    std::uint64_t least = ~std::uint64_t{0}, most = 0;
    for (const RegionTime& time : region.times) {
      least = std::min(least, time.*part);
      most = std::max(most, time.*part);
    }
    all[name] = {{"mean", region_seconds(region.sum.*part) / static_cast<double>(region.times.size())},
                 {"min", region_seconds(least)},
                 {"max", region_seconds(most)}};
  }
  return all;
}

const ordered_json* region_of(const ordered_json& result, const std::string& name) {
  for (const ordered_json& region : result["compute"]["regions"])
    if (region["name"] == name) return &region;
  return nullptr;
}

/// Adds `seconds_interval`, and `compute_interval` to each region. Returns false if one of the runs did not
/// finish.
bool add_intervals(ordered_json& body, const ComputeOf& how) {
  const ordered_json low = ordered_json::parse(how.low, nullptr, false);
  const ordered_json high = ordered_json::parse(how.high, nullptr, false);
  const auto finished = [](const ordered_json& result) {
    return result.is_object() && result.value("ending", "") == "finished";
  };
  if (!finished(low) || !finished(high)) return false;
  const auto interval = [](const ordered_json& value, const ordered_json& one, const ordered_json& other) {
    // A network may be faster with slower computing: both ends and the value itself are inside.
    const auto [least, most] = std::minmax({value.get<double>(), one.get<double>(), other.get<double>()});
    return ordered_json{least, most};
  };
  body["seconds_interval"] = interval(body["seconds"], low["seconds"], high["seconds"]);
  for (ordered_json& region : body["compute"]["regions"]) {
    const ordered_json *less = region_of(low, region["name"]), *more = region_of(high, region["name"]);
    if (less != nullptr && more != nullptr)
      region["compute_interval"] = interval(region["compute"], (*less)["compute"], (*more)["compute"]);
  }
  return true;
}

std::string names(const std::vector<std::string>& regions) {
  return fmt::format("{} {}", regions.size() == 1 ? "region" : "regions", fmt::join(regions, ", "));
}

/// Adds the assumptions of a prediction by models.
void add_assumptions(ordered_json& body, const net::RankLoad& load, const ComputeOf& how, bool finished) {
  ordered_json& assumptions = body["assumptions"];
  std::vector<std::string> without;
  for (const ordered_json& region : body["compute"]["regions"]) {
    const auto number = [&](const char* key) { return region[key].get<std::uint64_t>(); };
    const auto name = region["name"].get<std::string>();
    if (how.models && number("modelled") < number("count")) without.push_back(name);
    if (number("extrapolated") != 0)
      assumptions.push_back(
          fmt::format("region {}: {} of {} times are extrapolated: their arguments are outside of "
                      "the range of the model",
                      name, number("extrapolated"), number("count")));
    if (number("exceeded") != 0)
      assumptions.push_back(
          fmt::format("region {}: in {} of {} executions the computing of inner regions and of "
                      "MGEN_Comp took longer than the model of the region, and counted",
                      name, number("exceeded"), number("count")));
  }
  for (const std::string& line : how.machines) assumptions.push_back(line);
  if (how.models) {
    if (!without.empty())
      assumptions.push_back(names(without) + ": without a model, code there took no simulated time");
    assumptions.push_back(
        "code outside of regions took no simulated time, except for MGEN_Comp, sleeps and a model (outside)");
    if (how.low.empty())
      assumptions.push_back("the models state no errors: the simulated time has no interval");
    else if (!finished)
      assumptions.push_back(
          "a run with one end of the models' intervals did not finish: there is no interval");
    else if (!how.without_errors.empty())
      assumptions.push_back(names(how.without_errors) +
                            ": the model states no error, and the interval has none for it");
  }
  for (const auto& [region, factor] : how.factors)
    if (std::ranges::none_of(load.jobs(),
                             [&, &region = region](const auto& job) { return job->regions.has(region); }))
      assumptions.push_back(
          fmt::format("--compute-factor {}={:g}: no rank has marked this region", region, factor));
  std::uint64_t ignored = 0;
  for (const auto& job : load.jobs()) ignored += job->regions.ignored();
  if (ignored != 0)
    assumptions.push_back(
        fmt::format("{} marks of regions by threads other than a rank's first were left out", ignored));
  if (assumptions.empty()) body.erase("assumptions");
}

std::string arguments_of(const ordered_json& region) {
  std::vector<std::string> all;
  for (const ordered_json& range : region["arguments"])
    all.push_back(range[0] == range[1]
                      ? fmt::format("{}", range[0].get<std::int64_t>())
                      : fmt::format("{}–{}", range[0].get<std::int64_t>(), range[1].get<std::int64_t>()));
  return fmt::format("{}", fmt::join(all, ", "));
}

/// Returns how the time of a region came about: "model", "model, extrapolated", "no model", "".
std::string source_of(const ordered_json& compute, const ordered_json& region) {
  if (!compute["mode"].get<std::string>().starts_with("model:")) return "";
  if (region["modelled"] == 0) return "no model";
  return region["extrapolated"] == 0 ? "model" : "model, extrapolated";
}

bool extrapolates(const ordered_json& compute) {
  return std::ranges::any_of(compute["regions"],
                             [](const ordered_json& region) { return region["extrapolated"] != 0; });
}

}  // namespace

ordered_json time_by_region(const std::vector<const net::Job*>& jobs) {
  ordered_json result;
  ordered_json& regions = result["regions"] = ordered_json::array();
  RegionTime total = outside_of(jobs);
  const RegionTime outside = total;
  for (const RegionSum& one : region_sums(jobs)) {
    ordered_json region;
    region["name"] = one.name;
    region["arguments"] = ordered_json::array();
    for (std::uint32_t i = 0; i < one.arguments; ++i)
      region["arguments"].push_back(ordered_json::array({one.least[i], one.most[i]}));
    region["count"] = one.sum.count;
    region["modelled"] = one.sum.modelled;
    region["extrapolated"] = one.sum.extrapolated;
    region["exceeded"] = one.sum.exceeded;
    region["inclusive_seconds"] = region_seconds(one.sum.inclusive);
    add_parts(region, one.sum);
    region["per_rank"] = over_ranks(one);
    regions.push_back(std::move(region));
    total.add(one.sum);
  }
  add_parts(result["outside"], outside);
  add_parts(result["total"], total);
  return result;
}

void add_compute(ordered_json& body, const net::RankLoad& load, const ComputeOf& how) {
  if (!how.models && !how.counts_code && !marks_regions(load)) return;
  ordered_json& compute = body["compute"];
  compute["mode"] = how.mode;
  for (const auto& [region, factor] : how.factors) compute["factors"][region] = factor;
  compute.update(time_by_region(all_jobs(load)));
  const bool finished = !how.low.empty() && add_intervals(body, how);
  add_assumptions(body, load, how, finished);
}

void add_program_seconds(ordered_json& host, const net::RankLoad& load) {
  host["program_seconds"] = load.program_seconds();
  if (!marks_regions(load)) return;
  host["program_seconds_outside"] = load.program_seconds(net::Regions::Coverage::Outside);
  host["program_seconds_without_model"] = load.program_seconds(net::Regions::Coverage::Unmodelled);
}

std::string coverage(const ordered_json& body, const ordered_json& host) {
  if (!body.contains("compute") || !host.contains("program_seconds_outside")) return "";
  if (!body["compute"]["mode"].get<std::string>().starts_with("model:")) return "";
  const auto all = host["program_seconds"].get<double>();
  if (all < kShortSeconds)
    return "the program computed less than 0.1 s on this host, too short for the shares of its regions";
  const double outside = host["program_seconds_outside"].get<double>() / all;
  const double without = host["program_seconds_without_model"].get<double>() / all;
  return fmt::format(
      "the program computed {:.1f} s on this host: {:.1f} % in regions with a model, {:.1f} % in regions "
      "without one, {:.1f} % outside of regions",
      all, 100 * (1 - outside - without), 100 * without, 100 * outside);
}

void print_compute(const ordered_json& body, const ordered_json& host) {
  if (!body.contains("compute")) return;
  const ordered_json& compute = body["compute"];
  const bool models = compute["mode"].get<std::string>().starts_with("model:");
  const char* word = extrapolates(compute) ? "; extrapolated" : "";
  if (body.contains("seconds_interval"))
    console::log("predicted: {:.9f} s, from {:.9f} to {:.9f} s (95 % interval of the models){}\n",
                 body["seconds"].get<double>(), body["seconds_interval"][0].get<double>(),
                 body["seconds_interval"][1].get<double>(), word);
  else if (models && body["ending"] == "finished")
    console::log("predicted: {:.9f} s, without an interval{}\n", body["seconds"].get<double>(), word);
  if (const std::string text = coverage(body, host); !text.empty()) console::log("{}\n", text);
  if (compute.contains("factors"))
    for (const auto& factor : compute["factors"].items())
      if (std::ranges::none_of(compute["regions"],
                               [&](const auto& region) { return region["name"] == factor.key(); }))
        console::log("--compute-factor {}={:g}: no rank has marked a region {}; the factor had no effect\n",
                     factor.key(), factor.value().get<double>(), factor.key());
  if (compute["regions"].empty()) {
    if (models) console::log("no rank has marked a region: no model was used\n");
    return;
  }
  std::size_t width = std::string_view(kOutside).size();
  for (const ordered_json& region : compute["regions"])
    width = std::max(width, region["name"].get<std::string>().size());
  console::log("{:<{}} {:>12} {:>14} {:>12} {:>14} {:>14} {:>7}\n", "region", width, "count", "compute us",
               "overhead us", "transfer us", "wait us", "share");
  const auto total = compute["total"]["seconds"].get<double>();
  const auto print = [&](const std::string& name, const std::string& count, const ordered_json& times,
                         const std::string& source) {
    const auto us = [&](const char* key) { return times[key].get<double>() * 1e6; };
    console::log("{:<{}} {:>12} {:>14.3f} {:>12.3f} {:>14.3f} {:>14.3f} {:>5.1f} %  {}\n", name, width, count,
                 us("compute"), us("overhead"), us("transfer"), us("wait"),
                 total == 0 ? 0 : 100 * times["seconds"].get<double>() / total, source);
  };
  constexpr std::size_t kMostRows = 20;
  for (std::size_t i = 0; i < std::min(kMostRows, compute["regions"].size()); ++i) {
    const ordered_json& region = compute["regions"][i];
    print(region["name"].get<std::string>(), fmt::format("{}", region["count"].get<std::uint64_t>()), region,
          source_of(compute, region));
  }
  if (compute["regions"].size() > kMostRows)
    console::log("… and {} more regions, with less time\n", compute["regions"].size() - kMostRows);
  print(kOutside, "", compute["outside"], "");
}

std::string compute_section(const ordered_json& result) {
  if (!result.contains("compute") || result["compute"]["regions"].empty()) return "";
  const ordered_json &compute = result["compute"], &total = compute["total"];
  using Kind = report::Table::Kind;
  std::vector<report::Table::Column> columns{
      {"Region", Kind::Text}, {"Arguments", Kind::Text}, {"Count"}, {"Computing"}, {"Overheads"}};
  const bool transfers = total.contains("transfer"), cycles = total.contains("cycles");
  if (transfers) columns.push_back({"In transfers"});
  columns.insert(columns.end(), {{"Waiting"}, {"Time"}, {"Share"}, {"Busiest rank"}});
  if (cycles) columns.insert(columns.end(), {{"IPC"}, {"GFlop/s"}});
  const bool sources = !source_of(compute, compute["regions"][0]).empty();
  if (sources) columns.push_back({"Source", Kind::Text});
  report::Table table("Time of all ranks by region", std::move(columns));
  const auto time = [](const ordered_json& value) { return report::quantity(value.get<double>(), "s"); };
  const auto ratio = [](const ordered_json& of, const char* part, const char* by) {
    const auto whole = of[by].get<double>();
    return whole == 0 ? 0 : of[part].get<double>() / whole;
  };
  const double all = total["seconds"].get<double>();
  const auto add = [&](const std::string& name, const std::string& arguments, const std::string& count,
                       const ordered_json& times, const std::string& busiest, const std::string& source) {
    std::vector<std::string> cells{report::escape(name), arguments, count, time(times["compute"]),
                                   time(times["overhead"])};
    if (transfers) cells.push_back(time(times["transfer"]));
    const double share = all == 0 ? 0 : times["seconds"].get<double>() / all;
    cells.insert(cells.end(), {time(times["wait"]), time(times["seconds"]),
                               fmt::format("{:.2f} %", 100 * share), busiest});
    if (cycles)
      cells.insert(cells.end(), {fmt::format("{:.3f}", ratio(times, "instructions", "cycles")),
                                 fmt::format("{:.4g}", ratio(times, "flops", "seconds") * 1e-9)});
    if (sources) cells.push_back(source);
    table.add(cells);
  };
  for (const ordered_json& region : compute["regions"])
    add(region["name"].get<std::string>(), arguments_of(region),
        report::count(region["count"].get<std::uint64_t>()), region,
        time(region["per_rank"]["seconds"]["max"]), source_of(compute, region));
  add(kOutside, "", "", compute["outside"], "", "");
  std::string interval;
  if (result.contains("seconds_interval"))
    interval =
        fmt::format("; 95 % interval of the models: {} to {}{}", time(result["seconds_interval"][0]),
                    time(result["seconds_interval"][1]), extrapolates(compute) ? ", extrapolated" : "");
  return fmt::format(
      "<section aria-labelledby=\"regions\"><h2 id=\"regions\">Regions</h2>\n<p>Computing: {}. Simulated "
      "time {}{}.</p>\n"
      "{}</section>\n",
      report::escape(compute["mode"].get<std::string>()), time(result["seconds"]), interval, table.html());
}

std::string region_table(const net::RankLoad& load) {
  if (!marks_regions(load)) return "";
  const bool several = !load.jobs()[0]->config().name.empty();
  std::string table = several ? "job," : "";
  table += "rank,region,count,compute_s,overhead_s,transfer_s,wait_s,seconds_s\n";
  for (const auto& job : load.jobs())
    for (std::uint32_t rank = 0; rank < job->ranks(); ++rank) {
      const auto add = [&](const std::string& name, const RegionTime& time) {
        if (several) table += job->config().name + ",";
        table += fmt::format("{},{},{},{},{},{},{},{}\n", rank, csv_field(name), time.count,
                             csv_seconds(time.compute), csv_seconds(time.overhead),
                             csv_seconds(time.transfer), csv_seconds(time.wait), csv_seconds(time.elapsed));
      };
      for (const net::Regions::Row* row : job->regions.rows())
        if (row->times[rank].elapsed != 0 || row->times[rank].count != 0) add(row->name, row->times[rank]);
      add(kOutside, job->regions.outside(rank, job->results.times[rank]));
    }
  return table;
}

}  // namespace psim
