// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/samples/sample.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <sys/stat.h>

#include "snellen/base/parse_number.h"
#include "snellen/base/python_json.h"

namespace snellen::store {
namespace {

[[noreturn]] void refuse_numbers(std::string_view json) {
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("'{}' is no list of numbers", json.substr(0, 60)),
              "samples.db",
              "it was changed by another program; run again with --overwrite"};
}

}  // namespace

std::string hex_of(const ContentKey& key) {
  return fmt::format("{:016x}{:016x}", key.high, key.low);
}

std::optional<ShownVisual::Read> stat_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return ShownVisual::Read{
      .size = static_cast<uint64_t>(status.st_size),
      .mtime_ns = status.st_mtim.tv_sec * int64_t{1'000'000'000} + status.st_mtim.tv_nsec};
}

std::string_view name_of(SampleStatus status) {
  switch (status) {
    case SampleStatus::kScored:
      return "scored";
    case SampleStatus::kSkipped:
      return "skipped";
    case SampleStatus::kFailed:
      return "failed";
  }
  return "failed";
}

SampleStatus status_of(std::string_view name) {
  if (name == "scored") return SampleStatus::kScored;
  return name == "skipped" ? SampleStatus::kSkipped : SampleStatus::kFailed;
}

uint64_t& SampleCounts::of(SampleStatus status) {
  switch (status) {
    case SampleStatus::kScored:
      return scored;
    case SampleStatus::kSkipped:
      return skipped;
    case SampleStatus::kFailed:
      return failed;
  }
  return failed;
}

void check_values(const Sample& sample, size_t num_columns, const std::filesystem::path& where) {
  if (sample.status != SampleStatus::kScored || sample.values.size() == num_columns) return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("holds {} values, expected {}", sample.values.size(), num_columns),
              fmt::format("{}: {}", where.string(), sample.item),
              "the file was changed after the run; see snellen verify, or run again"};
}

void append_number_json(std::string& json, double number) {
  if (number == 1.0) {
    json += "1.0";
  } else if (number == 0.0 && !std::signbit(number)) {
    json += "0.0";
  } else if (std::isnan(number)) {
    json += "null";
  } else if (std::isinf(number)) {
    json += number > 0 ? "\"inf\"" : "\"-inf\"";
  } else {
    append_python_float(json, number);
  }
}

void append_numbers_json(std::string& json, std::span<const double> numbers) {
  json.push_back('[');
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) json.push_back(',');
    append_number_json(json, numbers[i]);
  }
  json.push_back(']');
}

std::vector<double> numbers_from_json(std::string_view json) {
  std::vector<double> numbers;
  if (json.size() < 2 || json == "[]") return numbers;
  std::string_view rest = json.substr(1, json.size() - 2);
  while (true) {
    size_t end = std::min(rest.find(','), rest.size());
    std::string_view piece = rest.substr(0, end);
    double number = std::numeric_limits<double>::quiet_NaN();
    if (piece == "\"inf\"" || piece == "\"-inf\"") {
      number = piece.size() == 5 ? std::numeric_limits<double>::infinity()
                                 : -std::numeric_limits<double>::infinity();
    } else if (piece != "null") {
      const std::optional<double> finite = parse_number<double>(piece);
      if (!finite) refuse_numbers(json);
      number = *finite;
    }
    numbers.push_back(number);
    if (end == rest.size()) return numbers;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace snellen::store
