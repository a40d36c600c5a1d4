// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "snellen/annotations/visdial/generations.h"
#include "snellen/annotations/visdial/pairing.h"
#include "snellen/annotations/visdial/references.h"
#include "snellen/annotations/visdial/vector_cache.h"
#include "snellen/metrics/text/meteor/set_scorer.h"
#include "snellen/metrics/text/visdial_metrics.h"
#include "snellen/text/vectors/fasttext.h"
#include "tests/golden_runner/visdial_meteor_tables.h"
#include "tests/golden_runner/visdial_text.h"

namespace snellen::golden {
namespace {

struct Sources {
  text::VectorTable bert_table;
  text::CachedSentences bert;
  text::FastText model;
  text::MeanOfWords fasttext;

  Sources(const std::filesystem::path& cache, const std::filesystem::path& bin)
      : bert_table(annotations::read_vector_cache(cache)),
        bert(bert_table, cache.string()),
        model(bin),
        fasttext(model) {}
};

using Evaluated = std::vector<metrics::VisdialEntry>;

// Without METEOR's tables its column is not there; the others must agree.
std::string without_meteor(const std::string& line, const std::string& names) {
  std::vector<std::string> columns;
  std::string one;
  for (char c : names + "\t") {
    if (c != '\t') {
      one += c;
    } else if (!one.empty()) {
      columns.push_back(std::move(one));
      one.clear();
    }
  }
  std::string kept;
  size_t column = 0;
  for (size_t at = 0; at < line.size();) {
    size_t end = line.find_first_not_of('\t', std::min(line.find('\t', at), line.size()));
    end = std::min(end, line.size());
    if (column >= columns.size() || columns[column] != "meteor") kept += line.substr(at, end - at);
    ++column;
    at = end;
  }
  return kept;
}

void check_entries(const metrics::VisdialMetrics& scorer,
                   const annotations::References& references,
                   const Evaluated& evaluated,
                   const Json& expected,
                   Tally& tally) {
  tally.same(evaluated.size(), expected["entries"].size(), 0, "entries");
  for (size_t i = 0; i < std::min(evaluated.size(), expected["entries"].size()); ++i) {
    const Json& want = expected["entries"][i];
    tally.same(references.keys[i].image_id, want["image_id"], 0, "image_id");
    tally.same(references.keys[i].round_id, want["round_id"], 0, "round_id");
    for (size_t c = 0; c < scorer.columns().size(); ++c) {
      const std::string& column = scorer.columns()[c];
      tally.near(
          evaluated[i].values[c], want[column], 1e-6, fmt::format("entries[{}].{}", i, column));
    }
  }
}

void check_summary(const metrics::VisdialSummary& summary, const Json& expected, Tally& tally) {
  tally.same(summary.num_pairs, expected["pairs"], 0, "pairs");
  tally.same(summary.num_empty, expected["empty"], 0, "empty");
  for (const metrics::ColumnSummary& column : summary.columns) {
    tally.near(
        column.mean, expected["aggregate"][column.name]["mean"], 1e-6, column.name + " mean");
    tally.near(column.std, expected["aggregate"][column.name]["std"], 1e-6, column.name + " std");
  }
  bool has_meteor = std::any_of(summary.columns.begin(),
                                summary.columns.end(),
                                [](const auto& column) { return column.name == "meteor"; });
  std::string names = expected["header_line"];
  std::string values = expected["value_line"];
  std::vector<std::string> lines = metrics::compat_lines(summary);
  tally.same(lines[2], has_meteor ? names : without_meteor(names, names), 0, "header_line");
  tally.same(lines[4], has_meteor ? values : without_meteor(values, names), 0, "value_line");
}

void check_against(const std::filesystem::path& refs,
                   const Context& context,
                   const MeteorTables& tables,
                   const Json& expected,
                   Tally& tally) {
  annotations::Generations generations(context.file.parent_path() / "gens.json");
  annotations::References references = annotations::read_references(refs);
  Sources sources(context.file.parent_path() / "bert_cache.json",
                  context.kind / "fasttext_toy.bin");
  annotations::Pairing pairing =
      annotations::pair_by_key(references.keys, generations.entries(), refs);
  annotations::Pairing compat =
      annotations::pair_by_position(references.keys, generations.entries(), refs);
  tally.expect(pairing.entries == compat.entries, "both ways of pairing agree");
  metrics::CiderCorpus corpus(references.sets, {});
  metrics::VisdialSources views{
      .cider = &corpus, .meteor = {}, .bert = &sources.bert, .fasttext = &sources.fasttext};
  std::optional<metrics::meteor::SetScorer> meteor;
  if (tables.without != nullptr) {
    meteor.emplace(tables.without, references.sets, /*is_compat=*/true);
    views.meteor = [&meteor](std::string_view generation, size_t set) {
      return meteor->score(generation, set);
    };
  }
  metrics::VisdialMetrics scorer(references.sets, views, {.is_compat = true});
  Evaluated evaluated;
  for (size_t i = 0; i < references.keys.size(); ++i) {
    evaluated.push_back(scorer.evaluate(i, generations.texts(pairing.entries[i])));
  }
  check_entries(scorer, references, evaluated, expected, tally);
  check_summary(metrics::summarize(scorer.columns(), evaluated), expected, tally);
}

}  // namespace

void check_evaluate(const Context& context, Tally& tally) {
  Json json = context.json();
  MeteorTables tables = load_meteor_tables(/*wants_paraphrases=*/false);
  if (tables.without == nullptr) tally.skip(kNoMeteorLexicon);
  for (const auto& [name, expected] : json.items()) {
    if (name == "note") continue;
    tally.start(name);
    check_against(context.file.parent_path() / fmt::format("refs_{}.json", name),
                  context,
                  tables,
                  expected,
                  tally);
  }
}

}  // namespace snellen::golden
