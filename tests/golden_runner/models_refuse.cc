// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/models_refuse.h"

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/models/checkpoint/safetensors.h"
#include "snellen/models/checkpoint/torch_archive.h"

namespace snellen::golden {

void check_refused_weights(const Context& context, Tally& tally) {
  const Json vector = context.json();
  for (const Json& item : vector.at("cases")) {
    std::filesystem::path path = context.file.parent_path() / item.at("file").get<std::string>();
    tally.start(item.at("file").get<std::string>());
    MappedFile file(path);
    try {
      auto tensors = path.extension() == ".safetensors"
                         ? models::read_safetensors(file.bytes(), path.string())
                         : models::read_torch_archive(file.bytes(), path.string());
      tally.expect(false,
                   fmt::format("gave {} tensors, expected a refusal: {}",
                               tensors.size(),
                               item.at("why").get<std::string>()));
    } catch (const Error& error) {
      tally.expect(error.code() == ErrorCode::kInvalidInput, "is no input error");
      tally.expect(error.where() == path.string(), "does not name the file");
      tally.expect(!error.message().empty(), "gives no reason");
    }
  }
}

}  // namespace snellen::golden
