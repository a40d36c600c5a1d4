// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/visdial_gen/result_file.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/base/python_json.h"
#include "snellen/formats/json.h"
#include "snellen/stats/sum.h"
#include "snellen/tasks/seed_json.h"

namespace snellen::tasks::visdial_gen {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxResultBytes = size_t{4} << 30;

// Sums of one column over entries where it is defined.
struct ColumnSums {
  stats::Sum values;
  stats::Sum squares;  // of deviations from the mean
  size_t n = 0;
};

void for_each_entry(
    OutcomeReader& outcomes,
    const std::function<void(const StoredItem&, const metrics::VisdialEntry&)>& visit) {
  outcomes.for_each_scored("",
                           [&](const StoredItem& item) { visit(item, entry_of(item.outcome)); });
}

void add_counts(const metrics::VisdialEntry& entry, metrics::VisdialSummary& summary) {
  ++summary.num_pairs;
  summary.num_empty += entry.num_empty;
  summary.num_absent_words += entry.num_absent_words;
  summary.num_skipped += entry.is_skipped;
  summary.num_without_references += entry.lacks_references;
}

metrics::VisdialSummary summarize_stored(const std::vector<std::string>& columns,
                                         OutcomeReader& outcomes) {
  metrics::VisdialSummary summary;
  std::vector<ColumnSums> sums(columns.size());
  for_each_entry(outcomes, [&](const StoredItem&, const metrics::VisdialEntry& entry) {
    add_counts(entry, summary);
    for (size_t i = 0; i < sums.size(); ++i) {
      if (!std::isfinite(entry.values.at(i))) continue;
      sums[i].values.add(entry.values[i]);
      ++sums[i].n;
    }
  });
  for (size_t i = 0; i < sums.size(); ++i) {
    double n = static_cast<double>(sums[i].n);
    // 0 / 0 is the NaN of a column without values.
    summary.columns.push_back(
        {.name = columns[i], .mean = sums[i].values.value() / n, .std = 0, .n = sums[i].n});
  }
  for_each_entry(outcomes, [&](const StoredItem&, const metrics::VisdialEntry& entry) {
    for (size_t i = 0; i < sums.size(); ++i) {
      double difference = entry.values.at(i) - summary.columns[i].mean;
      if (std::isfinite(difference)) sums[i].squares.add(difference * difference);
    }
  });
  for (size_t i = 0; i < sums.size(); ++i)
    summary.columns[i].std = std::sqrt(sums[i].squares.value() / static_cast<double>(sums[i].n));
  return summary;
}

std::vector<std::string> all_warnings(const ResultHeader& header,
                                      const metrics::VisdialSummary& summary) {
  std::vector<std::string> warnings = header.warnings;
  auto add = [&](size_t count, std::string_view what) {
    if (count > 0) warnings.push_back(fmt::format("{} {}", count, what));
  };
  add(summary.num_skipped, "entries have no generation left and are out of every mean");
  add(summary.num_without_references,
      "entries have only blank references and are out of the embedding metrics");
  add(summary.num_absent_words, "words have no vector and count as zeros");
  return warnings;
}

// "image/round" of an item's id.
std::string entry_json(const StoredItem& item,
                       const metrics::VisdialEntry& entry,
                       const std::vector<std::string>& columns) {
  size_t slash = item.id.find('/');
  std::string json = fmt::format("{{\"image_id\": {}, \"round_id\": {}, \"empty\": {}",
                                 item.id.substr(0, slash),
                                 item.id.substr(slash + 1),
                                 entry.num_empty);
  for (size_t i = 0; i < columns.size(); ++i)
    json += fmt::format(", \"{}\": {}", columns[i], python_float(entry.values[i]));
  return json + "}";
}

}  // namespace

Outcome outcome_of(const metrics::VisdialEntry& entry) {
  Outcome outcome;
  outcome.values = entry.values;
  NamedValues named({.is_compact = true});
  if (entry.num_empty > 0) named.put("empty", static_cast<int64_t>(entry.num_empty));
  if (entry.num_absent_words > 0)
    named.put("absent_words", static_cast<int64_t>(entry.num_absent_words));
  if (entry.is_skipped) named.put("skipped", true);
  if (entry.lacks_references) named.put("blank_references", true);
  outcome.named = std::move(named);
  return outcome;
}

metrics::VisdialEntry entry_of(const Outcome& outcome) {
  metrics::VisdialEntry entry;
  entry.values = outcome.values;
  const NamedValues& named = outcome.named;
  entry.num_empty = static_cast<size_t>(named.get<int64_t>("empty"));
  entry.num_absent_words = static_cast<size_t>(named.get<int64_t>("absent_words"));
  entry.is_skipped = named.get<bool>("skipped");
  entry.lacks_references = named.get<bool>("blank_references");
  return entry;
}

metrics::VisdialSummary write_result_file(const std::filesystem::path& path,
                                          const ResultHeader& header,
                                          OutcomeReader& outcomes) {
  metrics::VisdialSummary summary = summarize_stored(header.columns, outcomes);
  SeedJson json(NonFinite::kNull);
  json.put({"pairs"}, std::to_string(summary.num_pairs));
  json.put({"empty"}, std::to_string(summary.num_empty));
  json.put({"skipped_entries"}, std::to_string(summary.num_skipped));
  json.put({"absent_words"}, std::to_string(summary.num_absent_words));
  if (header.meteor_paraphrase) {
    const auto* hash = std::get_if<std::string>(&*header.meteor_paraphrase);
    json.put({"meteor_paraphrase"}, hash != nullptr ? python_string(*hash) : "false");
  }
  json.put({"warnings"}, python_string_list(all_warnings(header, summary)));
  json.put({"settings"}, header.settings_json);
  for (const metrics::ColumnSummary& column : summary.columns) {
    json.put_float({"metrics", column.name, "mean"}, column.mean);
    json.put_float({"metrics", column.name, "std"}, column.std);
    json.put({"metrics", column.name, "n"}, std::to_string(column.n));
    if (column.n == 0)
      json.put({"metrics", column.name, "reason"}, python_string("undefined for every entry"));
  }
  SpillList& entries = json.list({"entries"});
  for_each_entry(outcomes, [&](const StoredItem& item, const metrics::VisdialEntry& entry) {
    entries.add(entry_json(item, entry, header.columns));
  });
  json.write(path);
  return summary;
}

void write_generations(const std::filesystem::path& path, OutcomeReader& outcomes) {
  AtomicFile file(path);
  bool is_first = true;
  file.write("[");
  outcomes.for_each_scored("", [&](const StoredItem& item) {
    const size_t slash = item.id.find('/');
    auto answers = item.outcome.named.get<std::vector<std::string>>(kGenerations);
    if (answers.empty()) answers.emplace_back();
    file.write(fmt::format("{}\n{{\"image_id\": {}, \"round_id\": {}, \"generations\": {}}}",
                           is_first ? "" : ",",
                           item.id.substr(0, slash),
                           item.id.substr(slash + 1),
                           python_string_list(answers)));
    is_first = false;
  });
  file.write("\n]\n");
  file.commit();
}

ReadResult read_result_file(const std::filesystem::path& path) {
  ReadResult result;
  try {
    // Entries are passed over: only the head of the file is wanted.
    auto skip_entries = [](int depth, Json::parse_event_t event, Json& parsed) {
      return !(depth == 2 && event == Json::parse_event_t::object_end &&
               parsed.contains("image_id"));
    };
    const std::string text = read_text_file(path, kMaxResultBytes);
    if (formats::nests_deeper_than(text)) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("nests deeper than {} levels", formats::kMaxJsonDepth),
                  path.string()};
    }
    Json json = Json::parse(text, skip_entries);
    result.summary.num_pairs = json.at("pairs");
    result.summary.num_empty = json.at("empty");
    result.summary.num_skipped = json.at("skipped_entries");
    result.warnings = json.at("warnings").get<std::vector<std::string>>();
    for (const auto& [name, column] : json.at("metrics").items()) {
      auto number = [](const Json& value) {
        return value.is_null() ? std::nan("") : value.get<double>();
      };
      result.summary.columns.push_back({.name = name,
                                        .mean = number(column.at("mean")),
                                        .std = number(column.at("std")),
                                        .n = column.at("n")});
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error{ErrorCode::kInvalidInput, error.what(), path.string()};
  }
  return result;
}

}  // namespace snellen::tasks::visdial_gen
