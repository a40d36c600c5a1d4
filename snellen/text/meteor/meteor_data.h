// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/text/meteor/lexicon.h"
#include "snellen/text/meteor/paraphrase_index.h"

namespace snellen::text::meteor {

// Where METEOR's tables may lie. What the user named must be there; the rest is looked at when
// nothing was named.
struct DataPlaces {
  std::filesystem::path paraphrase_file;  // --meteor-paraphrase; empty: not named
  std::filesystem::path named_folder;  // --meteor-data, else SNELLEN_METEOR_DATA; empty: not named
  std::vector<std::filesystem::path>
      default_folders;  // the data folder's; the first that holds tables serves
  std::filesystem::path
      wordnet_folder;  // --wordnet: index.* and *.exc, when no folder has METEOR's own tables
  std::filesystem::path cache_folder;  // for the indexes; empty: no cache
};

// Which files serve. At most one of the three lexicon sources is set.
struct DataFiles {
  std::filesystem::path paraphrase;  // empty: no table, warn and record "meteor_paraphrase": false
  std::filesystem::path synsets, exceptions;  // METEOR's own
  std::filesystem::path jar;                  // METEOR's own, inside meteor-1.5.jar
  std::filesystem::path wordnet;              // folder

  bool has_lexicon() const { return !synsets.empty() || !jar.empty() || !wordnet.empty(); }
  // METEOR's own synsets give the published numbers to the last digit; those from WordNet nearly
  // so.
  bool is_exact() const { return !synsets.empty() || !jar.empty(); }
};

// A folder is searched for paraphrase-en.gz (also below data/) and for english.synsets with
// english.exceptions (also below synonym/), else meteor-1.5.jar. Throws kNotFound for a named file
// or folder that is missing or has nothing.
DataFiles find_meteor_files(const DataPlaces& places);

// Everything METEOR reads from outside. Const methods of its parts are safe from many threads.
struct MeteorData {
  Lexicon lexicon;
  std::optional<ParaphraseIndex> paraphrases;
  DataFiles files;
  std::vector<std::string> warnings;  // lines a program shows to people
};

// Throws what find_meteor_files throws, and kInvalidInput for damaged tables.
MeteorData load_meteor_data(const DataPlaces& places);
// The same for files already found. A paraphrase table left out is warned about like one that is
// not there.
MeteorData load_meteor_data(const DataFiles& files, const std::filesystem::path& cache_folder);

}  // namespace snellen::text::meteor
