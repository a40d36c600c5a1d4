// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/safetensors.h"

#include <algorithm>

#include <fmt/format.h>
#include <simdjson.h>

#include "snellen/base/error.h"
#include "snellen/base/python_json.h"
#include "snellen/formats/json_memory.h"

namespace snellen::models {
namespace {

constexpr size_t kLengthBytes = 8;
constexpr size_t kMaxHeaderBytes = 100'000'000;

class Reader {
 public:
  Reader(std::string_view file, const std::string& where) : file_(file), where_(where) {}

  std::vector<NamedTensor> read() {
    std::string_view header = find_header();
    data_ = file_.substr(kLengthBytes + header.size());
    simdjson::dom::parser parser;
    simdjson::dom::object object;
    // A copy with the padding that simdjson reads beyond its input.
    simdjson::padded_string text(header);
    if (auto failed = parser.parse(text).get_object().get(object)) {
      formats::expect_memory(failed);
      fail(fmt::format("the header is not a JSON object: {}", simdjson::error_message(failed)));
    }
    std::vector<NamedTensor> tensors;
    for (simdjson::dom::key_value_pair field : object) {
      if (field.key != "__metadata__")
        tensors.push_back({std::string(field.key), tensor_of(field.key, field.value)});
    }
    check_names(tensors);
    check_overlap(tensors);
    return tensors;
  }

 private:
  [[noreturn]] void fail(std::string what) const {
    throw Error{ErrorCode::kInvalidInput,
                std::move(what),
                where_,
                "download the file again; it is damaged or no safetensors file"};
  }
  [[noreturn]] void fail(std::string_view name, const std::string& what) const {
    fail(fmt::format("tensor {}: {}", python_string(name), what));
  }

  std::string_view find_header() const {
    if (file_.size() < kLengthBytes)
      fail(fmt::format("holds {} bytes, too few for a safetensors header", file_.size()));
    uint64_t length = 0;
    for (size_t i = kLengthBytes; i-- > 0;) length = length << 8 | static_cast<uint8_t>(file_[i]);
    if (length > file_.size() - kLengthBytes) {
      fail(fmt::format("the header claims {} bytes, the file holds {} after its length",
                       length,
                       file_.size() - kLengthBytes));
    }
    if (length > kMaxHeaderBytes)
      fail(fmt::format("the header claims {} bytes, at most {} are read", length, kMaxHeaderBytes));
    return file_.substr(kLengthBytes, static_cast<size_t>(length));
  }

  ElementType type_of(std::string_view name, std::string_view word) const {
    if (std::optional<ElementType> type = element_type_of(word)) return *type;
    if (word.starts_with("F8"))
      fail(name, fmt::format("8-bit floats ({}) are not read; convert it to F16 or F32", word));
    fail(name, fmt::format("element type {} is not known", python_string(word)));
  }

  StoredTensorView tensor_of(std::string_view name, simdjson::dom::element value) const {
    std::string_view dtype;
    simdjson::dom::array shape, offsets;
    if (value["dtype"].get(dtype) || value["shape"].get(shape) ||
        value["data_offsets"].get(offsets)) {
      fail(name, "needs 'dtype', 'shape' and 'data_offsets'");
    }
    StoredTensorView tensor;
    tensor.type = type_of(name, dtype);
    for (simdjson::dom::element size : shape) {
      int64_t number = 0;
      if (size.get(number)) fail(name, "a size of its shape is not a whole number");
      tensor.shape.push_back(number);
    }
    std::vector<uint64_t> range;
    for (simdjson::dom::element offset : offsets) {
      uint64_t number = 0;
      if (offset.get(number)) fail(name, "an offset is not a whole number of 0 or more");
      range.push_back(number);
    }
    if (range.size() != 2) fail(name, fmt::format("has {} offsets, expected 2", range.size()));
    tensor.bytes = slice(name, range[0], range[1]);
    check_size(name, tensor);
    tensor.strides = row_major_strides(tensor.shape);
    return tensor;
  }

  std::string_view slice(std::string_view name, uint64_t begin, uint64_t end) const {
    if (begin > end || end > data_.size()) {
      fail(
          name,
          fmt::format(
              "lies at bytes {} to {}, the file holds {} bytes of data", begin, end, data_.size()));
    }
    return data_.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  }

  void check_size(std::string_view name, const StoredTensorView& tensor) const {
    std::optional<int64_t> count = checked_num_elements(tensor.shape);
    size_t num_bytes = 0;
    if (!count || __builtin_mul_overflow(
                      static_cast<size_t>(*count), bytes_per_element(tensor.type), &num_bytes)) {
      fail(name, fmt::format("shape {} does not fit a tensor", shape_text(tensor.shape)));
    }
    if (num_bytes != tensor.bytes.size()) {
      fail(name,
           fmt::format("shape {} of {} takes {} bytes, its range holds {}",
                       shape_text(tensor.shape),
                       name_of(tensor.type),
                       num_bytes,
                       tensor.bytes.size()));
    }
  }

  void check_names(const std::vector<NamedTensor>& tensors) const {
    std::vector<std::string_view> names;
    names.reserve(tensors.size());
    for (const NamedTensor& named : tensors) names.push_back(named.name);
    std::sort(names.begin(), names.end());
    auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) fail(*twice, "is in the header twice");
  }

  void check_overlap(const std::vector<NamedTensor>& tensors) const {
    std::vector<const NamedTensor*> order;
    for (const NamedTensor& named : tensors) {
      if (!named.tensor.bytes.empty()) order.push_back(&named);
    }
    std::sort(order.begin(), order.end(), [](const NamedTensor* a, const NamedTensor* b) {
      return a->tensor.bytes.data() < b->tensor.bytes.data();
    });
    for (size_t i = 1; i < order.size(); ++i) {
      std::string_view before = order[i - 1]->tensor.bytes;
      if (before.data() + before.size() > order[i]->tensor.bytes.data())
        fail(order[i]->name, fmt::format("overlaps the bytes of '{}'", order[i - 1]->name));
    }
  }

  std::string_view file_;
  const std::string& where_;
  std::string_view data_;
};

}  // namespace

std::vector<NamedTensor> read_safetensors(std::string_view file, const std::string& where) {
  return Reader(file, where).read();
}

}  // namespace snellen::models
