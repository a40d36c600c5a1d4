// SPDX-License-Identifier: Apache-2.0
// METEOR over the real generations, each against those of three other entries.
#include <algorithm>
#include <cmath>

#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/text/words/treebank.h"
#include "tests/golden_runner/visdial_meteor.h"
#include "tests/golden_runner/visdial_meteor_tables.h"

namespace snellen::golden {
namespace {

namespace fs = std::filesystem;
using metrics::meteor::Meteor;
using metrics::meteor::Scratch;
using metrics::meteor::Segment;
using metrics::meteor::Statistics;
using text::meteor::MeteorData;

constexpr double kTolerance = 1e-9;
constexpr size_t kMaxGensBytes = size_t{1} << 30;

struct Entry {
  int64_t image = 0;
  int64_t round = 0;
  std::string raw;
  std::string prepared;
};

// In file order.
std::vector<Entry> read_gens(const fs::path& path) {
  std::vector<Entry> entries;
  Json gens = Json::parse(read_text_file(path, kMaxGensBytes));
  for (const Json& entry : gens) {
    std::string raw = entry.at("generations").at(0);
    std::string prepared = text::prepare_generation(raw, text::Preprocess::kNltk34);
    entries.push_back(
        {entry.at("image_id"), entry.at("round_id"), std::move(raw), std::move(prepared)});
  }
  return entries;
}

struct GensScores {
  std::vector<double> scores;
  Statistics sum;
  std::string sha256_statistics;
  size_t num_with_paraphrase = 0;

  double mean() const {
    double total = 0;
    for (double score : scores) total += score;
    return total / static_cast<double>(scores.size());
  }
  double deviation() const {
    double total = 0;
    for (double score : scores) total += (score - mean()) * (score - mean());
    return std::sqrt(total / static_cast<double>(scores.size()));
  }
};

// Each generation against the raw generations of the entries 1, 7 and 13 further on.
GensScores score_gens(std::vector<Entry> entries, const std::shared_ptr<MeteorData>& data) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.image, a.round) < std::pair(b.image, b.round);
  });
  Meteor meteor(data);
  Scratch scratch(meteor);
  GensScores result;
  Sha256 hash;
  for (size_t i = 0; i < entries.size(); ++i) {
    std::vector<std::string> references;
    for (size_t step : {1, 7, 13}) {
      references.push_back(
          metrics::meteor::meteor_reference(entries[(i + step) % entries.size()].raw));
    }
    Segment segment =
        meteor.score(metrics::meteor::meteor_hypothesis(entries[i].prepared), references, scratch);
    result.scores.push_back(segment.score.score);
    result.sum.add(segment.statistics);
    if (segment.statistics.modules[3].hypothesis_content +
            segment.statistics.modules[3].hypothesis_function >
        0) {
      ++result.num_with_paraphrase;
    }
    hash.add(statistics_text(segment.statistics) + "\n");
  }
  result.sha256_statistics = hash.hex();
  return result;
}

size_t num_different(const GensScores& a, const GensScores& b) {
  size_t count = 0;
  for (size_t i = 0; i < a.scores.size(); ++i) count += a.scores[i] != b.scores[i] ? 1 : 0;
  return count;
}

}  // namespace

void check_gens_with_table(const Json& want,
                           const MeteorTables& tables,
                           const Context& context,
                           Tally& tally) {
  fs::path path = context.find_data("visdial/gens.json");
  if (path.empty()) return tally.skip("gens: no visdial/gens.json");
  std::vector<Entry> entries = read_gens(path);
  GensScores with = score_gens(entries, tables.with);
  GensScores without = score_gens(entries, tables.without);
  tally.start("gens");
  // With WordNet's synsets a handful of segments move.
  bool is_exact = tables.with->files.is_exact();
  double tolerance = is_exact ? kTolerance : 1e-4;
  tally.near(with.mean(), want.at("mean"), tolerance, "mean");
  tally.near(with.deviation(), want.at("std"), tolerance, "std");
  tally.near(without.mean(), want.at("mean_without_table"), tolerance, "mean without table");
  if (!is_exact) return;
  std::string system = java_double(metrics::meteor::score_of(with.sum, {}).score);
  tally.same(system, want.at("system_score_text"), 0, "system score");
  tally.same(with.sha256_statistics, want.at("sha256_statistics"), 0, "hash of the statistics");
  tally.same(num_different(with, without),
             want.at("segments_that_differ_from_no_table"),
             0,
             "segments that differ");
  tally.same(with.num_with_paraphrase,
             want.at("segments_with_a_paraphrase_match"),
             0,
             "segments with a paraphrase");
}

void check_gens_meteor(const Json& vector, const Context& context, Tally& tally) {
  fs::path gens = context.find_data("visdial/gens.json");
  if (gens.empty()) return tally.skip("METEOR: no visdial/gens.json");
  std::vector<Entry> entries = read_gens(gens);
  Sha256 hash;
  text::meteor::Normalizer normalizer;
  for (const Entry& entry : entries)
    hash.add(std::string(normalizer.normalize(entry.prepared)) + "\n");
  tally.start("METEOR normalised");
  tally.same(hash.hex(),
             vector.at("sha256_meteor_normalised_lowercased"),
             0,
             "hash of the normalised generations");
  MeteorTables tables = load_meteor_tables(/*wants_paraphrases=*/false);
  if (tables.without == nullptr) return tally.skip(kNoMeteorLexicon);
  GensScores got = score_gens(std::move(entries), tables.without);
  const Json& want = vector.at("meteor_no_paraphrase")
                         .at(tables.without->files.is_exact() ? "original_tables"
                                                              : "debian_wordnet_pos_qualified");
  tally.start("METEOR without paraphrases");
  tally.near(got.mean(), want.at("mean"), kTolerance, "mean");
  tally.near(got.deviation(), want.at("std"), kTolerance, "std");
}

}  // namespace snellen::golden
