// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/label_lists.h"

#include "snellen/annotations/json_fields.h"
#include "snellen/formats/json_elements.h"
#include "snellen/formats/python_json_parser.h"

namespace snellen::annotations {
namespace {

Result<std::set<std::string>> read_labels(formats::PythonJsonParser& parser,
                                          std::string_view json,
                                          std::string_view where) {
  const auto value = parser.parse(json, where);
  if (!value) return value.error();
  simdjson::dom::array list;
  if (value->get(list) != simdjson::SUCCESS) return bad_record("is not a list of labels", where);
  std::set<std::string> labels;
  for (simdjson::dom::element element : list) {
    std::string_view text;
    if (element.get(text) != simdjson::SUCCESS)
      return bad_record("has a label that is not text", where);
    labels.emplace(text);
  }
  return labels;
}

}  // namespace

LabelLists read_label_lists(const std::filesystem::path& path) {
  const formats::JsonElements elements(path);
  if (!elements.is_object()) {
    throw Error{ErrorCode::kInvalidInput,
                "is a list, expected lists of labels by id",
                path.string(),
                "write {\"6\": [\"person\", \"chair\"]}"};
  }
  LabelLists file;
  formats::PythonJsonParser parser;
  for (size_t i = 0; i < elements.size(); ++i) {
    Result<std::set<std::string>> labels =
        read_labels(parser, elements.element(i), elements.where(i));
    if (!labels) {
      file.bad_records.push_back(labels.error());
    } else if (!file.labels.emplace(elements.key(i), std::move(labels).value()).second) {
      file.bad_records.push_back(bad_record("is there already", elements.where(i)));
    }
  }
  return file;
}

}  // namespace snellen::annotations
