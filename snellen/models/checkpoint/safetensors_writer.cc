// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/safetensors_writer.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/json_object.h"

namespace snellen::models {
namespace {

constexpr size_t kAlignment = 8;

size_t num_bytes_of(const PlannedTensor& tensor) {
  std::optional<int64_t> count = checked_num_elements(tensor.shape);
  SNELLEN_CHECK(count.has_value());
  return static_cast<size_t>(*count) * bytes_per_element(tensor.type);
}

std::vector<PlannedTensor> in_file_order(std::vector<PlannedTensor> tensors,
                                         const std::string& where) {
  std::sort(
      tensors.begin(), tensors.end(), [](const PlannedTensor& left, const PlannedTensor& right) {
        size_t wide = bytes_per_element(left.type), other = bytes_per_element(right.type);
        return wide != other ? wide > other : left.name < right.name;
      });
  std::vector<std::string_view> names;
  for (const PlannedTensor& tensor : tensors) {
    names.push_back(tensor.name);
    std::optional<int64_t> count = checked_num_elements(tensor.shape);
    int64_t ignored = 0;
    bool fits =
        count && !__builtin_mul_overflow(
                     *count, static_cast<int64_t>(bytes_per_element(tensor.type)), &ignored);
    if (tensor.name.empty() || tensor.name == "__metadata__" || !fits) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("a tensor {} of shape {} cannot be written",
                              python_string(tensor.name),
                              shape_text(tensor.shape)),
                  where};
    }
  }
  std::sort(names.begin(), names.end());
  auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw Error{ErrorCode::kInvalidInput, fmt::format("tensor {} is there twice", *twice), where};
  return tensors;
}

std::string header_of(const std::vector<PlannedTensor>& tensors,
                      const std::map<std::string, std::string>& metadata) {
  JsonObject json;
  JsonObject texts;
  for (const auto& [key, value] : metadata) texts.add({{key, value}});
  if (!texts.empty()) json.add({{"__metadata__", std::move(texts)}});
  size_t begin = 0;
  for (const PlannedTensor& tensor : tensors) {
    size_t end = begin + num_bytes_of(tensor);
    json.add({{tensor.name,
               JsonObject{{"dtype", name_of(tensor.type)},
                          {"shape", tensor.shape},
                          {"data_offsets", std::vector<size_t>{begin, end}}}}});
    begin = end;
  }
  std::string header = JsonValue(std::move(json)).written({.is_compact = true});
  // Spaces, so that the numbers after it are aligned.
  header.resize((header.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  return header;
}

}  // namespace

SafetensorsWriter::SafetensorsWriter(const std::filesystem::path& path,
                                     std::vector<PlannedTensor> tensors,
                                     const std::map<std::string, std::string>& metadata)
    : path_(path), tensors_(in_file_order(std::move(tensors), path.string())), file_(path) {
  std::string header = header_of(tensors_, metadata);
  std::string length;
  for (size_t i = 0; i < 8; ++i) length += static_cast<char>(header.size() >> (8 * i) & 0xff);
  file_.write(length);
  file_.write(header);
}

void SafetensorsWriter::write(std::string_view bytes) {
  SNELLEN_CHECK(next_ < tensors_.size());
  SNELLEN_CHECK(bytes.size() == num_bytes_of(tensors_[next_]));
  file_.write(bytes);
  ++next_;
}

void SafetensorsWriter::commit() {
  SNELLEN_CHECK(next_ == tensors_.size());
  file_.commit();
}

}  // namespace snellen::models
