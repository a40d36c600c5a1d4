// SPDX-License-Identifier: Apache-2.0
// A user's own task: items from a file, judged by a metric of the catalogue.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/json_object.h"
#include "snellen/media/corruptions/corruption.h"
#include "snellen/metrics/choice/share.h"
#include "snellen/tasks/file/survey.h"
#include "snellen/tasks/file/tag_means.h"
#include "snellen/tasks/judged.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/typed_task.h"

namespace snellen::tasks::file {
namespace {

namespace fs = std::filesystem;
using annotations::ItemLine;
using annotations::ItemsFile;

fs::path file_named(const TaskRequest& request) {
  if (request.argument.empty())
    throw Error{ErrorCode::kUsage,
                "no file of items named",
                "--tasks file",
                "for example --tasks file:items.jsonl"};
  return request.argument;
}

// Where paths in the file begin: what the user says, else beside the file.
fs::path root_of(const SharedSettings& shared, const fs::path& file) {
  if (!shared.images.empty()) return shared.images;
  return shared.data.empty() || shared.data == "." ? file.parent_path() : shared.data;
}

// The corruptions of the catalogue that change pixels.
std::optional<Error> bad_corruption(const annotations::ItemVisual& visual) {
  if (visual.corruption.empty()) return std::nullopt;
  Result<media::Corruption> corruption = media::corruption_of(visual.corruption);
  if (!corruption) return corruption.error();
  if (corruption->facts().shows == media::Shows::kPixels) return std::nullopt;
  return Error{
      ErrorCode::kInvalidInput,
      fmt::format("corruption '{}' shows something else than the picture", visual.corruption),
      "",
      "take one of those that change pixels: snellen list corruptions"};
}

// Its path, and what is done to it.
std::string name_of(const annotations::ItemVisual& visual) {
  auto shown = [](const std::optional<double>& bound) {
    return bound ? fmt::format("{}", *bound) : "";
  };
  std::string name = visual.path;
  if (visual.is_clip)
    name += fmt::format(
        "\t{}={},{}", visual.counts_frames ? 'f' : 't', shown(visual.start), shown(visual.end));
  if (visual.crop) name += fmt::format("\tb={}", fmt::join(*visual.crop, ","));
  if (!visual.corruption.empty()) name += "\tc=" + visual.corruption;
  if (visual.replicate > 0) name += fmt::format("\tr={}", visual.replicate);
  return name;
}

std::vector<questions::Pair> pairs_of(const std::vector<annotations::ItemCell>& cells) {
  std::vector<questions::Pair> pairs;
  pairs.reserve(cells.size());
  for (const annotations::ItemCell& cell : cells) pairs.push_back({cell.visual, cell.text});
  return pairs;
}

struct FileItem {
  size_t metric = 0;  // of the table
  ShapeOf shape;
  std::vector<questions::Pair> pairs;  // in the order of the scores
  std::vector<std::string> tags;
};

class FileTask : public TypedTask<FileItem> {
 public:
  explicit FileTask(const TaskRequest& request)
      : file_(file_named(request)),
        root_(root_of(request.options.get<SharedSettings>(), file_.path())),
        seed_(request.options.get<SharedSettings>().seed),
        ties_(ties_flag(request.options).value_or(metrics::Ties::kWrong)),
        table_(file_, ties_, request.metrics) {}

  std::string name() const override { return file_.header().name; }
  std::vector<Part> parts() const override { return table_.parts(); }
  std::vector<Column> columns() const override { return table_.columns(); }
  std::vector<fs::path> inputs() const override { return {file_.path()}; }
  std::vector<std::string> notes() const override {
    if (file_.header().paper.empty()) return {};
    return {fmt::format("{}: {}", name(), file_.header().paper)};
  }

  Result<Made> make(uint64_t position) const override {
    Result<ItemLine> line = file_.item(position);
    if (!line) return line.error();
    Result<size_t> metric = table_.metric_of(*line);
    if (!metric) return metric.error().within(file_.where(position));
    FileItem from{*metric, ShapeOf(*line), pairs_of(line->cells), line->tags};
    if (std::optional<Error> wrong = misfit(*line, from))
      return wrong->within(file_.where(position));
    Item item;
    item.id = line->id;
    item.clusters = {metrics::cluster_name(line->group, line->id)};
    if (!line->group_2.empty()) item.clusters.push_back(line->group_2);
    item.category = line->category;
    for (const annotations::ItemVisual& visual : line->visuals)
      item.visuals.push_back(
          {.name = name_of(visual), .group = visual.path, .source = place_of(visual)});
    if (item.visuals.empty()) {
      item.visuals.push_back(
          questions::nothing_shown({ErrorCode::kInvalidInput,
                                    "the item shows nothing, but this model looks",
                                    file_.path().string(),
                                    "give it \"visuals\", or take a model of text alone"}));
    }
    for (const std::string& text : line->texts) item.texts.push_back({text});
    item.questions = questions::questions_about(from.pairs);
    item.right = pairs_of(line->right);
    return Made{std::move(item), std::move(from)};
  }

  media::VisualPlace place_of(const annotations::ItemVisual& wanted) const {
    media::VisualPlace place{.path = root_ / wanted.path};
    if (wanted.is_clip) {
      place.clip = media::ClipWindow{
          .start = wanted.start,
          .end = wanted.end,
          .unit = wanted.counts_frames ? media::ClipUnit::kFrames : media::ClipUnit::kSeconds};
    }
    if (wanted.crop) {
      const auto [x, y, width, height] = *wanted.crop;
      place.crop = media::CropBox{.x = x, .y = y, .width = width, .height = height};
    }
    if (!wanted.corruption.empty()) {
      place.corruption = media::PlacedCorruption{.name = wanted.corruption,
                                                 .seed = seed_,
                                                 .image_id = wanted.path,
                                                 .replicate = wanted.replicate};
    }
    return place;
  }

  Result<Outcome> decide(const FileItem& item, const questions::Scores& scores) const override {
    if (scores.values.size() != item.pairs.size()) {
      return Error{
          ErrorCode::kInvalidInput,
          fmt::format("has {} scores, expected {}", scores.values.size(), item.pairs.size()),
          "",
          "give one for every pair that is asked for, in the order of \"cells\""};
    }
    const UsedMetric& used = table_.metric(item.metric);
    metrics::ItemShape shape = item.shape.shape();
    std::vector<double> matrix(shape.is_asked.size(), std::nan(""));
    for (size_t i = 0; i < item.pairs.size(); ++i)
      matrix[item.pairs[i].visual * shape.num_texts + item.pairs[i].text] = scores.values[i];
    const bool is_choice = scores.kind == questions::ScoreKind::kChoice;
    if (is_choice && shape.num_visuals > 1 && used.metric->facts().name != "winoground")
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("{} compares pictures, and the scores are shares among the texts of "
                               "one picture",
                               used.metric->facts().name),
                   "",
                   "take --score yes"};
    metrics::Judged judged = used.metric->judge({shape, matrix, ties_, is_choice});
    Outcome outcome{.values = std::vector<double>(table_.columns().size(), std::nan("")),
                    .is_correct = judged.is_correct,
                    .margin = judged.margin};
    for (size_t i = 0; i < used.places.size(); ++i) {
      outcome.values[used.places[i]] = judged.values[i];
      if ((judged.tied_columns >> i & 1U) != 0)
        outcome.tied_columns |= uint64_t{1} << used.places[i];
    }
    if (!item.tags.empty()) outcome.named = named_tags(item.tags);
    return outcome;
  }

  // {"id": .., "scores": [..]}
  Result<ScoreLine> read_score_line(std::string_view line) const override {
    Result<annotations::ItemScores> read = annotations::parse_item_scores(line);
    if (!read) return read.error();
    if (!read->scores || read->are_log_likelihoods || !table_.is_smaller_better())
      return ScoreLine{read->id, read->scores};
    std::vector<double> turned = *read->scores;
    for (double& perplexity : turned) perplexity = -perplexity;
    return ScoreLine{read->id, std::move(turned)};
  }

  Result<std::string> score_line(const Item& item,
                                 const std::vector<double>& scores) const override {
    const char* key = table_.is_smaller_better() ? "log_likelihoods" : "scores";
    return json_object({{"id", item.id}, {key, scores}}).text;
  }

  std::vector<metrics::Measurement> pooled(OutcomeReader& outcomes,
                                           const PooledOptions& options) const override {
    if (!table_.has_tags()) return {};
    return tag_means(name(), table_.parts(), table_.columns(), outcomes, options);
  }

 private:
  std::optional<Error> misfit(const ItemLine& line, const FileItem& item) const {
    const metrics::Metric& metric = *table_.metric(item.metric).metric;
    if (std::optional<std::string> what = metric.misfit(item.shape.shape())) {
      return Error{ErrorCode::kInvalidInput, *what, "", "see the metrics in docs/your-own-task.md"};
    }
    for (const annotations::ItemVisual& visual : line.visuals) {
      if (std::optional<Error> wrong = bad_corruption(visual)) return wrong;
    }
    return std::nullopt;
  }

  ItemsFile file_;
  fs::path root_;
  uint64_t seed_;
  metrics::Ties ties_;
  MetricTable table_;
};

TaskFacts facts() {
  return {.name = "file",
          .summary = "a task of your own: --tasks file:items.jsonl",
          .paper = "docs/your-own-task.md",
          .data = "JSON lines, one item each, and the pictures or clips they name",
          .takes_argument = true};
}

}  // namespace
}  // namespace snellen::tasks::file

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_file();
std::unique_ptr<TaskEntry> make_file() {
  return task_entry<file::FileTask>(file::facts());
}

}  // namespace snellen::tasks
