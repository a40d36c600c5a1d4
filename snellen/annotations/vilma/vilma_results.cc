// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/vilma_results.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/formats/json_elements.h"

namespace snellen::annotations {
namespace {

namespace dom = simdjson::dom;

Error bad_entry(std::string what, std::string_view where) {
  return Error{ErrorCode::kInvalidInput,
               std::move(what),
               std::string(where),
               "an entry is {\"scores\": [caption, foil, ...]}"};
}

}  // namespace

Result<size_t> parse_vilma_scores(formats::PythonJsonParser& parser,
                                  std::string_view json,
                                  std::string_view where,
                                  std::vector<double>& scores) {
  auto parsed = parser.parse(json, where);
  if (!parsed) return parsed.error();
  dom::object object;
  if ((*parsed).get(object) != simdjson::SUCCESS) return bad_entry("entry is not an object", where);
  // The last of several keys "scores" counts, as in Python.
  std::optional<dom::element> found;
  for (dom::key_value_pair pair : object) {
    if (pair.key == "scores") found = pair.value;
  }
  dom::array list;
  if (!found || found->get(list) != simdjson::SUCCESS)
    return bad_entry("entry has no list 'scores'", where);
  const size_t begin = scores.size();
  for (dom::element element : list) {
    const auto score = parser.number(element);
    if (!score) {
      const size_t place = scores.size() - begin;
      scores.resize(begin);
      return bad_entry(fmt::format("score {} is not a number", place), where);
    }
    scores.push_back(*score);
  }
  return scores.size() - begin;
}

VilmaResults::VilmaResults(const std::filesystem::path& path, OnDuplicate on_duplicate) {
  const formats::JsonElements elements(path);
  if (!elements.is_object())
    throw bad_entry("is a list, expected an object of entries by id", path.string());
  formats::PythonJsonParser parser;
  entries_.reserve(elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    const size_t begin = scores_.size();
    auto count = parse_vilma_scores(parser, elements.element(i), elements.where(i), scores_);
    entries_.push_back({std::string(elements.key(i)), begin, std::move(count).value()});
  }
  std::stable_sort(
      entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
  std::vector<Entry> kept;
  kept.reserve(entries_.size());
  for (Entry& entry : entries_) {
    if (kept.empty() || kept.back().id != entry.id) {
      kept.push_back(std::move(entry));
    } else if (on_duplicate == OnDuplicate::kLast) {
      kept.back() = std::move(entry);
    } else {
      throw bad_entry(fmt::format("id '{}' occurs twice", entry.id), path.string());
    }
  }
  entries_ = std::move(kept);
  for (const Entry& entry : entries_) {
    const auto all = std::span(scores_).subspan(entry.begin, entry.count);
    longest_entry_ = std::max(longest_entry_, entry.count);
    const bool is_finite =
        std::all_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); });
    num_non_finite_ += is_finite ? 0 : 1;
  }
}

std::span<const double> VilmaResults::scores(size_t index) const {
  const Entry& entry = entries_.at(index);
  return std::span(scores_).subspan(entry.begin, entry.count);
}

std::optional<std::span<const double>> VilmaResults::find(std::string_view id) const {
  const auto entry = std::lower_bound(
      entries_.begin(), entries_.end(), id, [](const Entry& one, std::string_view wanted) {
        return one.id < wanted;
      });
  if (entry == entries_.end() || entry->id != id) return std::nullopt;
  return scores(static_cast<size_t>(entry - entries_.begin()));
}

}  // namespace snellen::annotations
