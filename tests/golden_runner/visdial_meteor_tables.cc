// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/visdial_meteor_tables.h"

#include <cstdlib>

#include "snellen/text/meteor/java_text.h"

namespace snellen::golden {
namespace {

namespace fs = std::filesystem;
using metrics::meteor::Statistics;
using text::meteor::MeteorData;

fs::path folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? fs::path(value) : fs::path();
}

text::meteor::DataPlaces places() {
  text::meteor::DataPlaces places;
  places.named_folder = named_meteor_folder();
  std::vector<fs::path> wordnets = {"/usr/share/wordnet"};
  if (fs::path data = folder_in("SNELLEN_DATA"); !data.empty()) {
    places.default_folders.push_back(data / "meteor");
    wordnets.insert(wordnets.begin(), data / "wordnet");
  }
  places.default_folders.push_back(fs::path(SNELLEN_SOURCE_DIR) / "build" / "data" / "meteor");
  for (const fs::path& folder : wordnets) {
    if (places.wordnet_folder.empty() && fs::exists(folder / "index.noun"))
      places.wordnet_folder = folder;
  }
  return places;
}

}  // namespace

std::filesystem::path named_meteor_folder() {
  return folder_in(kMeteorVariable);
}

MeteorTables load_meteor_tables(bool wants_paraphrases) {
  text::meteor::DataPlaces where = places();
  text::meteor::DataFiles files = text::meteor::find_meteor_files(where);
  MeteorTables tables;
  if (!files.has_lexicon()) return tables;
  if (wants_paraphrases && !files.paraphrase.empty()) {
    tables.with =
        std::make_shared<MeteorData>(text::meteor::load_meteor_data(files, where.cache_folder));
  }
  files.paraphrase.clear();
  tables.without =
      std::make_shared<MeteorData>(text::meteor::load_meteor_data(files, where.cache_folder));
  return tables;
}

std::string statistics_text(const Statistics& statistics) {
  std::string text;
  metrics::meteor::append_statistics(text, statistics);
  return text;
}

std::string java_double(double x) {
  std::string text;
  text::meteor::append_java_double(text, x);
  return text;
}

}  // namespace snellen::golden
