// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/visdial_gen/settings.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::tasks::visdial_gen {
namespace {

using config::OptionKind;

// What is asked for: by name, or else everything whose files are there; then less what is off.
class Wanted {
 public:
  explicit Wanted(const config::Options& options)
      : options_(options), names_(options.list("metrics")) {}

  bool is_on(const std::string& metric, bool has_source) const {
    bool is_overlap = metric == "cider" || metric == "meteor";
    if (options_.flag(is_overlap ? "no-overlap" : "no-embedding")) return false;
    if (metric != "cider" && options_.flag("no-" + metric)) return false;
    return names_.empty() ? has_source
                          : std::find(names_.begin(), names_.end(), metric) != names_.end();
  }

 private:
  const config::Options& options_;
  std::vector<std::string> names_;
};

void require_source(bool is_wanted, bool has_source, const char* flag) {
  if (!is_wanted || has_source) return;
  throw Error{ErrorCode::kUsage,
              "the metric is asked for, but its vectors are not named",
              flag,
              fmt::format("name a file with {}, or leave the metric out of --metrics", flag)};
}

config::OptionFacts off(const char* name, const char* help) {
  return {.name = name, .kind = OptionKind::kFlag, .default_value = "false", .help = help};
}

config::OptionFacts place(const char* name, const char* help) {
  return {.name = name, .help = help, .is_identity = false};
}

}  // namespace

std::vector<config::OptionFacts> declared_options() {
  return {
      {.name = "generations",
       .default_value = "generations.json",
       .help = "VisDial: the generated answers",
       .is_identity = false},
      {.name = "references",
       .default_value = "densevisdial/refs_S_val.json",
       .help = "VisDial: the reference sets",
       .is_identity = false},
      {.name = "n",
       .kind = OptionKind::kInteger,
       .default_value = "4",
       .help = "VisDial: longest n-gram of CIDEr, 1 to 64"},
      {.name = "metrics",
       .kind = OptionKind::kList,
       .help = "VisDial: only these (default: cider, meteor, and those whose vectors are named)",
       .choices = {"cider", "meteor", "bert", "fasttext"}},
      {.name = "cider-variant",
       .default_value = "plain",
       .help = "VisDial: plain as published, or d: CIDEr-D of captioning toolkits",
       .choices = {"plain", "d"}},
      {.name = "preprocess",
       .default_value = "nltk34",
       .help = "VisDial: how generations are prepared; references never are",
       .choices = {"nltk34", "modern", "none"}},
      place("bert-cache", "VisDial: sentence vectors {\"dim\", \"vectors\": {text: [numbers]}}"),
      {.name = "fasttext",
       .help = "VisDial: fastText model, .bin",
       .aliases = {"fast_text_model"},
       .is_identity = false},
      place("word-vectors", "VisDial: table {\"dim\", \"vectors\": {word: [numbers]}} instead"),
      off("no-overlap", "VisDial: neither CIDEr nor METEOR"),
      off("no-embedding", "VisDial: neither BERT nor FastText"),
      off("no-meteor", "VisDial: no METEOR"),
      off("no-bert", "VisDial: no BERT"),
      off("no-fasttext", "VisDial: no FastText"),
      off("strict", "an entry without any answer is an error instead of left out"),
      place("meteor-data", "folder of METEOR's tables (default: SNELLEN_METEOR_DATA)"),
      place("meteor-paraphrase", "METEOR's paraphrase table, paraphrase-en.gz"),
      place("wordnet", "WordNet's folder, where METEOR's own synsets are not there"),
      place("cache-dir", "where prepared tables are kept (default: ~/.cache/snellen)"),
  };
}

Settings settings_of(const config::Options& options, bool is_compat) {
  Settings settings;
  Wanted wanted(options);
  settings.generations = options.text("generations");
  settings.references = options.text("references");
  int64_t n = options.integer("n");
  if (n < 1 || n > 64)
    throw Error{ErrorCode::kUsage, fmt::format("is {}, expected 1 to 64", n), "--n"};
  settings.cider = {.n = static_cast<size_t>(n),
                    .variant = options.text("cider-variant") == "d"
                                   ? metrics::CiderVariant::kD
                                   : metrics::CiderVariant::kPlain};
  settings.wants_cider = wanted.is_on("cider", true);
  settings.wants_meteor = wanted.is_on("meteor", true);
  settings.meteor.paraphrase_file = options.text("meteor-paraphrase");
  settings.meteor.named_folder = options.text("meteor-data");
  settings.meteor.wordnet_folder = options.text("wordnet");
  settings.meteor.cache_folder = options.text("cache-dir");
  bool has_bert = options.is_set("bert-cache");
  bool has_words = options.is_set("fasttext") || options.is_set("word-vectors");
  bool wants_bert = wanted.is_on("bert", has_bert);
  bool wants_words = wanted.is_on("fasttext", has_words);
  require_source(wants_bert, has_bert, "--bert-cache");
  require_source(wants_words, has_words, "--fasttext");
  if (wants_bert) settings.bert_cache = options.text("bert-cache");
  if (wants_words) settings.fasttext = options.text("fasttext");
  if (wants_words) settings.word_vectors = options.text("word-vectors");
  if (!settings.fasttext.empty() && !settings.word_vectors.empty())
    throw Error{ErrorCode::kUsage,
                "word vectors come from one source",
                "--word-vectors",
                "give --fasttext or --word-vectors, not both"};
  if (!settings.wants_cider && !settings.wants_meteor && !wants_bert && !wants_words)
    throw Error{ErrorCode::kUsage, "every metric is switched off", "--metrics"};
  settings.preprocess = text::preprocess_of(options.text("preprocess"));
  settings.is_strict = options.flag("strict");
  settings.is_compat = is_compat;
  int64_t threads = options.integer("num-workers");
  settings.num_threads = threads > 0 ? static_cast<unsigned>(std::min<int64_t>(threads, 1024))
                                     : std::max(1U, std::thread::hardware_concurrency());
  return settings;
}

}  // namespace snellen::tasks::visdial_gen
