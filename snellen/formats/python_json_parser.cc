// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/python_json_parser.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/python_json.h"
#include "snellen/formats/json_memory.h"
#include "snellen/formats/python_tokens.h"

namespace snellen::formats {

namespace dom = simdjson::dom;

Result<dom::element> PythonJsonParser::parse(std::string_view json, std::string_view where) {
  std::optional<std::string> replaced = replace_python_tokens(json, TokensAs::kStandIn);
  has_tokens_ = replaced.has_value();
  text_.assign(replaced ? std::string_view(*replaced) : json);
  const size_t length = text_.size();
  text_.resize(length + simdjson::SIMDJSON_PADDING, ' ');
  dom::element root;
  const auto code = parser_.parse(text_.data(), length, /*realloc_if_needed=*/false).get(root);
  if (code == simdjson::SUCCESS) return root;
  expect_memory(code);
  return Error{ErrorCode::kInvalidInput,
               fmt::format("not valid JSON: {}", simdjson::error_message(code)),
               std::string(where),
               "check that the file was written whole"};
}

bool PythonJsonParser::is_token(dom::element element) const {
  std::string_view text;
  return has_tokens_ && element.get(text) == simdjson::SUCCESS && python_token(text) != nullptr;
}

std::optional<double> PythonJsonParser::number(dom::element element) const {
  double value = 0.0;
  if (element.get(value) == simdjson::SUCCESS) return value;
  std::string_view text;
  if (!has_tokens_ || element.get(text) != simdjson::SUCCESS) return std::nullopt;
  const PythonToken* token = python_token(text);
  if (token == nullptr) return std::nullopt;
  return token->value;
}

namespace {

// Python's two layouts: ", " between values on one line, or one value per line.
class PythonWriter {
 public:
  PythonWriter(std::string& out, const PythonJsonParser& parser, int indent)
      : out_(out), parser_(parser), indent_(indent) {}

  void value(dom::element element, int depth) {
    switch (element.type()) {
      case dom::element_type::OBJECT:
        return object(element, depth);
      case dom::element_type::ARRAY:
        return array(element, depth);
      case dom::element_type::INT64:
        return append(fmt::format("{}", int64_t{element}));
      case dom::element_type::UINT64:
        return append(fmt::format("{}", uint64_t{element}));
      case dom::element_type::DOUBLE:
        return append_python_float(out_, double{element}, NonFinite::kToken);
      case dom::element_type::BOOL:
        return append(bool{element} ? "true" : "false");
      case dom::element_type::NULL_VALUE:
        return append("null");
      case dom::element_type::STRING:
        break;
    }
    if (parser_.is_token(element)) {
      append_python_float(out_, *parser_.number(element), NonFinite::kToken);
    } else {
      append_python_string(out_, std::string_view(element));
    }
  }

 private:
  void append(std::string_view text) { out_ += text; }

  void line(int depth) {
    if (indent_ == 0) return;
    out_ += '\n';
    out_.append(static_cast<size_t>(indent_) * static_cast<size_t>(depth), ' ');
  }

  void separate(bool is_first, int depth) {
    if (!is_first) append(indent_ == 0 ? ", " : ",");
    line(depth);
  }

  void array(dom::element element, int depth) {
    dom::array values = element;
    if (values.begin() == values.end()) return append("[]");
    out_ += '[';
    bool is_first = true;
    for (dom::element one : values) {
      separate(is_first, depth + 1);
      value(one, depth + 1);
      is_first = false;
    }
    line(depth);
    out_ += ']';
  }

  void object(dom::element element, int depth) {
    dom::object pairs = element;
    std::map<std::string_view, dom::element> last;
    std::vector<std::string_view> order;
    for (dom::key_value_pair pair : pairs) {
      if (last.insert_or_assign(pair.key, pair.value).second) order.push_back(pair.key);
    }
    if (order.empty()) return append("{}");
    out_ += '{';
    for (size_t i = 0; i < order.size(); ++i) {
      separate(i == 0, depth + 1);
      append_python_string(out_, order[i]);
      append(": ");
      value(last.at(order[i]), depth + 1);
    }
    line(depth);
    out_ += '}';
  }

  std::string& out_;
  const PythonJsonParser& parser_;
  int indent_;
};

}  // namespace

void append_python_json(
    std::string& out, const PythonJsonParser& parser, dom::element element, int indent, int depth) {
  PythonWriter(out, parser, indent).value(element, depth);
}

}  // namespace snellen::formats
