// SPDX-License-Identifier: Apache-2.0
// CSV and TSV as RFC 4180 has them: quoted fields may hold delimiters, line ends and doubled
// quotes. A quote opens a field only at its start; a carriage return outside of quotes is left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snellen::formats {

// Finds where a record ends, byte by byte, so that streams and files in memory agree.
class CsvScanner {
 public:
  // '\0': a header, whose delimiter is not known yet; a comma or a tab may be it.
  explicit CsvScanner(char delimiter = '\0') : delimiter_(delimiter) {}

  // True when `c` is the line end that ends the record; the next byte begins another.
  bool ends_record(char c);
  // A quote was opened and not closed.
  bool is_quoted() const { return state_ == State::kQuoted; }

 private:
  enum class State { kFieldStart, kField, kQuoted, kAfterQuote };
  char delimiter_;
  State state_ = State::kFieldStart;
};

// A tab where the header has one and no comma, quoted ones apart; else a comma.
char csv_delimiter(std::string_view header);
// Nothing but white space, or one empty quoted field: passed over by every reader.
bool is_blank_csv(std::string_view record);
// The fields of one record; a line end behind it is left out.
std::vector<std::string> split_csv(std::string_view record, char delimiter);

// All rows of a text with commas. A byte order mark and blank records are passed over. Throws
// kInvalidInput (naming `where`) for a quote that never closes.
std::vector<std::vector<std::string>> parse_csv(std::string_view text, std::string_view where);

// A field as a writer puts it: quoted where it holds a comma, a quote or a line end.
std::string csv_field(std::string_view text);

}  // namespace snellen::formats
