// SPDX-License-Identifier: Apache-2.0
// Any bytes as a table: from a stream and from a file in memory come the same rows, or the same
// refusal.
#include <cstdlib>
#include <sstream>

#include "fuzz/fuzz_file.h"
#include "snellen/annotations/table_file.h"
#include "snellen/formats/csv.h"

namespace {

using snellen::annotations::TableRow;

std::string shown(const TableRow& row) {
  std::string text = row.failed() ? row.error().message() : "";
  for (const auto& [name, cell] : row.fields()) text += name + "=" + cell.text + ";";
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    (void)formats::parse_csv(bytes, "fuzz");
  } catch (const Error&) {
  }
  std::vector<std::string> streamed, filed;
  std::istringstream in(bytes);
  try {
    annotations::TableReader reader(in, "fuzz");
    if (reader.format() != annotations::TableFormat::kCsv) return 0;
    for (TableRow row; reader.next(row);) streamed.push_back(shown(row));
  } catch (const Error&) {
    streamed = {"refused"};
  }
  try {
    const fuzz::FuzzFile file(data, size);
    const annotations::TableFile table(file.path());
    for (size_t i = 0; i < table.size(); ++i) filed.push_back(shown(table.row(i)));
  } catch (const Error&) {
    filed = {"refused"};
  }
  if (streamed != filed) std::abort();
  return 0;
}
