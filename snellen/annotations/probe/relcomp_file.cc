// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/probe/relcomp_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/annotations/record.h"

namespace snellen::annotations {

RelCompFile::RelCompFile(const std::filesystem::path& path) : file_(path) {
  std::string_view bytes = file_.bytes();
  for (size_t begin = 0, number = 1; begin < bytes.size(); ++number) {
    size_t end = std::min(bytes.find('\n', begin), bytes.size());
    std::string_view line = bytes.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty()) continue;
    Record record(line, where(number));
    std::string task = record.text("task");
    if (record.failed()) throw record.error();
    if (task != "comp" && task != "rel") {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("task is '{}', expected comp or rel", task.substr(0, 80)),
                  where(number),
                  "name a file that `snellen build relcomp` wrote"};
    }
    (task == "comp" ? compositions_ : relations_).push_back({line, number});
  }
  if (compositions_.empty() && relations_.empty())
    throw Error{ErrorCode::kInvalidInput,
                "holds no samples",
                path.string(),
                "name a file that `snellen build relcomp` wrote"};
}

std::string RelCompFile::where(size_t number) const {
  return fmt::format("{}: line {}", file_.path().string(), number);
}

Result<RelCompComposition> RelCompFile::composition(size_t index) const {
  const Line& line = compositions_[index];
  Record record(line.text, where(line.number));
  RelCompComposition sample;
  sample.images[0] = record.integer("img1_id");
  sample.images[1] = record.integer("img2_id");
  sample.prompts[0] = record.text("prompt1");
  sample.prompts[1] = record.text("prompt2");
  if (record.has("source")) sample.source = record.text("source");
  if (std::min(sample.images[0], sample.images[1]) < 0) record.fail("an image id is negative");
  if (record.failed()) return record.error();
  return sample;
}

Result<RelCompRelation> RelCompFile::relation(size_t index) const {
  const Line& line = relations_[index];
  Record record(line.text, where(line.number));
  RelCompRelation sample;
  sample.image = record.integer("image_id");
  sample.prompt = record.text("prompt_pos");
  sample.foil_predicate_prompt = record.text("prompt_neg_predicate");
  sample.foil_subject_prompt = record.text("prompt_neg_subject");
  if (sample.image < 0) record.fail("'image_id' is negative");
  if (record.failed()) return record.error();
  return sample;
}

}  // namespace snellen::annotations
