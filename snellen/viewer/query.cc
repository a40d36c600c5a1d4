// SPDX-License-Identifier: Apache-2.0
#include "snellen/viewer/query.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace snellen::viewer {
namespace {

constexpr size_t kLongestField = 2000;

Error wrong(const char* name, const std::string& value) {
  return Error{ErrorCode::kUsage, fmt::format("{} cannot be '{}'", name, value.substr(0, 80))};
}

double margin_field(const http::Request& request, const char* name, double usual) {
  const std::string text = text_field(request, name);
  if (text.empty()) return usual;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw wrong(name, text);
  return value;
}

}  // namespace

std::string text_field(const http::Request& request, const char* name) {
  const std::string_view value = request.query_field(name);
  if (value.size() > kLongestField)
    throw Error{ErrorCode::kUsage, fmt::format("{} is too long", name)};
  return std::string(value);
}

uint64_t count_field(const http::Request& request,
                     const char* name,
                     uint64_t usual,
                     uint64_t most) {
  const std::string text = text_field(request, name);
  if (text.empty()) return usual;
  uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value > most)
    throw wrong(name, text);
  return value;
}

PageOfItems page_of(const http::Request& request) {
  PageOfItems page;
  page.size = count_field(request, "size", 50, 200);
  if (page.size == 0) throw wrong("size", "0");
  page.number = count_field(request, "page", 0, 1'000'000'000);
  return page;
}

std::vector<std::string> run_ids(const http::Request& request) {
  std::vector<std::string> ids;
  for (const auto& [name, value] : request.query) {
    if (name != "runs" && name != "run") continue;
    if (value.size() > kLongestField) throw wrong("runs", value);
    if (!value.empty() && std::find(ids.begin(), ids.end(), value) == ids.end())
      ids.push_back(value);
  }
  if (ids.empty() || ids.size() > kMostRunsCompared)
    throw Error{ErrorCode::kUsage,
                fmt::format("name 1 to {} runs, not {}", kMostRunsCompared, ids.size())};
  return ids;
}

uint32_t task_place(const ViewedRun& run, const std::string& name) {
  for (uint32_t task = 0; task < run.tasks().size(); ++task)
    if (run.tasks()[task].name == name) return task;
  throw Error{ErrorCode::kNotFound, fmt::format("the run has no task '{}'", name.substr(0, 80))};
}

AskedFilter filter_of(const http::Request& request, ViewedRun& run, store::ItemIndex* index) {
  AskedFilter asked;
  store::ItemFilter& filter = asked.filter;
  if (const std::string name = text_field(request, "task"); !name.empty()) {
    filter.task = task_place(run, name);
    if (const std::string part = text_field(request, "part"); !part.empty()) {
      const auto& parts = run.tasks()[*filter.task].parts;
      const auto found = std::find_if(
          parts.begin(), parts.end(), [&](const auto& one) { return one.name == part; });
      if (found == parts.end()) throw wrong("part", part);
      filter.part = static_cast<uint32_t>(found - parts.begin());
      asked.needs_index = true;
    }
  }
  filter.category = text_field(request, "category");
  filter.tag = text_field(request, "tag");
  if (const std::string name = text_field(request, "outcome"); !name.empty()) {
    filter.outcome = store::outcome_of(name);
    if (!filter.outcome) throw wrong("outcome", name);
  }
  filter.least_margin = margin_field(request, "min", filter.least_margin);
  filter.most_margin = margin_field(request, "max", filter.most_margin);
  const std::string words = text_field(request, "q");
  const bool wants_marked = text_field(request, "marked") == "1";
  asked.needs_index = asked.needs_index || !filter.category.empty() || !filter.tag.empty() ||
                      filter.outcome || std::isfinite(filter.least_margin) ||
                      std::isfinite(filter.most_margin) || !words.empty() || wants_marked;
  if (index == nullptr) return asked;
  if (!words.empty()) asked.kept = index->rows_with(words);
  if (wants_marked) {
    auto rows = std::make_shared<std::vector<uint8_t>>(index->columns().size(), 0);
    for (const auto& [key, mark] : run.marks().all()) {
      for (const store::TaskRecord& task : run.tasks()) {
        if (task.name != mark.task) continue;
        for (const store::TaskRecord::Part& part : task.parts) {
          const auto row =
              index->columns().row_of(store::item_key(task.name, part.name, mark.item));
          if (row && (!asked.kept || (*asked.kept)[*row] != 0)) (*rows)[*row] = 1;
        }
      }
    }
    asked.kept = rows;
  }
  if (asked.kept) filter.kept = *asked.kept;
  return asked;
}

}  // namespace snellen::viewer
