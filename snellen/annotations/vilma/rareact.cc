// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/rareact.h"

#include <set>

#include <fmt/format.h>
#include <simdjson.h>

#include "snellen/annotations/tabular.h"

namespace snellen::annotations {
namespace {

constexpr const char* kColumns[] = {"id", "video_id", "start", "end", "verb", "noun", "annotation"};

// Words go into sentences and into keys of other files.
bool is_phrase(const std::string& text) {
  if (text.empty() || text.size() > 100 || text.front() == ' ' || text.back() == ' ') return false;
  for (const char letter : text) {
    if (static_cast<unsigned char>(letter) < 0x20) return false;
  }
  return simdjson::validate_utf8(text);
}

void require_columns(const TableRow& row, const std::filesystem::path& path) {
  for (const char* column : kColumns) {
    if (row.has(column)) continue;
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("has no column '{}'", column),
                path.string(),
                "give RareAct's rareact.csv"};
  }
}

// Nothing for a row that is not to be used; what is wrong with it goes to the row's error.
void read_row(TableRow& row, std::set<int64_t>& ids, RareActFile& file) {
  const auto annotation = row.number("annotation");
  if (!row.failed() && annotation != 1.0) return;
  RareActRow one;
  one.id = row.integer("id").value_or(-1);
  one.video_id = row.text("video_id").value_or("");
  one.start_s = row.integer("start").value_or(-1);
  one.end_s = row.integer("end").value_or(-1);
  one.verb = row.text("verb").value_or("");
  one.noun = row.text("noun").value_or("");
  if (!row.failed()) {
    const bool is_usable = one.id >= 0 && is_phrase(one.verb) && is_phrase(one.noun) &&
                           is_phrase(one.video_id) && one.start_s >= 0 && one.end_s > one.start_s;
    if (!is_usable) {
      row.fail("needs an id, a video, a verb and a noun in UTF-8, and a start before its end");
    } else if (!ids.insert(one.id).second) {
      row.fail(fmt::format("id {} is there already", one.id));
    }
  }
  if (row.failed()) {
    file.bad_records.push_back(row.error());
  } else {
    file.rows.push_back(std::move(one));
  }
}

}  // namespace

RareActFile read_rareact(const std::filesystem::path& path) {
  TableReader reader(path.string(), {.format = TableFormat::kCsv});
  RareActFile file;
  std::set<int64_t> ids;
  TableRow row;
  bool is_first = true;
  while (reader.next(row)) {
    if (is_first && !row.failed()) require_columns(row, path);
    is_first = false;
    if (row.failed()) {
      file.bad_records.push_back(row.error());
    } else {
      read_row(row, ids, file);
    }
  }
  if (is_first)
    throw Error{ErrorCode::kInvalidInput, "has no row", path.string(), "give rareact.csv"};
  return file;
}

}  // namespace snellen::annotations
