// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/probe_b/probe_b.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "snellen/base/parse_number.h"
#include "snellen/metrics/vilma/four_decimals.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::tasks::probe_b {

namespace fs = std::filesystem;

std::vector<std::string> fills_of(const config::Options& options) {
  std::vector<std::string> asked = options.get<Settings>().fills;
  if (std::find(asked.begin(), asked.end(), "all") != asked.end())
    return {"black", "gray", "noise", "scene"};
  if (asked.empty())
    throw Error{
        ErrorCode::kUsage, "no filler named", "--fill-type", "for example --fill-type noise"};
  return asked;
}

annotations::ClassTable class_table_of(const config::Options& options, bool is_compat) {
  fs::path path = options.get<Settings>().classes;
  if (path.empty()) {
    path = options.get<SharedSettings>().data / "prompt_classes.csv";
    if (!fs::exists(path)) return annotations::ClassTable::coco();
  }
  return annotations::ClassTable::from_csv(path, /*from_prompt=*/is_compat);
}

config::Block settings_block() {
  using config::option;
  using S = Settings;
  return {
      S{},
      {option(&S::fills, "fill-type", "what fills the removed pixels")
           .choices({"black", "gray", "noise", "scene", "all"}),
       option(&S::classes,
              "classes",
              "CSV of classes and prompts (default: prompt_classes.csv beside the annotations)")
           .value("FILE"),
       option(&S::original, "root-image-orig-dir", "folder of the original images").value("DIR"),
       option(&S::patched,
              "root-image-patch-dir",
              "folder of the patched images; groups without one are left out")
           .value("DIR"),
       option(&S::modified, "root-image-mod-dir", "folder of the modified images").value("DIR"),
       option(&S::robustness,
              "robustness",
              "what is compared between images: softmax shares as the released scripts do, or "
              "similarities as Equation 8 of the paper says",
              {{"softmax", Robustness::kSoftmax}, {"similarity", Robustness::kSimilarity}})
           .omit_default()}};
}

Robustness robustness_of(const config::Options& options, bool is_compat) {
  const Robustness robustness = options.get<Settings>().robustness;
  if (is_compat && robustness != Robustness::kSoftmax)
    throw Error{ErrorCode::kUsage,
                "the reference scripts compare softmax shares",
                "--robustness",
                "leave out --robustness or --compat"};
  return robustness;
}

std::string change_column(Robustness robustness) {
  return robustness == Robustness::kSimilarity ? "change_similarity" : "change_conf";
}

std::string robustness_note(Robustness robustness) {
  if (robustness == Robustness::kSimilarity)
    return "changes between images are of the model's scores, as Equation 8 says "
           "(--robustness similarity)";
  return "changes between images are of softmax shares, as in the released scripts "
         "(--robustness softmax)";
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code))
    names.insert(entry.path().filename().string());
  if (code)
    throw Error{ErrorCode::kNotFound,
                fmt::format("cannot be listed: {}", code.message()),
                folder.string(),
                "check the image folders"};
  return names;
}

std::optional<int64_t> image_id_in(std::string_view name) {
  std::string_view stem = name.substr(0, name.find('.'));
  stem.remove_prefix(stem.rfind('_') == std::string_view::npos ? 0 : stem.rfind('_') + 1);
  return parse_number<int64_t>(stem);
}

std::set<int64_t> image_ids_in(const fs::path& folder) {
  std::set<int64_t> ids;
  for (const std::string& name : names_in(folder)) {
    if (std::optional<int64_t> id = image_id_in(name)) ids.insert(*id);
  }
  return ids;
}

void KeptGroups::filter(const std::function<bool(uint64_t)>& passes) {
  std::vector<uint32_t> kept;
  for (uint64_t position = 0; position < size(); ++position) {
    if (passes(index(position))) kept.push_back(static_cast<uint32_t>(index(position)));
  }
  kept_ = std::move(kept);
}

std::vector<Part> parts_of(const std::vector<Filler>& fillers) {
  std::vector<Part> parts;
  parts.reserve(fillers.size());
  for (const Filler& filler : fillers) parts.push_back({filler.name, filler.kept.size()});
  return parts;
}

FillerGroup group_at(const std::vector<Filler>& fillers, uint64_t position) {
  for (const Filler& filler : fillers) {
    if (position < filler.kept.size()) return {filler, filler.kept.index(position)};
    position -= filler.kept.size();
  }
  throw Error{ErrorCode::kInternal, "a group beyond the last filler was asked for"};
}

const Filler& only_filler(const std::vector<Filler>& fillers) {
  if (fillers.size() == 1) return fillers.front();
  throw Error{ErrorCode::kUsage,
              "a score file holds the scores of one filler",
              "--fill-type",
              "name one, for example --fill-type noise"};
}

fs::path built_folder(const config::Options& options, const char* name) {
  const auto& shared = options.get<SharedSettings>();
  std::error_code ignored;
  const bool is_there = fs::is_directory(shared.data / name, ignored);
  return is_there && shared.adapter.empty() ? shared.data / name : fs::path();
}

Folders folders_of(const config::Options& options, const fs::path& original, const char* modified) {
  const auto& given = options.get<Settings>();
  auto first = [](const fs::path& flag, const fs::path& other) {
    return flag.empty() ? other : flag;
  };
  return {.original = first(given.original, original),
          .patched = first(given.patched, built_folder(options, "val2014_random_patch_dataset")),
          .modified = first(given.modified, built_folder(options, modified))};
}

void ask_all(Item& item,
             const Folders& folders,
             const std::array<fs::path, 3>& pictures,
             const annotations::ClassTable& classes) {
  std::vector<uint32_t> all(classes.size());
  std::iota(all.begin(), all.end(), 0U);
  for (uint32_t text : all) item.texts.push_back({classes[text].prompt});
  struct Named {
    const fs::path& folder;
    const char* flag;
  };
  const std::array<Named, 3> named = {Named{folders.original, "--root-image-orig-dir"},
                                      Named{folders.patched, "--root-image-patch-dir"},
                                      Named{folders.modified, "--root-image-mod-dir"}};
  for (uint32_t visual = 0; visual < pictures.size(); ++visual) {
    const auto& [folder, flag] = named[visual];
    const fs::path path = folder / pictures[visual];
    if (folder.empty()) {
      item.visuals.push_back(questions::unplaced(
          path.string(),
          {ErrorCode::kUsage,
           "no folder of these images named",
           flag,
           "name it, or give --images coco=DIR and as --data the folder that `snellen build "
           "probe-b` wrote"}));
    } else {
      item.visuals.push_back({.name = path.string(), .source = media::VisualPlace{.path = path}});
    }
    item.questions.push_back({.visual = visual, .texts = all});
  }
}

Result<Logits> logits_of(const std::vector<double>& scores, size_t num_classes) {
  if (scores.size() != kImages.size() * num_classes) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("has {} scores, expected {} images x {} classes",
                             scores.size(),
                             kImages.size(),
                             num_classes),
                 "",
                 "give one score per row of the class table, in its order"};
  }
  Logits logits;
  for (size_t image = 0; image < kImages.size(); ++image) {
    auto begin = scores.begin() + static_cast<std::ptrdiff_t>(image * num_classes);
    logits[image].assign(begin, begin + static_cast<std::ptrdiff_t>(num_classes));
  }
  return logits;
}

std::vector<double> read_logits(annotations::Record& record) {
  std::vector<double> all;
  for (const char* image : {"gt", "patch", "mod"}) {
    std::vector<double> row = record.numbers_within("logits", image);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

JsonObject logits_json(std::span<const double> scores) {
  const size_t width = scores.size() / kImages.size();
  JsonObject json;
  for (size_t image = 0; image < kImages.size(); ++image)
    json.add({{kImages[image], scores.subspan(image * width, width)}});
  return json;
}

void put_mean(SeedJson& aggregated,
              const std::string& fill,
              const std::string& key,
              const Mean& mean,
              SeedReport& report) {
  if (mean.count == 0) return aggregated.put({key}, "[]");
  const double rounded = metrics::round_mean(mean.value());
  aggregated.put_float({key}, rounded);
  report.log_lines.push_back(
      fmt::format("{} {}: {} over {} groups", fill, key, rounded, mean.count));
}

double relative_robustness(double from, double to, bool is_compat) {
  if (from == 0 && !is_compat) return std::nan("");
  return 1 - (from - to) / from;
}

}  // namespace snellen::tasks::probe_b
