// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/data/file_sources.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "snellen/annotations/coco/coco_captions.h"
#include "snellen/annotations/probe/relcomp_file.h"
#include "snellen/base/hash.h"
#include "snellen/base/rng.h"
#include "snellen/media/codecs/decode.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;

class PictureFinder {
 public:
  PictureFinder(Folders folders, const media::ImageProcessor& processor)
      : folders_(std::move(folders)), processor_(processor) {}

  Result<media::Image> coco(int64_t id) const {
    return read(id,
                {fmt::format("COCO_train2014_{:012d}.jpg", id),
                 fmt::format("COCO_val2014_{:012d}.jpg", id),
                 fmt::format("{:012d}.jpg", id),
                 fmt::format("{}.jpg", id)});
  }
  Result<media::Image> genome(int64_t id) const {
    return read(id,
                {fmt::format("{}.jpg", id),
                 fmt::format("VG_100K/{}.jpg", id),
                 fmt::format("VG_100K_2/{}.jpg", id)});
  }

 private:
  Result<media::Image> read(int64_t id, const std::vector<std::string>& names) const {
    std::error_code ignored;
    for (const fs::path& folder : folders_) {
      for (const std::string& name : names) {
        if (!fs::exists(folder / name, ignored)) continue;
        Result<media::Image> picture = media::read_image(folder / name);
        return picture ? processor_.to_bytes(*picture) : picture;
      }
    }
    return Error{ErrorCode::kNotFound,
                 fmt::format("image {} is in none of the folders", id),
                 folders_.empty() ? std::string("--images") : folders_.front().string(),
                 "name the folders of the images with --images"};
  }

  Folders folders_;
  const media::ImageProcessor& processor_;
};

class CocoCaptions final : public SampleSource {
 public:
  CocoCaptions(const fs::path& file, Folders folders, const media::ImageProcessor& processor)
      : captions_(file), pictures_(std::move(folders), processor) {
    std::map<int64_t, std::vector<uint32_t>> by_image;
    for (size_t i = 0; i < captions_.elements().size(); ++i) {
      Result<annotations::CocoCaption> caption = captions_.caption(i);
      // A bad record is found again when its sample is asked for.
      by_image[caption ? caption->image_id : -1].push_back(static_cast<uint32_t>(i));
    }
    for (auto& [id, records] : by_image) records_.push_back(std::move(records));
  }

  uint64_t size() const override { return records_.size(); }

  Result<Sample> sample(uint64_t epoch, uint64_t index) const override {
    const std::vector<uint32_t>& records = records_[index];
    Rng rng = Rng(0).fork("train-coco-caption").fork(epoch).fork(index);
    Result<annotations::CocoCaption> caption =
        captions_.caption(records[rng.below(records.size())]);
    if (!caption) return caption.error();
    Result<media::Image> picture = pictures_.coco(caption->image_id);
    if (!picture) return picture.error();
    return Sample{.pictures = {std::move(picture).value()},
                  .texts = {caption->caption},
                  .matches = {{0, 0}},
                  .contrasts = {}};
  }

  std::string identity() const override {
    return "captions " + sha256_of_file(captions_.elements().path());
  }

 private:
  annotations::CocoCaptionsFile captions_;
  PictureFinder pictures_;
  std::vector<std::vector<uint32_t>> records_;  // of each image
};

class RelComp final : public SampleSource {
 public:
  RelComp(const fs::path& file, Folders folders, const media::ImageProcessor& processor)
      : file_(file), pictures_(std::move(folders), processor) {}

  uint64_t size() const override {
    return std::max(file_.num_compositions(), file_.num_relations());
  }

  Result<Sample> sample(uint64_t /*epoch*/, uint64_t index) const override {
    if (file_.num_relations() == 0) return composition(index);
    Result<Sample> second = relation(index % file_.num_relations());
    if (file_.num_compositions() == 0 || !second) return second;
    Result<Sample> first = composition(index % file_.num_compositions());
    if (!first) return first;
    return joined(std::move(first).value(), std::move(second).value());
  }

  std::string identity() const override { return "relcomp " + sha256_hex(file_.file().bytes()); }

 private:
  Result<Sample> composition(size_t index) const {
    Result<annotations::RelCompComposition> record = file_.composition(index);
    if (!record) return record.error();
    Sample sample = {.pictures = {},
                     .texts = {record->prompts[0], record->prompts[1]},
                     .matches = {{0, 0}, {1, 1}},
                     .contrasts = composition_contrasts()};
    for (int64_t id : record->images) {
      Result<media::Image> picture = pictures_.coco(id);
      if (!picture) return picture.error();
      sample.pictures.push_back(std::move(picture).value());
    }
    return sample;
  }

  Result<Sample> relation(size_t index) const {
    Result<annotations::RelCompRelation> record = file_.relation(index);
    if (!record) return record.error();
    Result<media::Image> picture = pictures_.genome(record->image);
    if (!picture) return picture.error();
    Sample sample = {
        .pictures = {},
        .texts = {record->prompt, record->foil_predicate_prompt, record->foil_subject_prompt},
        .matches = {{0, 0}},
        .contrasts = relation_contrasts()};
    sample.pictures.push_back(std::move(picture).value());
    return sample;
  }

  annotations::RelCompFile file_;
  PictureFinder pictures_;
};

}  // namespace

std::unique_ptr<SampleSource> coco_captions(const fs::path& file,
                                            Folders folders,
                                            const media::ImageProcessor& processor) {
  return std::make_unique<CocoCaptions>(file, std::move(folders), processor);
}

std::unique_ptr<SampleSource> relcomp_samples(const fs::path& file,
                                              Folders folders,
                                              const media::ImageProcessor& processor) {
  return std::make_unique<RelComp>(file, std::move(folders), processor);
}

}  // namespace snellen::training
