// SPDX-License-Identifier: Apache-2.0
// Samples as lines that every program reads: CSV with one row per item, or one JSON object per
// line.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "snellen/store/samples.h"

namespace snellen::report {

// The columns of a CSV line: task, part, item, category, status, correct, margin, ties, texts,
// pictures, scores, answers, reason. Lists are joined by " | ".
std::string sample_csv_header();
std::string sample_csv_line(const store::TaskRecord& task, const store::Sample& sample);
// The same with lists as lists, and the task's values by name.
std::string sample_json_line(const store::TaskRecord& task, const store::Sample& sample);

enum class LineFormat { kCsv, kJsonLines };

// All samples of a run folder, in order; memory does not grow with them. Gives their number.
uint64_t write_sample_lines(const std::filesystem::path& samples,
                            LineFormat format,
                            const std::function<void(std::string_view)>& write);

}  // namespace snellen::report
