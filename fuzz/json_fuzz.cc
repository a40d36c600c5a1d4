// SPDX-License-Identifier: Apache-2.0
// Any bytes as JSON: a value that can be copied and written, or none; and with Python's tokens
// replaced the text is parsed as far as before.
#include <cstdlib>

#include "snellen/base/error.h"
#include "snellen/formats/json.h"
#include "snellen/formats/python_json_parser.h"
#include "snellen/formats/python_tokens.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const nlohmann::ordered_json value = formats::parse_ordered_json(text);
  if (!value.is_discarded()) {
    const nlohmann::ordered_json copy = value;
    const std::string written = copy.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (formats::parse_ordered_json(written).is_discarded()) std::abort();
  }
  try {
    (void)formats::parse_json_object(text, "fuzz", "hint");
  } catch (const Error&) {
  }
  if (const auto plain = formats::replace_python_tokens(text, formats::TokensAs::kNull))
    (void)formats::parse_json(*plain);
  formats::PythonJsonParser parser;
  if (const auto element = parser.parse(text, "fuzz")) {
    std::string written;
    formats::append_python_json(written, parser, *element, 0, 0);
    formats::PythonJsonParser again;
    if (!again.parse(written, "fuzz")) std::abort();
  }
  return 0;
}
