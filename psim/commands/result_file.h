// SPDX-License-Identifier: Apache-2.0
// Results of psim as inputs of commands.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "base/result_document.h"
#include "base/statistics/registry.h"

namespace psim::commands {

/// Returns the result document in a file. Throws UserError if the file cannot be read or contains no result.
/// Throws it also if the document is of another schema, or its result_hash shows that it was changed.
nlohmann::json read_result(const std::string& path);
/// Does the same, and keeps the order of keys.
nlohmann::ordered_json read_ordered_result(const std::string& path);

/// Returns the page of the result in a file. Throws UserError as read_result() does, and if keys are missing
/// that the page needs. No simulation may run in this process.
std::string page_of_file(const std::string& path);

/// Throws UserError if the page would replace one of the results, or one in a folder of them. `page` may be
/// empty.
void refuse_page_over_results(const std::string& page, const char* option,
                              const std::vector<std::string>& results);

/// Writes the page of a finished result, if the command has one. `described`: statistics of the run.
void write_page(std::optional<OutputFile>& page, const ResultDocument& result,
                const std::vector<statistics::Reading>& described = {});

/// Prints what the page of a finished result shows, the first `rows` of each table, and a line if that leaves
/// out rows.
void show_page(const ResultDocument& result, std::size_t rows = 30);

}  // namespace psim::commands
