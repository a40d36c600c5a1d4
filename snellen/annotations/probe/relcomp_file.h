// SPDX-License-Identifier: Apache-2.0
// relcomp_train.jsonl and relcomp_val.jsonl (docs/spec/probe.md 7.1), one sample at a time. Const
// methods are safe from many threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::annotations {

// Two COCO photos, each with its prompt.
struct RelCompComposition {
  int64_t images[2] = {0, 0};
  std::string prompts[2];
  std::string source;  // "coco-composition", "coco-object"
};

// One Visual Genome image with its prompt and two foils.
struct RelCompRelation {
  int64_t image = 0;
  std::string prompt;
  std::string foil_predicate_prompt;
  std::string foil_subject_prompt;
};

class RelCompFile {
 public:
  // Throws kNotFound, and kInvalidInput for a line that is no sample or a file without any.
  explicit RelCompFile(const std::filesystem::path& path);

  const MappedFile& file() const { return file_; }
  size_t num_compositions() const { return compositions_.size(); }
  size_t num_relations() const { return relations_.size(); }
  // By place among the samples of its kind. A bad record is an Error that names its line.
  Result<RelCompComposition> composition(size_t index) const;
  Result<RelCompRelation> relation(size_t index) const;

 private:
  struct Line {
    std::string_view text;
    size_t number = 0;
  };
  std::string where(size_t number) const;

  MappedFile file_;
  std::vector<Line> compositions_;
  std::vector<Line> relations_;
};

}  // namespace snellen::annotations
