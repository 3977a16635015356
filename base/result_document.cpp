// SPDX-License-Identifier: Apache-2.0
#include "base/result_document.h"

#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "base/config/print.h"
#include "base/printable.h"
#include "base/sha256.h"

namespace psim {

using nlohmann::ordered_json;

std::string_view version() { return PSIM_VERSION; }

namespace {

// Names and arguments come from the user and may not be UTF-8.
std::string dump(const auto& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

// Keys are sorted, so that the hash does not depend on the order in which a command adds its results.
std::string result_hash_of(nlohmann::json document) {
  for (const char* key : {"host", "page", "result_hash"}) document.erase(key);
  // The progress of the other processes of an aborted run depends on their number.
  if (document.value("partial", "") == "aborted")
    for (const char* key : {"nodes", "operations", "messages", "packets", "statistics", "energy", "net",
                            "seconds", "compute", "work"})
      document.erase(key);
  return sha256(dump(document, -1));
}

std::string page_hash_of(nlohmann::json page) {
  page.erase("sha256");
  return sha256(dump(page, -1));
}

ResultDocument::ResultDocument(std::string_view command, const std::string& path)
    : body_(std::make_unique<ordered_json>(ordered_json::object())),
      host_(std::make_unique<ordered_json>(ordered_json::object())),
      page_(std::make_unique<ordered_json>(ordered_json::object())),
      start_(std::chrono::steady_clock::now()) {
  if (!path.empty()) file_.emplace(path, "--json");
  *body_ = {{"schema", kResultSchema}, {"version", version()}, {"command", command}};
}

ResultDocument::~ResultDocument() = default;

void ResultDocument::input(std::string_view role, const std::string& path, std::string_view bytes) {
  input(role, path, sha256(bytes), bytes.size());
}
void ResultDocument::input(std::string_view role, const std::string& path, const std::string& sha256_digits,
                           std::uint64_t bytes) {
  (*body_)["inputs"][std::string(role)] = {{"sha256", sha256_digits}, {"bytes", bytes}};
  (*host_)["inputs"][std::string(role)] = path;
}

void ResultDocument::machine(std::string_view name, const Schema& schema) {
  ordered_json& machine = (*body_)["machine"];
  machine = {{"name", name}};
  machine.update(config_json(schema));
}

void ResultDocument::seed(std::uint64_t seed) { (*body_)["seed"] = seed; }
void ResultDocument::partial(std::string_view why) { (*body_)["partial"] = why; }
void ResultDocument::speed(std::string_view key, std::uint64_t count) {
  speed_key_ = key, speed_count_ = count;
}
void ResultDocument::others(double cpu_seconds, std::uint64_t peak_rss_bytes) {
  others_cpu_ = cpu_seconds;
  others_rss_ = peak_rss_bytes;
}

ordered_json& ResultDocument::body() { return *body_; }
ordered_json& ResultDocument::host() { return *host_; }
ordered_json& ResultDocument::page() { return *page_; }

void ResultDocument::finish() {
  // Every document has all common keys.
  for (const char* key : {"machine", "inputs"})
    if (!body_->contains(key)) (*body_)[key] = ordered_json::object();
  if (!body_->contains("seed")) (*body_)["seed"] = 0;

  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  ordered_json& host = *host_;
  const double cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime) + others_cpu_;
  if (!speed_key_.empty()) host[speed_key_] = cpu > 0 ? static_cast<double>(speed_count_) / cpu : 0.0;
  host["wall_seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  host["cpu_seconds"] = cpu;
  host["peak_rss_bytes"] =
      static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 + others_rss_;  // Linux counts in KiB
  if (!host.contains("processes")) host["processes"] = 1;

  if (!file_ || !file_->renew()) return;
  file_->write(text());
  file_->commit();
  file_.reset();
}

// Escaped because people print results on terminals. Control characters occur only in strings.
std::string ResultDocument::text() const {
  ordered_json document = *body_;
  document["result_hash"] = result_hash_of(nlohmann::json(*body_));
  document["host"] = *host_;
  std::string text = dump(document, 2);
  if (!page_->empty()) {  // on one line, because it is long and not for readers
    ordered_json page = *page_;
    page["sha256"] = page_hash_of(nlohmann::json(page));
    text.replace(text.size() - 2, 2, ",\n  \"page\": " + dump(page, -1) + "\n}");
  }
  return printable(text) + "\n";
}

}  // namespace psim
