// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/relcomp/check.h"

#include <map>

#include <fmt/format.h>

#include "snellen/annotations/json_fields.h"
#include "snellen/annotations/record.h"
#include "snellen/annotations/visual_genome/visual_genome.h"
#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/base/parse_number.h"
#include "snellen/builders/probe_c/check.h"
#include "snellen/builders/probe_r/check.h"

namespace snellen::builders::relcomp {
namespace {

namespace fs = std::filesystem;

// Photos that a probe may show, and what shows it: COCO's by their own id, and Visual Genome's.
struct ProbePhotos {
  std::map<int64_t, const char*> coco;
  std::map<int64_t, const char*> genome;

  ProbePhotos(const fs::path& coco_val, const fs::path& image_data) {
    formats::JsonElements images(coco_val, "images");
    for (size_t i = 0; i < images.size(); ++i) {
      auto image = annotations::parse_object(images.element(i), images.where(i));
      if (image) coco.emplace(annotations::integer_in(*image, "id").value_or(-1), "in val2014");
    }
    annotations::VgImageFile file(image_data);
    std::map<int64_t, const char*> probed = coco;
    std::vector<annotations::VgImage> kept;
    for (size_t i = 0; i < file.elements().size(); ++i) {
      Result<annotations::VgImage> image = file.image(i);
      if (!image || !image->coco_id) continue;
      coco.emplace(*image->coco_id, "also in Visual Genome");
      const bool is_reserved = fnv1a64(fmt::format("relcomp|{}", image->image_id)) % 1000 < 75;
      if (is_reserved)
        kept.push_back(*image);
      else
        probed.emplace(*image->coco_id, "shown by Probe-R under another id");
    }
    for (const annotations::VgImage& image : kept) {
      auto found = probed.find(*image.coco_id);
      if (found != probed.end()) genome.emplace(image.image_id, found->second);
    }
  }
};

// Attribute and noun of "A photo of a {attribute} {noun}."; attributes are single words.
struct PairWords {
  std::string attribute;
  std::string noun;
};

PairWords pair_in(const std::string& prompt) {
  constexpr std::string_view kPrefix = "A photo of a ";
  size_t blank = prompt.find(' ', kPrefix.size());
  if (!prompt.starts_with(kPrefix) || !prompt.ends_with('.') || blank == std::string::npos)
    return {};
  return {prompt.substr(kPrefix.size(), blank - kPrefix.size()),
          prompt.substr(blank + 1, prompt.size() - blank - 2)};
}

class SampleCheck {
 public:
  SampleCheck(const builders::BuildRecord& record, const builders::Workers& workers)
      : photos_(record.source("coco-val"), record.source("image-data")),
        captions_(annotations::CocoCaptionsFile(record.source("captions")),
                  words_of(record, workers)),
        facts_(probe_r::genome_of(record), workers) {
    auto read = [&](const char* name, uint64_t& number) {
      number = parse_number<uint64_t>(record.option(name)).value_or(number);
    };
    read("min-object-images", foils_.min_object_images);
    read("min-predicate-count", foils_.min_predicate_count);
  }

  void check_line(std::string_view line,
                  const std::string& where,
                  bool is_training,
                  builders::CheckReport& report) const {
    ++report.num_groups;
    annotations::Record record(line, where);
    std::string task = record.text("task");
    auto add = [&](std::string rule, std::string what) {
      report.add({where, std::move(rule), std::move(what)});
    };
    auto check_split = [&](int64_t image) {
      bool belongs = fnv1a64(fmt::format("relcomp-split|{}", image)) % 10 < 9;
      if (belongs != is_training)
        add("wrong-split", fmt::format("image {} belongs to the other", image));
    };
    auto check_photo = [&](const std::map<int64_t, const char*>& probed, int64_t image) {
      auto found = probed.find(image);
      if (found != probed.end())
        add("probe-photo", fmt::format("image {} is {}", image, found->second));
    };
    if (task == "rel") {
      int64_t image = record.integer("image_id");
      check_split(image);
      if (fnv1a64(fmt::format("relcomp|{}", image)) % 1000 >= 75)
        add("probe-image", fmt::format("image {} is not kept for RelComp", image));
      check_photo(photos_.genome, image);
      for (probe_r::BrokenRule& broken : probe_r::broken_rules(facts_,
                                                               image,
                                                               record.text("prompt_pos"),
                                                               record.text("prompt_neg_subject"),
                                                               record.text("prompt_neg_predicate"),
                                                               foils_))
        add(std::move(broken.rule), std::move(broken.what));
    } else if (task == "comp") {
      PairWords first = pair_in(record.text("prompt1"));
      PairWords second = pair_in(record.text("prompt2"));
      probe_c::SwitchWords words{.image1 = record.integer("img1_id"),
                                 .attribute1 = first.attribute,
                                 .noun1 = first.noun,
                                 .image2 = record.integer("img2_id"),
                                 .attribute2 = second.attribute,
                                 .noun2 = second.noun};
      for (int64_t image : {words.image1, words.image2}) {
        check_split(image);
        check_photo(photos_.coco, image);
      }
      auto split = record.text("source") == "coco-object" ? probe_c::SwitchSplit::kObject
                                                          : probe_c::SwitchSplit::kComposition;
      for (probe_c::BrokenRule& broken : probe_c::broken_rules(captions_, words, split))
        add(std::move(broken.rule), std::move(broken.what));
    } else {
      add("task-unknown", fmt::format("'{}'", task));
    }
    if (record.failed()) add("unreadable", record.error().message());
  }

 private:
  static probe_c::WordLists words_of(const builders::BuildRecord& record,
                                     const builders::Workers& workers) {
    builders::BadRecords ignored;  // the builder told of them
    return probe_c::read_word_lists(probe_c::nouns_of(record), workers, ignored);
  }

  ProbePhotos photos_;
  probe_c::CaptionFacts captions_;
  probe_r::Facts facts_;
  probe_r::FoilRules foils_;
};

}  // namespace

builders::CheckReport check(const fs::path& folder,
                            const builders::BuildRecord& record,
                            const builders::Workers& workers) {
  SampleCheck samples(record, workers);
  builders::CheckReport report;
  for (bool is_training : {true, false}) {
    fs::path path = folder / (is_training ? "relcomp_train.jsonl" : "relcomp_val.jsonl");
    MappedFile file(path);
    std::string_view text = file.bytes();
    uint64_t number = 0;
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(text.find('\n', at), text.size());
      samples.check_line(text.substr(at, end - at),
                         fmt::format("{}: line {}", path.filename().string(), ++number),
                         is_training,
                         report);
      at = end + 1;
      if (number % 4096 == 0) workers.tell("checking samples", at, text.size());
    }
  }
  return report;
}

}  // namespace snellen::builders::relcomp
