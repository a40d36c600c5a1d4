// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "snellen/base/error.h"

namespace snellen::formats {

// Parses JSON as Python's json module writes it: NaN, Infinity and -Infinity stand where a number
// may stand. One thread at a time; a value lives until the next parse(). Reuse it: it keeps its
// memory.
class PythonJsonParser {
 public:
  // The text needs no padding. `where` names it in the error (kInvalidInput).
  Result<simdjson::dom::element> parse(std::string_view json, std::string_view where);

  // The number an element of the last parse() stands for, the three tokens included; nothing for
  // anything else.
  std::optional<double> number(simdjson::dom::element element) const;
  // True when the element stands for one of the three tokens.
  bool is_token(simdjson::dom::element element) const;

 private:
  simdjson::dom::parser parser_;
  std::string text_;  // a padded copy in which the tokens are strings of the same length
  bool has_tokens_ = false;
};

// The value as json.dump(value, indent=4) writes it when `indent` is 4, as json.dumps(value) when
// it is 0; `depth` is how deep the value already stands. Of a key that occurs twice the last value
// is written at the first place.
void append_python_json(std::string& out,
                        const PythonJsonParser& parser,
                        simdjson::dom::element element,
                        int indent,
                        int depth);

}  // namespace snellen::formats
