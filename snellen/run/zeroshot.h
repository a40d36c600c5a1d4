// SPDX-License-Identifier: Apache-2.0
// Naming what a picture shows without having been trained on its classes (spec/probe.md 7.5): how a
// dual encoder is watched for drift.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/media/processor/image_processor.h"
#include "snellen/models/network.h"
#include "snellen/stats/interval.h"
#include "snellen/text/tokenizers/tokenizer.h"

namespace snellen::run {

struct ZeroshotPicture {
  std::filesystem::path file;
  std::vector<uint32_t> right;  // classes, any of which is right; ascending, at least one
};

struct ZeroshotSet {
  std::vector<std::string> classes;  // as they are said: "traffic light"
  std::vector<ZeroshotPicture> pictures;
  std::vector<Error> bad_records = {};  // of the source, left out
};

// What of a checkpoint folder is needed.
struct ZeroshotModel {
  const models::Network& network;  // with a dual encoder
  const text::Tokenizer& tokenizer;
  const media::ImageProcessor& processor;
};

struct ZeroshotOptions {
  std::vector<std::string> templates = {"a photo of a {}."};  // {} stands for the class
  unsigned num_threads = 1;
  double confidence = 0.95;
  std::function<void(uint64_t done, uint64_t total)> observe = {};
};

struct NamedPicture {
  std::vector<uint32_t> best;  // up to five classes, highest cosine first, equal ones by number
  std::vector<double> cosines;
  uint64_t rank = 0;  // classes that are wrong and score no less than the best right one
  bool is_tied = false;
  std::optional<Error> error = {};  // unreadable, or a result that is not finite
};

struct ZeroshotShare {
  uint64_t num_right = 0;
  std::optional<double> value = {};  // nothing when no picture could be named
  std::optional<stats::Interval> interval = {};
};

struct ZeroshotResult {
  uint64_t num_named = 0;
  uint64_t num_failed = 0;
  uint64_t num_ties = 0;  // the best right class shares its score with a wrong one: counts as wrong
  uint64_t num_truncated = 0;  // prompts that are too long for the model
  ZeroshotShare top1;
  ZeroshotShare top5;
};

// The prompts of a class: its name in every template.
std::vector<std::string> zeroshot_prompts(const std::string& name,
                                          const std::vector<std::string>& templates);

// The normalised mean of the normalised rows. Throws kInvalidInput when there is none: a row of
// zeros, or rows that cancel out.
std::vector<double> mean_direction(const models::Matrix& rows);

// Names every picture; `take` gets them in order. Nothing depends on the number of threads. Throws
// kUsage when the model has no dual encoder with one vector a picture.
ZeroshotResult name_pictures(const ZeroshotModel& model,
                             const ZeroshotSet& set,
                             const ZeroshotOptions& options,
                             const std::function<void(size_t picture, const NamedPicture&)>& take);

}  // namespace snellen::run
