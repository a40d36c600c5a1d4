// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/visdial_gen/task.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "snellen/annotations/visdial/generations.h"
#include "snellen/annotations/visdial/pairing.h"
#include "snellen/annotations/visdial/references.h"
#include "snellen/base/python_json.h"
#include "snellen/tasks/image_folder.h"
#include "snellen/tasks/seed_json.h"
#include "snellen/tasks/typed_task.h"
#include "snellen/tasks/visdial_gen/asked_rounds.h"
#include "snellen/tasks/visdial_gen/result_file.h"
#include "snellen/tasks/visdial_gen/settings.h"
#include "snellen/tasks/visdial_gen/sources.h"

namespace snellen::tasks::visdial_gen {

Column column_of(std::string_view name) {
  return {.name = std::string(name),
          .higher_is_better = name.find("_l2") == std::string_view::npos};
}

namespace {

namespace fs = std::filesystem;

annotations::Pairing pair_entries(const Settings& settings,
                                  const annotations::References& references,
                                  const annotations::Generations& generations) {
  auto pair = settings.is_compat ? annotations::pair_by_position : annotations::pair_by_key;
  return pair(references.keys, generations.entries(), references.path);
}

struct Entry {
  size_t set = 0;  // of its references
};

class VisdialGen : public TypedTask<Entry> {
 public:
  explicit VisdialGen(const TaskRequest& request)
      : settings_(settings_of(request.options, request.is_compat)),
        images_(settings_.images),
        references_(annotations::read_references(settings_.references)),
        sources_(settings_, references_.sets),
        metrics_(references_.sets,
                 sources_.views(),
                 {.preprocess = settings_.preprocess,
                  .is_compat = settings_.is_compat,
                  .is_strict = settings_.is_strict}) {
    if (settings_.generations.empty()) {
      asked_.emplace(settings_.dialogs, references_.keys, settings_.num_answers);
    } else {
      generations_.emplace(settings_.generations);
      pairing_ = pair_entries(settings_, references_, *generations_);
      if (settings_.is_strict || settings_.is_compat) check_entries();
    }
  }

  std::vector<Part> parts() const override { return {{"", references_.keys.size()}}; }

  std::vector<Column> columns() const override {
    std::vector<Column> columns;
    for (const std::string& name : metrics_.columns()) columns.push_back(column_of(name));
    return columns;
  }

  std::vector<fs::path> inputs() const override {
    std::vector<fs::path> inputs = sources_.files();
    inputs.push_back(asked_ ? settings_.dialogs : settings_.generations);
    inputs.push_back(settings_.references);
    return inputs;
  }

  Result<Made> make(uint64_t position) const override {
    const annotations::DialogKey& key = references_.keys.at(position);
    Item item;
    item.id = fmt::format("{}/{}", key.image_id, key.round_id);
    item.clusters = {std::to_string(key.image_id)};
    if (asked_) {
      item.visuals = {images_.visual(asked_->image_name(position))};
      item.texts.push_back({asked_->prompt(position)});
      item.questions = {{.visual = 0, .texts = {0}, .wants = questions::Wants::kAnswer}};
    }
    return Made{std::move(item), {position}};
  }

  // An entry that cannot be scored fails alone; what strict and compat refuse was found before.
  Result<Outcome> decide(const Entry& asked, const questions::Scores& scores) const override {
    if (asked_) return decide_answer(asked, scores);
    size_t entry = pairing_.entries.at(asked.set);
    try {
      return outcome_of(metrics_.evaluate(asked.set, generations_->texts(entry)));
    } catch (const Error& error) {
      return error.within(fmt::format("{}: entry {}", generations_->path().string(), entry));
    }
  }

  // References may cover part of the generations: the human subset has one round per dialog.
  std::vector<metrics::Measurement> pooled(OutcomeReader&, const PooledOptions&) const override {
    if (pairing_.num_unused == 0) return {};
    metrics::Measurement unused{
        .id = metrics::metric_id("visdial-gen", "", "generations_without_references"),
        .value = static_cast<double>(pairing_.num_unused),
        .n = generations_->size(),
        .higher_is_better = false};
    metrics::set_interval(unused, std::nullopt, "a count of the files");
    return {unused};
  }

  std::vector<SeedReport> write_seed_files(const SeedRequest& request,
                                           OutcomeReader& outcomes) const override {
    ResultHeader header{.columns = metrics_.columns(),
                        .settings_json = settings_json(),
                        .meteor_paraphrase = {},
                        .warnings = warnings()};
    if (sources_.meteor_data() != nullptr) header.meteor_paraphrase = meteor_paraphrase();
    metrics::VisdialSummary summary =
        write_result_file(request.folder / kResultFile, header, outcomes);
    SeedReport report{.results_folder = {},
                      .log_folder = {},
                      .files = {kResultFile},
                      .log_lines = metrics::compat_lines(summary)};
    if (sources_.meteor_data() != nullptr)
      report.extra.put("meteor_paraphrase", meteor_paraphrase());
    if (asked_) {
      write_generations(request.folder / kGenerationsFile, outcomes);
      report.files.emplace_back(kGenerationsFile);
    }
    return {report};
  }

 private:
  // Nothing is scored where strict or compat refuse one entry.
  void check_entries() const {
    for (size_t set = 0; set < references_.keys.size(); ++set) {
      const fs::path* path = &references_.path;
      size_t entry = references_.entries[set];
      try {
        metrics_.check_references(set);
        path = &generations_->path();
        entry = pairing_.entries[set];
        metrics_.check_generations(generations_->texts(entry));
      } catch (const Error& error) {
        throw error.within(fmt::format("{}: entry {}", path->string(), entry));
      }
    }
  }

  Result<Outcome> decide_answer(const Entry& asked, const questions::Scores& scores) const {
    if (scores.answers.size() != 1)
      return Error{ErrorCode::kUsage,
                   "the model gives no answers",
                   "--model",
                   "take cca:DIR with --training-dialogs, or a served model"};
    std::vector<std::string> answers = answers_in(scores.answers[0], settings_.num_answers);
    try {
      Outcome outcome = outcome_of(metrics_.evaluate(asked.set, answers));
      outcome.named.put(kGenerations, std::move(answers));
      return outcome;
    } catch (const Error& error) {
      if (settings_.is_strict || settings_.is_compat) throw;
      return error;
    }
  }

  // The hash of its table, or false.
  NamedValue meteor_paraphrase() const {
    const text::meteor::MeteorData* data = sources_.meteor_data();
    if (!data->paraphrases) return false;
    return std::string(data->paraphrases->source_sha256());
  }

  // Whose synsets METEOR used: only its own give the published digits.
  std::string meteor_synsets() const {
    const text::meteor::MeteorData* data = sources_.meteor_data();
    if (data == nullptr || !data->files.has_lexicon()) return "none";
    return data->files.is_exact() ? "meteor" : "wordnet";
  }

  std::string settings_json() const {
    bool is_d = settings_.cider.variant == metrics::CiderVariant::kD;
    return fmt::format(
        "{{\"n\": {}, \"metrics\": {}, \"cider_variant\": \"{}\", \"preprocess\": \"{}\", "
        "\"meteor_synsets\": \"{}\", \"strict\": {}, \"compat\": {}}}",
        settings_.cider.n,
        python_string_list(metrics_.columns()),
        is_d ? "d" : "plain",
        text::name_of(settings_.preprocess),
        meteor_synsets(),
        settings_.is_strict,
        settings_.is_compat);
  }

  std::vector<std::string> warnings() const {
    std::vector<std::string> lines;
    if (sources_.meteor_data() != nullptr) lines = sources_.meteor_data()->warnings;
    if (settings_.names_meteor_jar)
      lines.emplace_back("--meteor-jar is ignored: METEOR 1.5 is computed here, without Java");
    if (pairing_.num_unused > 0)
      lines.push_back(fmt::format("{} generations have no reference entry and are not scored",
                                  pairing_.num_unused));
    return lines;
  }

  Settings settings_;
  ImageFolder images_;
  annotations::References references_;
  std::optional<AskedRounds> asked_;                     // where a model is asked
  std::optional<annotations::Generations> generations_;  // else
  annotations::Pairing pairing_;
  Sources sources_;
  metrics::VisdialMetrics metrics_;
};

std::vector<Column> usual_columns() {
  std::vector<Column> columns;
  for (const char* name : {"cider_1",
                           "cider_2",
                           "cider_3",
                           "cider_4",
                           "meteor",
                           "bert_l2",
                           "bert_cs",
                           "fasttext_l2",
                           "fasttext_cs",
                           "bert_l2_best",
                           "bert_cs_best",
                           "fasttext_l2_best",
                           "fasttext_cs_best"}) {
    columns.push_back(column_of(name));
  }
  return columns;
}

// The lines of the published program in compat, what changed the numbers, and exit code 1 when a
// metric is undefined everywhere.
TaskReport report_of(const ReportRequest& request) {
  TaskReport report;
  if (request.folder.empty()) return report;
  ReadResult result = read_result_file(request.folder / kResultFile);
  report.warnings = std::move(result.warnings);
  if (request.is_compat) report.reference_lines = metrics::compat_lines(result.summary);
  const bool is_undefined = std::any_of(
      request.metrics.begin(), request.metrics.end(), [](const auto& one) { return one.n == 0; });
  if (is_undefined) report.exit_code = 1;
  return report;
}

TaskFacts facts() {
  return {.name = "visdial-gen",
          .summary = "are generated answers of a visual dialogue among those people would give?",
          .paper = "arXiv 2004.09272",
          .data =
              "DenseVisDial reference sets, and generated answers or dialogs, brought by the "
              "user",
          .settings = {settings_block()},
          .reads_results = true,
          .columns = usual_columns(),
          .alias = "visdial",
          .report = report_of};
}

}  // namespace
}  // namespace snellen::tasks::visdial_gen

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_visdial_gen();
std::unique_ptr<TaskEntry> make_visdial_gen() {
  return task_entry<visdial_gen::VisdialGen>(visdial_gen::facts());
}

}  // namespace snellen::tasks
