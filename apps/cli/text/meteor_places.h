// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "snellen/config/options.h"
#include "snellen/text/meteor/meteor_data.h"

namespace snellen::cli {

// What the user named of METEOR's data; empty: not named.
struct MeteorFlags {
  std::string data;        // --meteor-data
  std::string paraphrase;  // --meteor-paraphrase
  std::string wordnet;     // --wordnet
  std::string cache;       // --cache-dir
};

// Where METEOR's data lie, the first that exists: the flag, SNELLEN_METEOR_DATA, the
// data folder (SNELLEN_DATA/meteor), none; WordNet likewise, last Debian's. The cache is
// XDG_CACHE_HOME/snellen, else ~/.cache/snellen. Only programs read the environment, so this is
// asked once and handed down.
std::vector<config::Option> meteor_options();
text::meteor::DataPlaces meteor_places(const MeteorFlags& flags);

}  // namespace snellen::cli
