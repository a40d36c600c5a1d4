// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/config/options.h"
#include "snellen/metrics/text/cider.h"
#include "snellen/text/meteor/meteor_data.h"
#include "snellen/text/words/treebank.h"

namespace snellen::tasks::visdial_gen {

// The settings of an evaluation, typed; checked once here.
struct Settings {
  std::filesystem::path generations;
  std::filesystem::path references;
  bool wants_cider = false;
  bool wants_meteor = false;
  metrics::CiderOptions cider;
  text::meteor::DataPlaces meteor;
  std::filesystem::path bert_cache;    // empty: BERT metrics are off
  std::filesystem::path fasttext;      // empty, like word_vectors: FastText metrics are off
  std::filesystem::path word_vectors;  // instead of a fastText model
  text::Preprocess preprocess = text::Preprocess::kNltk34;
  bool is_strict = false;
  bool is_compat = false;
  unsigned num_threads = 1;
};

// What the user sets: ours, and the spellings of the published evaluate.py.
struct VisdialSettings {
  std::filesystem::path generations = "generations.json";
  std::filesystem::path references = "densevisdial/refs_S_val.json";
  size_t n = 4;
  std::vector<std::string> metrics;
  metrics::CiderVariant variant = metrics::CiderVariant::kPlain;
  std::string preprocess = "nltk34";
  std::filesystem::path bert_cache;
  std::filesystem::path fasttext;
  std::filesystem::path word_vectors;
  bool has_no_overlap = false;
  bool has_no_embedding = false;
  bool has_no_meteor = false;
  bool has_no_bert = false;
  bool has_no_fasttext = false;
  bool is_strict = false;
  std::filesystem::path meteor_data;
  std::filesystem::path meteor_paraphrase;
  std::filesystem::path wordnet;
  std::filesystem::path cache;
};
config::Block settings_block();

// Throws kUsage for settings that do not fit each other: a metric asked for without its file, two
// sources of word vectors, no metric at all.
Settings settings_of(const config::Options& options, bool is_compat);

}  // namespace snellen::tasks::visdial_gen
