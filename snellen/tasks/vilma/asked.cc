// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/asked.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/annotations/vilma/vilma_results_writer.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/typed_task.h"
#include "snellen/tasks/vilma/asked_items.h"
#include "snellen/tasks/vilma/flags.h"
#include "snellen/tasks/vilma/pooled.h"
#include "snellen/tasks/vilma/task.h"

namespace snellen::tasks::vilma {
namespace {

namespace fs = std::filesystem;
using annotations::VilmaItem;
using annotations::VilmaTexts;
using metrics::FoilMode;

FoilMode mode_of(questions::ScoreKind kind) {
  switch (kind) {
    case questions::ScoreKind::kProbability:
    case questions::ScoreKind::kChoice:
      return FoilMode::kProbability;
    case questions::ScoreKind::kLogLikelihood:
      return FoilMode::kPerplexity;
    case questions::ScoreKind::kSimilarity:
      break;
  }
  return FoilMode::kSimilarity;
}

struct Texts {
  bool main = true;
  bool proficiency = true;
  bool is_pair() const { return main && proficiency; }
  ScoredTexts scored() const { return main ? ScoredTexts::kMain : ScoredTexts::kProficiency; }
};

// Shares among the texts of an item are made over each list alone.
void ask_for(Item& item, std::string name, const VilmaTexts& texts) {
  questions::Question question{.visual = 0, .name = std::move(name)};
  auto add = [&](const std::string& text) {
    question.texts.push_back(static_cast<uint32_t>(item.texts.size()));
    item.texts.push_back({text});
  };
  add(texts.caption);
  for (const std::string& foil : texts.foils) add(foil);
  item.questions.push_back(std::move(question));
}

struct AskedItem {
  std::string id;
  std::string clip;
  const AskedFile::Kept* kept = nullptr;  // the task owns it
};

std::vector<Column> columns_of(const std::deque<AskedFile>& files,
                               const Texts& texts,
                               const metrics::FoilRules& rules) {
  std::vector<NumFoils> items;
  for (const AskedFile& file : files) {
    for (size_t i = 0; i < file.size(); ++i) {
      const AskedFile::Kept& kept = file.kept(i);
      if (!kept.is_evaluated) continue;
      items.push_back({texts.main ? kept.num_foils : kept.num_prof_foils, kept.num_prof_foils});
    }
  }
  return vilma::columns_of(items, texts.is_pair(), texts.scored(), rules);
}

class AskedVilma : public TypedTask<AskedItem> {
 public:
  AskedVilma(std::deque<AskedFile> files,
             const Texts& texts,
             const metrics::FoilRules& rules,
             ShownClips clips)
      : files_(std::move(files)),
        texts_(texts),
        rules_(rules),
        clips_(std::move(clips)),
        columns_(columns_of(files_, texts_, rules_)) {
    sources_.is_pair = texts_.is_pair();
    sources_.texts = texts_.scored();
    for (const AskedFile& file : files_) {
      sources_.parts.push_back(
          {.task = file.place().task, .part = file.place().subtask, .items = {}});
      sources_.files.push_back(file.path());
    }
  }

  std::vector<Part> parts() const override {
    std::vector<Part> parts;
    for (const AskedFile& file : files_) parts.push_back({file.place().subtask, file.size()});
    return parts;
  }
  std::vector<Column> columns() const override { return columns_; }
  std::vector<fs::path> inputs() const override { return sources_.files; }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    for (const AskedFile& file : files_) {
      if (file.degenerate().empty()) continue;
      notes.push_back(
          degenerate_note(file.place().subtask, file.degenerate(), /*is_left_out=*/false));
    }
    return notes;
  }

  Result<Made> make(uint64_t position) const override {
    uint64_t index = position;
    size_t part = 0;
    while (index >= files_[part].size()) index -= files_[part++].size();
    const AskedFile& file = files_[part];
    const AskedFile::Kept& kept = file.kept(index);
    Result<VilmaItem> from = file.item(index);
    if (!from) return from.error();
    Item item;
    item.id = fmt::format("{}/{}", file.place().subtask, from->id);
    item.clusters = {from->video()};
    item.category = kept.is_degenerate ? "degenerate" : "";
    Result<media::VisualPlace> place = file.locate(*from, index, clips_);
    if (place) {
      item.visuals.push_back({.name = item.id, .source = std::move(place).value()});
    } else {
      item.visuals.push_back(questions::unplaced(item.id, place.error()));
      item.visuals.back().group = from->video();
    }
    if (texts_.main) ask_for(item, "", from->main);
    if (texts_.proficiency && !from->proficiency) {
      return Error{ErrorCode::kInvalidInput,
                   "has no proficiency texts",
                   fmt::format("{}: item '{}'", file.path().string(), from->id),
                   "add them to the item, or leave it out"};
    }
    if (texts_.proficiency) ask_for(item, "proficiency", *from->proficiency);
    AskedItem asked{item.id, from->video(), &kept};
    return Made{std::move(item), std::move(asked)};
  }

  Result<Outcome> decide(const AskedItem& item, const questions::Scores& scores) const override;

  std::vector<metrics::Measurement> pooled(OutcomeReader& outcomes,
                                           const PooledOptions& options) const override {
    return pooled_metrics({sources_, rules_, columns_, options}, read_parts(sources_, outcomes));
  }

  std::vector<SeedReport> write_seed_files(const SeedRequest& request,
                                           OutcomeReader& outcomes) const override;

 private:
  std::deque<AskedFile> files_;
  Texts texts_;
  metrics::FoilRules rules_;
  ShownClips clips_;
  std::vector<Column> columns_;
  Sources sources_;  // without items: what pooled metrics need
};

Result<Outcome> AskedVilma::decide(const AskedItem& item, const questions::Scores& scores) const {
  const AskedFile::Kept& kept = *item.kept;
  const size_t num_main = texts_.main ? kept.num_foils + 1 : 0;
  const size_t num_texts = num_main + (texts_.proficiency ? kept.num_prof_foils + 1 : 0);
  if (scores.values.size() != num_texts) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} scores for {} texts", scores.values.size(), num_texts)};
  }
  StoredScores stored{.num_foils = kept.num_foils,
                      .num_prof_foils = kept.num_prof_foils,
                      .scores = {},
                      .mode = mode_of(scores.kind),
                      .is_evaluated = kept.is_evaluated,
                      .frames = scores.frames};
  std::vector<double> values = scores.values;
  if (stored.mode == FoilMode::kPerplexity) {
    for (double& value : values) value = std::exp(-value);
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(num_main);
  if (texts_.main) stored.scores.main.emplace(values.begin(), middle);
  if (texts_.proficiency) stored.scores.proficiency.emplace(middle, values.end());
  if (!texts_.main) stored.num_foils = kept.num_prof_foils;
  metrics::FoilRules rules = rules_;
  rules.mode = *stored.mode;
  const StoredRow row{
      .id = item.id, .clip = item.clip, .values = {}, .tied_columns = 0, .stored = stored};
  SourceItem source{.id = item.id,
                    .clip = item.clip,
                    .is_degenerate = kept.is_degenerate,
                    .scores = stored.scores,
                    .decision = std::nullopt};
  try {
    source.decision = evaluate_rows({&row}, sources_, rules).rows.front();
  } catch (const Error& error) {
    return error;
  }
  Outcome outcome = outcome_of(source, sources_.is_pair);
  outcome.named = named_values(stored);
  if (!kept.is_evaluated) {
    std::fill(
        outcome.values.begin(), outcome.values.end(), std::numeric_limits<double>::quiet_NaN());
    outcome.tied_columns = 0;
    outcome.is_correct.reset();
  }
  return outcome;
}

// The results files that `score vilma` reads, and which frames of each clip were shown.
std::vector<SeedReport> AskedVilma::write_seed_files(const SeedRequest& request,
                                                     OutcomeReader& outcomes) const {
  SeedReport report{.results_folder = "vilma", .log_folder = "vilma", .files = {}, .log_lines = {}};
  const auto layout =
      request.is_compat ? annotations::VilmaLayout::kIndent4 : annotations::VilmaLayout::kLines;
  for (const AskedFile& file : files_) {
    const std::string part = file.place().subtask;
    auto write = [&](const char* ending, const auto& add) {
      const fs::path name = fs::path("vilma") / fmt::format("{}_{}.json", part, ending);
      annotations::VilmaResultsWriter writer(request.folder / name, layout);
      outcomes.for_each_scored(part, [&](const StoredItem& item) {
        add(writer, std::string_view(item.id).substr(part.size() + 1), stored_scores(item));
      });
      writer.commit();
      report.files.push_back(name);
    };
    if (texts_.main)
      write("main", [](auto& writer, std::string_view id, const StoredScores& stored) {
        if (stored.scores.main) writer.add(id, *stored.scores.main);
      });
    if (texts_.proficiency)
      write("prof", [](auto& writer, std::string_view id, const StoredScores& stored) {
        if (stored.scores.proficiency) writer.add(id, *stored.scores.proficiency);
      });
    write("frames", [](auto& writer, std::string_view id, const StoredScores& stored) {
      writer.add_json(id, python_object({{"frames", stored.frames}}).text);
    });
  }
  return {report};
}

std::vector<fs::path> files_wanted(const Wanted& wanted, const TaskRequest& request) {
  std::vector<fs::path> files = wanted.annotations;
  if (files.empty()) files = find_annotations(wanted.data, request.parts);
  if (!files.empty()) return files;
  throw Error{ErrorCode::kNotFound,
              request.parts.empty() ? std::string("no ViLMA annotation file is there")
                                    : fmt::format("no ViLMA annotation file of {} is there",
                                                  fmt::join(request.parts, ", ")),
              wanted.data.string(),
              "name the folder of relations.json, counting-easy... with --data, or files with -a"};
}

// Beside the annotations unless a flag names another one.
annotations::ClipFolders folders_of(const VilmaSettings& settings, const fs::path& beside) {
  auto folder = [&](const fs::path& given, const char* name) {
    return fs::absolute(given.empty() ? beside / name : given);
  };
  return {.quva = folder(settings.quva, "QUVA"),
          .something_something = folder(settings.something_something, "something-something-v2"),
          .star = folder(settings.star, "star"),
          .youtube = folder(settings.youtube, "youtube"),
          .cache = folder(settings.clips, "clips")};
}

media::FrameSampler sampler_of(const VilmaSettings& settings, bool is_compat) {
  const std::string& text = settings.sampler;
  const bool has_number = settings.num_frames.has_value();
  const std::string word = !text.empty() ? text : is_compat ? "window" : "uniform";
  constexpr int64_t kReferenceFrames = 8;
  Result<media::FrameSampler> parsed =
      media::FrameSampler::parse(word, settings.num_frames.value_or(kReferenceFrames));
  if (!parsed) throw parsed.error();
  media::FrameSampler sampler = *parsed;
  // As many as the model takes, or as the rate gives.
  const bool is_limited = sampler.kind == media::FrameSampler::Kind::kWindow ||
                          sampler.kind == media::FrameSampler::Kind::kAll;
  if (!has_number && !is_limited) sampler.num_frames = 0;
  return sampler;
}

}  // namespace

std::unique_ptr<Task> open_asked(const TaskRequest& request) {
  const auto& settings = request.options.get<VilmaSettings>();
  const Wanted wanted = wanted_by(request.options, request.is_compat);
  Texts texts;
  if (settings.is_proficiency_alone) texts.main = false;
  std::deque<AskedFile> files;
  for (const fs::path& path : files_wanted(wanted, request)) {
    files.emplace_back(path, wanted.selection, settings.is_only_valid);
    const std::string& part = files.back().place().subtask;
    const auto twins = std::count_if(files.begin(), files.end(), [&](const AskedFile& one) {
      return one.place().subtask == part;
    });
    if (twins > 1) {
      throw Error{ErrorCode::kUsage,
                  fmt::format("two annotation files hold the subtask '{}'", part),
                  "--annotation-file",
                  "run them one after the other"};
    }
  }
  ShownClips clips{.folders = folders_of(settings, files.front().path().parent_path()),
                   .sampler = sampler_of(settings, request.is_compat),
                   .seed = static_cast<uint32_t>(request.options.get<SharedSettings>().seed),
                   .is_compat = request.is_compat};
  return std::make_unique<AskedVilma>(std::move(files), texts, wanted.rules, std::move(clips));
}

}  // namespace snellen::tasks::vilma
