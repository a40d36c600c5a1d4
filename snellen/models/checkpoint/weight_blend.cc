// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/weight_blend.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/json_object.h"
#include "snellen/models/checkpoint/checkpoint_draft.h"
#include "snellen/models/checkpoint/float_elements.h"
#include "snellen/models/checkpoint/safetensors_writer.h"

namespace snellen::models {
namespace {

namespace fs = std::filesystem;

// The elements row by row without gaps, whatever the strides.
std::string packed(const StoredTensorView& tensor) {
  if (tensor.is_contiguous()) return std::string(tensor.bytes);
  const size_t size = bytes_per_element(tensor.type);
  const auto count = static_cast<size_t>(tensor.num_elements());
  std::string bytes;
  bytes.reserve(count * size);
  std::vector<int64_t> place(tensor.shape.size(), 0);
  for (size_t i = 0; i < count; ++i) {
    int64_t at = 0;
    for (size_t d = 0; d < place.size(); ++d) at += place[d] * tensor.strides[d];
    bytes.append(tensor.bytes.substr(static_cast<size_t>(at) * size, size));
    for (size_t d = place.size(); d-- > 0;) {
      if (++place[d] < tensor.shape[d]) break;
      place[d] = 0;
    }
  }
  return bytes;
}

// The same for elements of `type`, rounded where it is another.
std::string packed_as(const StoredTensorView& tensor, ElementType type) {
  return tensor.type == type ? packed(tensor) : bytes_of(floats_of(tensor), type);
}

// Numbers of these types are blended in float32, whichever of them each side has.
bool is_float32_or_shorter(ElementType type) {
  return is_floating(type) && type != ElementType::kF64;
}

std::string blended_doubles(const std::string& original, const std::string& tuned, double alpha) {
  std::string bytes(original.size(), '\0');
  for (size_t at = 0; at + sizeof(double) <= bytes.size(); at += sizeof(double)) {
    double a = 0;
    double b = 0;
    std::memcpy(&a, original.data() + at, sizeof a);
    std::memcpy(&b, tuned.data() + at, sizeof b);
    const double value = (1 - alpha) * a + alpha * b;
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
  return bytes;
}

// What keeps a tensor of the two folders apart; empty when nothing does.
std::string difference(const StoredTensorView* original, const StoredTensorView* tuned) {
  if (tuned == nullptr) return "is missing from the fine-tuned weights";
  if (original == nullptr) return "is only in the fine-tuned weights";
  if (original->type != tuned->type &&
      !(is_float32_or_shorter(original->type) && is_float32_or_shorter(tuned->type))) {
    return fmt::format("is {} in the original and {} in the fine-tuned weights",
                       name_of(original->type),
                       name_of(tuned->type));
  }
  if (original->shape != tuned->shape) {
    return fmt::format("is {} in the original and {} in the fine-tuned weights",
                       shape_text(original->shape),
                       shape_text(tuned->shape));
  }
  return {};
}

void require_equal_tensors(const Checkpoint& original, const Checkpoint& tuned) {
  std::vector<std::string> names = original.weights().names();
  const std::vector<std::string> others = tuned.weights().names();
  names.insert(names.end(), others.begin(), others.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string first;
  uint64_t num_different = 0;
  bool is_of_type = false;
  for (const std::string& name : names) {
    const StoredTensorView* one = original.weights().find(name);
    const StoredTensorView* other = tuned.weights().find(name);
    const std::string what = difference(one, other);
    if (what.empty()) continue;
    if (num_different++ > 0) continue;
    first = fmt::format("'{}' {}", name, what);
    is_of_type = one != nullptr && other != nullptr && one->type != other->type;
  }
  if (num_different == 0) return;
  throw Error{ErrorCode::kInvalidInput,
              num_different == 1
                  ? first
                  : fmt::format("{}, and {} more tensors differ", first, num_different - 1),
              tuned.folder().string(),
              fmt::format("give a folder that `snellen finetune --model {}` wrote{}",
                          original.folder().string(),
                          is_of_type ? "; its --save-dtype sets the number type" : "")};
}

JsonObject hashes_json(const std::vector<Checkpoint::FileHash>& hashes) {
  JsonObject json;
  for (const Checkpoint::FileHash& one : hashes) json.add({{one.name, one.sha256}});
  return json;
}

}  // namespace

std::vector<float> blended(std::span<const float> original,
                           std::span<const float> tuned,
                           double alpha) {
  SNELLEN_CHECK(original.size() == tuned.size());
  const auto keeps = static_cast<float>(1 - alpha);
  const auto takes = static_cast<float>(alpha);
  std::vector<float> values(original.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = keeps * original[i] + takes * tuned[i];
  return values;
}

std::string blended_bytes(const StoredTensorView& original,
                          const StoredTensorView& tuned,
                          double alpha,
                          const std::string& name) {
  std::string bytes = packed(original);
  if (alpha == 0) return bytes;
  std::string others = packed_as(tuned, original.type);
  if (alpha == 1) return others;
  if (bytes == others) return bytes;
  if (!is_floating(original.type)) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("'{}' holds whole numbers that differ: there is nothing between them", name),
        {},
        "blend folders of one architecture and configuration"};
  }
  if (original.type == ElementType::kF64) return blended_doubles(bytes, others, alpha);
  return bytes_of(blended(floats_of(original), floats_of(tuned), alpha), original.type);
}

WeightBlend::WeightBlend(const fs::path& original, const fs::path& tuned)
    : original_(original), tuned_(tuned) {
  require_equal_tensors(original_, tuned_);
  original_hashes_ = original_.identity();
  tuned_hashes_ = tuned_.identity();
}

BlendReport WeightBlend::write(
    double alpha,
    const fs::path& output,
    const std::function<void(uint64_t done, uint64_t total)>& observe) const {
  SNELLEN_CHECK(alpha >= 0 && alpha <= 1);
  CheckpointDraft draft(output);
  copy_companions(original_.folder(), draft.folder());
  std::vector<PlannedTensor> plan;
  for (const std::string& name : original_.weights().names()) {
    const StoredTensorView* tensor = original_.weights().find(name);
    plan.push_back({name, tensor->type, tensor->shape});
  }
  SafetensorsWriter writer(
      draft.folder() /
          (original_.is_open_clip() ? "open_clip_model.safetensors" : "model.safetensors"),
      std::move(plan));
  BlendReport report;
  for (const PlannedTensor& planned : writer.tensors()) {
    const StoredTensorView& first = *original_.weights().find(planned.name);
    const StoredTensorView& second = *tuned_.weights().find(planned.name);
    const std::string bytes = blended_bytes(first, second, alpha, planned.name);
    writer.write(bytes);
    report.num_bytes += bytes.size();
    report.num_equal += packed(first) == packed_as(second, first.type) ? 1 : 0;
    original_.weights().release(first);
    tuned_.weights().release(second);
    if (observe) observe(++report.num_tensors, writer.tensors().size());
  }
  writer.commit();
  write_origin(alpha, draft.folder());
  draft.commit();
  return report;
}

void WeightBlend::write_origin(double alpha, const fs::path& folder) const {
  const JsonText json = json_object({{"schema", 1},
                                     {"alpha", alpha},
                                     {"original", hashes_json(original_hashes_)},
                                     {"fine_tuned", hashes_json(tuned_hashes_)}});
  write_text_file(folder / "patch.json", json.text + "\n");
}

}  // namespace snellen::models
