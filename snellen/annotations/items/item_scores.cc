// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "snellen/annotations/items/item_reader.h"
#include "snellen/annotations/items/items_file.h"

namespace snellen::annotations {
namespace {

namespace dom = simdjson::dom;

// A list of numbers, or of lists of numbers.
void append_numbers(ItemReader& reader, dom::array list, bool is_row, std::vector<double>& all) {
  for (dom::element element : list) {
    if (reader.failed()) return;
    dom::array row;
    double value = 0;
    if (!is_row && element.get(row) == simdjson::SUCCESS) {
      append_numbers(reader, row, /*is_row=*/true, all);
    } else if (element.get(value) == simdjson::SUCCESS && std::isfinite(value)) {
      all.push_back(value);
    } else {
      reader.fail(fmt::format("score {} is not a finite number", all.size()));
    }
  }
}

}  // namespace

Result<ItemScores> parse_item_scores(std::string_view line) {
  ItemReader reader(line, "");
  if (!reader.has("id")) reader.fail("'id' is missing");
  ItemScores scores{.id = reader.id(0), .scores = std::vector<double>{}};
  if (reader.failed()) return reader.error();
  scores.are_log_likelihoods = reader.has("log_likelihoods");
  const char* key = scores.are_log_likelihoods ? "log_likelihoods" : "scores";
  std::vector<double> numbers;
  std::optional<dom::array> list = reader.list(key);
  if (!list) reader.fail(fmt::format("'{}' is missing", key));
  if (list) append_numbers(reader, *list, /*is_row=*/false, numbers);
  if (reader.failed()) {
    scores.scores = reader.error();
  } else {
    scores.scores = std::move(numbers);
  }
  return scores;
}

}  // namespace snellen::annotations
