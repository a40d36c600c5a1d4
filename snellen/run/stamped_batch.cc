// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/stamped_batch.h"

#include <string>

#include <nlohmann/json.hpp>

#include "snellen/base/parse_number.h"
#include "snellen/store/run_folder.h"

namespace snellen::run {

uint32_t stamped_batch(const std::filesystem::path& run_folder) {
  const store::RunPaths paths(run_folder);
  if (!std::filesystem::exists(paths.stamp())) return 0;
  const nlohmann::ordered_json stamp = store::read_stamp(paths);
  const nlohmann::ordered_json::json_pointer place("/identity/model/gpu_batch");
  if (!stamp.contains(place) || !stamp[place].is_string()) return 0;
  const auto& text = stamp[place].get_ref<const std::string&>();
  constexpr uint32_t kMost = 1U << 16;
  const uint32_t batch = parse_number<uint32_t>(text).value_or(0);
  return batch <= kMost ? batch : 0;
}

}  // namespace snellen::run
