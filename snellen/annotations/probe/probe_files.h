// SPDX-License-Identifier: Apache-2.0
// Readers of the released probe annotation files (docs/spec/probe.md 2.2-2.5), one record at a
// time. A bad record is an Error that names file and record. Const methods are safe from many
// threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/formats/json_elements.h"

namespace snellen::annotations {

// Probe-R: one object, key = anchor image id.
struct ProbeRGroup {
  std::string image_id;
  std::vector<int64_t> positive_image_ids;
  std::vector<int64_t> negative_image_ids;
  std::string positive_prompt;            // R1
  std::string negative_prompt;            // R3, the subject swapped
  std::string negative_predicate_prompt;  // R2, the predicate swapped
  std::string positive_object;            // s
  std::string negative_object;            // s'
};

class ProbeRFile {
 public:
  explicit ProbeRFile(std::filesystem::path path);
  const formats::JsonElements& elements() const { return elements_; }
  Result<ProbeRGroup> group(size_t index) const;

 private:
  formats::JsonElements elements_;
};

// Probe-C: an array; ids are texts or numbers.
struct ProbeCGroup {
  std::string img1_id;
  std::string img2_id;
  std::string img1_prompt;
  std::string img2_prompt;
  std::string img1_composition;  // empty when absent; used for the breakdown only
  std::string img1_file;         // of pictures of one's own; empty: as COCO's val2014 calls it
  std::string img2_file;
};

class ProbeCFile {
 public:
  explicit ProbeCFile(std::filesystem::path path);
  const formats::JsonElements& elements() const { return elements_; }
  Result<ProbeCGroup> group(size_t index) const;

 private:
  formats::JsonElements elements_;
};

// Probe-B_MR: an array; the keys of `annotations` are the classes present.
struct BackgroundGroup {
  int64_t image_id = 0;
  std::string image;
  std::vector<std::string> classes;
};

class BackgroundFile {
 public:
  explicit BackgroundFile(std::filesystem::path path);
  const formats::JsonElements& elements() const { return elements_; }
  Result<BackgroundGroup> group(size_t index) const;

 private:
  formats::JsonElements elements_;
};

// Probe-B_R: an array.
struct CooccurrenceGroup {
  int64_t image_id = 0;
  std::string object;
  std::vector<std::string> other_objects;
  std::string path;
};

class CooccurrenceFile {
 public:
  explicit CooccurrenceFile(std::filesystem::path path);
  const formats::JsonElements& elements() const { return elements_; }
  Result<CooccurrenceGroup> group(size_t index) const;

 private:
  formats::JsonElements elements_;
};

// "COCO_val2014_000000000042.jpg"
std::string coco_val2014_name(std::string_view image_id);

}  // namespace snellen::annotations
