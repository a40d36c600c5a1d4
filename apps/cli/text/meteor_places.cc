// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/text/meteor_places.h"

#include <algorithm>
#include <cstdlib>

#include "apps/cli/run/cache_place.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDebianWordnet = "/usr/share/wordnet";

fs::path folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

bool holds_tables(const fs::path& folder) {
  text::meteor::DataFiles files = text::meteor::find_meteor_files({.paraphrase_file = {},
                                                                   .named_folder = {},
                                                                   .default_folders = {folder},
                                                                   .wordnet_folder = {},
                                                                   .cache_folder = {}});
  return files.has_lexicon() || !files.paraphrase.empty();
}

bool holds_wordnet(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "index.noun", ignored);
}

fs::path find_wordnet(const fs::path& data) {
  if (!data.empty() && holds_wordnet(data / "wordnet")) return data / "wordnet";
  return holds_wordnet(kDebianWordnet) ? fs::path(kDebianWordnet) : fs::path();
}

}  // namespace

std::vector<config::Option> meteor_options() {
  using config::option;
  using S = MeteorFlags;
  return {
      option(&S::data, "meteor-data", "folder of METEOR's tables (default: $SNELLEN_METEOR_DATA)")
          .value("DIR"),
      option(&S::paraphrase, "meteor-paraphrase", "paraphrase table").value("FILE"),
      option(&S::wordnet, "wordnet", "WordNet's folder, used where METEOR's synsets are missing")
          .value("DIR"),
      option(&S::cache, "cache-dir", "folder for prepared tables (default: ~/.cache/snellen)")
          .value("DIR")};
}

text::meteor::DataPlaces meteor_places(const MeteorFlags& flags) {
  text::meteor::DataPlaces places;
  fs::path data = folder_in("SNELLEN_DATA");
  places.paraphrase_file = flags.paraphrase;
  places.named_folder =
      flags.data.empty() ? folder_in("SNELLEN_METEOR_DATA") : fs::path(flags.data);
  if (places.named_folder.empty() && !data.empty() && holds_tables(data / "meteor"))
    places.named_folder = data / "meteor";
  places.wordnet_folder = flags.wordnet.empty() ? find_wordnet(data) : fs::path(flags.wordnet);
  places.cache_folder = flags.cache.empty() ? user_cache() : fs::path(flags.cache);
  return places;
}

}  // namespace snellen::cli
