// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/samples/old_rows.h"

#include "snellen/store/error_json.h"

namespace snellen::store {

std::string old_select() {
  return "SELECT id, part, item, cluster, category, status, scores, outcome, ties, correct, "
         "margin, detail, error, micros FROM samples";
}

Sample read_old_row(const Statement& row, Reading reading) {
  Sample sample;
  sample.task = static_cast<uint32_t>(row.integer(0) / kTaskStride);
  sample.position = static_cast<uint64_t>(row.integer(0) % kTaskStride);
  sample.part = static_cast<uint32_t>(row.integer(1));
  sample.item = row.text(2);
  if (std::string_view cluster = row.text(3); !cluster.empty())
    sample.clusters.emplace_back(cluster);
  sample.category = row.text(4);
  sample.status = status_of(row.text(5));
  if (reading != Reading::kWithoutScores) sample.scores = numbers_from_json(row.text(6));
  sample.values = numbers_from_json(row.text(7));
  sample.ties = static_cast<uint64_t>(row.integer(8));
  if (!row.is_null(9)) sample.is_correct = row.integer(9) != 0;
  sample.margin = row.number(10);
  sample.detail = Detail::of_json(row.text(11));
  if (!row.is_null(12)) sample.error = error_from_json(row.text(12));
  sample.micros = static_cast<uint64_t>(row.integer(13));
  return sample;
}

std::string old_digest_line(const Statement& row) {
  std::string line;
  for (int column = 0; column < 13; ++column) {
    line += row.is_null(column) ? "\\N" : row.text(column);
    line.push_back('\x1f');
  }
  line.push_back('\n');
  return line;
}

}  // namespace snellen::store
