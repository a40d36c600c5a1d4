// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/visdial_gen/sources.h"

#include <thread>

#include "snellen/annotations/visdial/vector_cache.h"
#include "snellen/text/vectors/fasttext.h"

namespace snellen::tasks::visdial_gen {
namespace {

void run_on_threads(size_t num_parts, const std::function<void(size_t)>& part) {
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < num_parts; ++i) threads.emplace_back([&part, i] { part(i); });
  part(0);
}

}  // namespace

Sources::Sources(const Settings& settings, const text::StringSets& references) {
  if (settings.wants_cider) {
    cider_ = std::make_unique<metrics::CiderCorpus>(
        references,
        settings.cider,
        metrics::Parts{.num_parts = settings.num_threads, .run = run_on_threads});
  }
  if (settings.wants_meteor) {
    auto data = std::make_shared<const text::meteor::MeteorData>(
        text::meteor::load_meteor_data(settings.meteor));
    meteor_ = std::make_unique<metrics::meteor::SetScorer>(data, references, settings.is_compat);
  }
  if (!settings.bert_cache.empty()) {
    vector_files_.push_back(settings.bert_cache);
    bert_table_ =
        std::make_unique<text::VectorTable>(annotations::read_vector_cache(settings.bert_cache));
    bert_ = std::make_unique<text::CachedSentences>(*bert_table_, settings.bert_cache.string());
  }
  open_word_vectors(settings, references);
}

void Sources::open_word_vectors(const Settings& settings, const text::StringSets& references) {
  if (!settings.fasttext.empty()) {
    vector_files_.push_back(settings.fasttext);
    words_ = std::make_unique<text::FastText>(settings.fasttext);
  } else if (!settings.word_vectors.empty()) {
    vector_files_.push_back(settings.word_vectors);
    words_ =
        std::make_unique<text::VectorTable>(annotations::read_vector_cache(settings.word_vectors));
  } else {
    return;
  }
  remembered_ = std::make_unique<text::RememberedWords>(*words_, references.pool());
  fasttext_ = std::make_unique<text::MeanOfWords>(*remembered_);
}

metrics::VisdialSources Sources::views() const {
  metrics::VisdialSources views{
      .cider = cider_.get(), .meteor = {}, .bert = bert_.get(), .fasttext = fasttext_.get()};
  if (meteor_ != nullptr) {
    views.meteor = [scorer = meteor_.get()](std::string_view generation, size_t set) {
      return scorer->score(generation, set);
    };
  }
  return views;
}

std::vector<std::filesystem::path> Sources::files() const {
  std::vector<std::filesystem::path> files = vector_files_;
  if (meteor_ == nullptr) return files;
  const text::meteor::DataFiles& tables = meteor_->data().files;
  for (const std::filesystem::path& path :
       {tables.paraphrase, tables.synsets, tables.exceptions, tables.jar}) {
    if (!path.empty()) files.push_back(path);
  }
  return files;
}

}  // namespace snellen::tasks::visdial_gen
