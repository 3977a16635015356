// SPDX-License-Identifier: Apache-2.0
#include "psim/net/jobs_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>

#include "base/config/schema.h"
#include "base/error.h"
#include "base/executable_path.h"
#include "base/read_file.h"

namespace psim {
namespace {

constexpr std::uint32_t kMostRanks = 1u << 24;

std::string text_of(const std::string& path, const std::string& where) {
  FileBytes file = read_file(path);
  if (!file.problem.empty()) throw UserError(fmt::format("{}: cannot be read: {}", where, file.problem));
  return std::move(file.bytes);
}

/// Returns the names of the tables, in the order of the file.
std::vector<std::string> names_of(const std::vector<Setting>& settings, const std::string& prefix,
                                  Problems& problems) {
  std::vector<std::string> names;
  for (const Setting& setting : settings) {
    const std::size_t dot = setting.key.rfind('.');
    if (dot == std::string::npos || dot < prefix.size()) {
      problems.add(setting.origin.text(), fmt::format("{} = {}: expected a table for each job, [{}NAME]",
                                                      setting.key, setting.value, prefix));
      continue;
    }
    const std::string name = setting.key.substr(prefix.size(), dot - prefix.size());
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

void describe(Schema& schema, JobEntry& job, std::string& arguments) {
  using Nodes = JobEntry::Nodes;
  const std::string& n = job.table;
  const std::string_view user = "-";
  schema.add(n + ".program", job.program, "file that psim-cc, psim-cxx or psim-f90 linked", user);
  schema.add(n + ".replay", job.replay,
             "instead of a program: an OTF2 archive, Chakra (NAME.0.et) or DUMPI traces (NAME.meta) or a "
             "schedule in GOAL",
             user);
  schema.add(n + ".compute_scale", job.compute_scale, {0.0, 1e6},
             "multiplies the times of computing of a replay", user);
  schema.add(n + ".message_scale", job.message_scale, {0.0, 1e6},
             "multiplies the lengths of messages of a replay", user);
  schema.add(n + ".arguments", arguments, "arguments of the program, separated by blanks", user);
  schema.add(n + ".ranks", job.ranks, {1, kMostRanks}, "number of ranks", user);
  schema.add(n + ".ranks_a_node", job.ranks_a_node, {1, 4096}, "ranks that it starts on each of its nodes",
             user);
  schema.add(n + ".shared", job.shared, "share nodes with other jobs that are shared", user);
  schema.add(n + ".arrival", job.arrival, {Picoseconds{0}, Picoseconds{1'000'000'000'000'000}}, "start time",
             user);
  schema.add(n + ".placement", job.placement,
             {{"contiguous", Nodes::Contiguous},
              {"random", Nodes::Random},
              {"round-robin", Nodes::RoundRobin},
              {"cabinet-wise", Nodes::CabinetWise},
              {"file", Nodes::File}},
             "choice of nodes", user);
  schema.add(n + ".nodes", job.nodes, "file of placement = \"file\": one node per line", user);
  schema.add(n + ".mapping", job.mapping, "block, cyclic, or a file of lines RANK NODE", user);
  schema.add(n + ".data", job.data, "carry, none, or a size", user);
}

const Origin& origin_of(const Schema& schema, const std::string& key) { return schema.find(key)->origin; }

/// Reads lines of `count` whole numbers and calls take(line, numbers).
template <class Take>
void read_numbers(const std::string& path, const std::string& where, std::size_t count,
                  const std::string& expected, Take take) {
  std::size_t line = 0, begin = 0;
  const std::string text = text_of(path, where);
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string row = text.substr(begin, end - begin);
    begin = end + 1;
    ++line;
    row = row.substr(0, row.find('#'));
    std::vector<std::uint32_t> numbers;
    bool bad = false;
    for (std::size_t at = row.find_first_not_of(" \t\r"); at != std::string::npos;
         at = row.find_first_not_of(" \t\r", at)) {
      const std::size_t stop = std::min(row.find_first_of(" \t\r", at), row.size());
      const std::string word = row.substr(at, stop - at);
      bad |= word.size() > 9 || word.find_first_not_of("0123456789") != std::string::npos;
      if (!bad) numbers.push_back(static_cast<std::uint32_t>(std::stoul(word)));
      at = stop;
    }
    if (numbers.empty() && !bad) continue;
    if (bad || numbers.size() != count)
      throw UserError(fmt::format("{}:{}: expected {}", path, line, expected));
    take(line, numbers);
  }
}

/// Returns why a job cannot have a node.
std::string reason_for_refusal(std::uint32_t node, const JobEntry& job, const std::vector<JobEntry>& jobs,
                               const net::Allocation& allocation) {
  const std::uint32_t owner = allocation.owner(node);
  if (owner == jobs.size()) return "it is a detailed node";
  if (owner != net::Allocation::kShared) return fmt::format("job {} has it", jobs[owner].name);
  if (!job.shared) return fmt::format("shared jobs have it; {} is not shared", job.name);
  return fmt::format("other jobs leave {} of its ranks; {} needs {}", allocation.left(node), job.name,
                     job.ranks_a_node);
}

std::vector<std::uint32_t> named_nodes(const JobEntry& job, const std::vector<JobEntry>& jobs,
                                       net::Allocation& allocation, std::uint32_t number) {
  std::vector<std::uint32_t> nodes;
  std::map<std::uint32_t, std::size_t> lines;  // by node
  read_numbers(job.nodes,
               fmt::format("{}: {}.nodes = \"{}\"", job.placement_origin.text(), job.table, job.nodes), 1,
               "one node per line", [&](std::size_t line, const std::vector<std::uint32_t>& row) {
                 const auto refuse = [&](const std::string& why) {
                   throw UserError(fmt::format("{}:{}: node {}: {}", job.nodes, line, row[0], why));
                 };
                 if (row[0] >= allocation.nodes())
                   refuse(fmt::format("the network has nodes 0 … {}", allocation.nodes() - 1));
                 const auto [first, fresh] = lines.emplace(row[0], line);
                 if (!fresh) refuse(fmt::format("twice, first in line {}", first->second));
                 if (!allocation.can_give(row[0], job.claim(number)))
                   refuse(reason_for_refusal(row[0], job, jobs, allocation));
                 allocation.give(row[0], job.claim(number));
                 nodes.push_back(row[0]);
               });
  if (nodes.size() < job.node_count())
    throw UserError(fmt::format("{}: {} nodes; job {} needs {} for {} ranks, {} per node", job.nodes,
                                nodes.size(), job.name, job.node_count(), job.ranks, job.ranks_a_node));
  return nodes;
}

/// Reads the mapping file's lines RANK NODE, where NODE counts the job's own nodes.
std::vector<std::uint32_t> mapped(const JobEntry& job, const std::vector<std::uint32_t>& nodes) {
  constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  std::vector<std::uint32_t> of_rank(job.ranks, kNowhere), used(nodes.size());
  read_numbers(
      job.mapping, fmt::format("{}: {}.mapping = \"{}\"", job.mapping_origin.text(), job.table, job.mapping),
      2, "a line RANK NODE, NODE counting the job's nodes from 0",
      [&](std::size_t line, const std::vector<std::uint32_t>& row) {
        const auto refuse = [&](const std::string& why) {
          throw UserError(fmt::format("{}:{}: {}", job.mapping, line, why));
        };
        if (row[0] >= job.ranks)
          refuse(fmt::format("rank {}: job {} has ranks 0 … {}", row[0], job.name, job.ranks - 1));
        if (row[1] >= nodes.size())
          refuse(fmt::format("node {}: job {} has nodes 0 … {}", row[1], job.name, nodes.size() - 1));
        if (of_rank[row[0]] != kNowhere) refuse(fmt::format("rank {}: a second time", row[0]));
        if (++used[row[1]] > job.ranks_a_node)
          refuse(fmt::format("node {}: more than {} ranks", row[1], job.ranks_a_node));
        of_rank[row[0]] = nodes[row[1]];
      });
  const auto missing = std::find(of_rank.begin(), of_rank.end(), kNowhere);
  if (missing != of_rank.end())
    throw UserError(
        fmt::format("{}: rank {} of job {} is missing", job.mapping, missing - of_rank.begin(), job.name));
  return of_rank;
}

std::vector<std::uint32_t> map_ranks(const JobEntry& job, const std::vector<std::uint32_t>& nodes) {
  if (job.mapping != "block" && job.mapping != "cyclic") return mapped(job, nodes);
  std::vector<std::uint32_t> of_rank(job.ranks);
  for (std::uint32_t rank = 0; rank < job.ranks; ++rank)
    of_rank[rank] = nodes[job.mapping == "block" ? rank / job.ranks_a_node : rank % job.node_count()];
  return of_rank;
}

void read_trace(JobEntry& job) {
  const std::string where = fmt::format("{}: {}.replay =", job.origin.text(), job.table);
  job.trace = std::make_shared<ReplayInput>(job.replay, job.compute_scale, job.message_scale, where);
  if (job.ranks != 0 && job.ranks != job.trace->ranks())
    throw UserError(fmt::format("{}: {}.ranks = {}: {} has {} ranks", job.origin.text(), job.table, job.ranks,
                                job.replay, job.trace->ranks()));
  job.ranks = job.trace->ranks();
}

}  // namespace

FileKeys jobs_file_keys() {
  struct Values {
    JobEntry job;
    std::string arguments;
  };
  auto values = std::make_shared<Values>();
  values->job.table = "NAME";
  FileKeys keys{.values = values};
  describe(*keys.schema, values->job, values->arguments);
  return keys;
}

std::optional<std::vector<std::string>> split_words(const std::string& text) {
  std::vector<std::string> words;
  bool quoted = false, in_word = false;
  for (const char c : text) {
    if (c == '\'') {
      quoted = !quoted;
      if (!in_word) words.emplace_back();
      in_word = true;
    } else if (!quoted && (c == ' ' || c == '\t')) {
      in_word = false;
    } else {
      if (!in_word) words.emplace_back();
      in_word = true;
      words.back() += c;
    }
  }
  if (quoted) return std::nullopt;
  return words;
}

JobsFile read_jobs(const std::string& path, std::uint32_t ranks_a_node) {
  JobsFile file;
  file.text = text_of(path, fmt::format("--jobs {}", path));
  Problems problems;
  const std::vector<Setting> settings = read_toml(file.text, path, problems);
  problems.throw_if_any();
  file.jobs = jobs_of_tables(settings, path, "", ranks_a_node, false);
  return file;
}

std::vector<JobEntry> jobs_of_tables(const std::vector<Setting>& settings, const std::string& path,
                                     const std::string& prefix, std::uint32_t ranks_a_node, bool built) {
  Problems problems;
  const std::vector<std::string> names = names_of(settings, prefix, problems);
  problems.throw_if_any();
  if (names.empty()) throw UserError(fmt::format("{}: no jobs; expected a table for each, [NAME]", path));

  std::deque<JobEntry> entries;  // the schema refers to them
  std::deque<std::string> arguments;
  Schema schema;
  for (const std::string& name : names) {
    entries.push_back({});
    entries.back().name = name;
    entries.back().table = prefix + name;
    describe(schema, entries.back(), arguments.emplace_back());
  }
  schema.apply(settings, problems);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const auto beside = [&](const std::string& name) { return (folder / name).string(); };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    JobEntry& job = entries[i];
    const auto first = std::find_if(settings.begin(), settings.end(), [&](const Setting& setting) {
      return setting.key.starts_with(job.table + ".");
    });
    job.origin = first->origin;
    const auto refuse = [&](const char* key, const std::string& why) {
      const Origin& origin = origin_of(schema, job.table + "." + key);
      problems.add((origin.line != 0 ? origin : job.origin).text(),
                   fmt::format("{}.{}{}", job.table, key, why));
    };
    job.placement_origin = origin_of(schema, job.table + ".placement");
    job.mapping_origin = origin_of(schema, job.table + ".mapping");
    job.ranks_a_node_origin = origin_of(schema, job.table + ".ranks_a_node");
    if (job.program.empty() && job.replay.empty())
      refuse("program", ": missing; expected a program or a replay");
    if (!job.program.empty() && !job.replay.empty())
      refuse("replay", fmt::format(" = \"{}\": the job has a program too; expected one of them", job.replay));
    if (job.replay.empty()) {
      for (const char* key : {"compute_scale", "message_scale"})
        if (origin_of(schema, job.table + "." + key).line != 0)
          refuse(key, ": the job is not a replay; expected no such key");
    } else if (!arguments[i].empty()) {
      refuse("arguments", fmt::format(" = \"{}\": a replay has no arguments", arguments[i]));
    }
    if (job.ranks == 0 && job.replay.empty() && !schema.find(job.table + ".ranks")->bad)
      refuse("ranks", ": missing");
    if (job.ranks_a_node > ranks_a_node)
      refuse("ranks_a_node",
             fmt::format(" = {}: expected at most node.ranks = {}", job.ranks_a_node, ranks_a_node));
    if (job.ranks_a_node == 0) job.ranks_a_node = ranks_a_node;
    if ((job.placement == JobEntry::Nodes::File) != !job.nodes.empty())
      refuse("nodes", job.nodes.empty() ? ": missing; placement = \"file\" needs it"
                                        : fmt::format(" = \"{}\": needs placement = \"file\"", job.nodes));
    auto words = split_words(arguments[i]);
    if (!words) refuse("arguments", fmt::format(" = \"{}\": a quote is left open", arguments[i]));
    if (words) job.arguments = std::move(*words);
    if (const std::string program = share_path("mgen") / job.program;
        built && job.replay.empty() && !std::filesystem::exists(beside(job.program)) &&
        std::filesystem::exists(program))
      job.program = program;
    else
      (job.replay.empty() ? job.program : job.replay) = beside(job.replay.empty() ? job.program : job.replay);
    if (!job.nodes.empty()) job.nodes = beside(job.nodes);
    if (job.mapping != "block" && job.mapping != "cyclic") job.mapping = beside(job.mapping);
  }
  problems.throw_if_any();
  for (JobEntry& job : entries)
    if (!job.replay.empty()) read_trace(job);
  return {std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end())};
}

std::uint32_t nodes_of(const std::vector<JobEntry>& jobs, std::uint32_t slots) {
  std::uint32_t nodes = 0;
  std::vector<std::uint32_t> left;  // free ranks of each shared node
  for (const JobEntry& job : jobs) {
    if (!job.shared) {
      nodes += job.node_count();
      continue;
    }
    std::uint32_t count = job.node_count();
    for (std::size_t i = 0; i < left.size() && count != 0; ++i) {
      if (left[i] < job.ranks_a_node) continue;
      left[i] -= job.ranks_a_node;
      --count;
    }
    left.insert(left.end(), count, slots - job.ranks_a_node);
  }
  return nodes + static_cast<std::uint32_t>(left.size());
}

std::vector<std::vector<std::uint32_t>> place_jobs(const std::vector<JobEntry>& jobs, const net::Graph& graph,
                                                   std::uint32_t slots, std::uint64_t seed,
                                                   std::span<const std::uint32_t> detailed) {
  using Nodes = JobEntry::Nodes;
  net::Allocation allocation(graph, seed, slots);
  for (const std::uint32_t node : detailed)
    allocation.give(node, {.job = static_cast<std::uint32_t>(jobs.size())});
  std::vector<std::vector<std::uint32_t>> nodes(jobs.size());
  // Jobs that name nodes get them first. The others take free nodes, in the order of the file.
  for (std::uint32_t i = 0; i < jobs.size(); ++i)
    if (jobs[i].placement == Nodes::File) nodes[i] = named_nodes(jobs[i], jobs, allocation, i);
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const JobEntry& job = jobs[i];
    if (job.placement == Nodes::File) continue;
    nodes[i] = allocation.take(static_cast<net::Placement>(job.placement), job.node_count(), job.claim(i));
    if (nodes[i].empty())
      throw UserError(fmt::format(
          "{}: job {} needs {} nodes for {} ranks, {} per node; too few of the network's {} nodes are free{}",
          job.origin.text(), job.name, job.node_count(), job.ranks, job.ranks_a_node, allocation.nodes(),
          job.placement == Nodes::CabinetWise ? " in cabinets that are wholly free" : ""));
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) nodes[i] = map_ranks(jobs[i], nodes[i]);
  return nodes;
}

}  // namespace psim
