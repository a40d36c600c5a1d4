// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "snellen/base/error.h"
#include "snellen/media/image.h"
#include "snellen/media/visual_place.h"

namespace snellen::questions {

// A picture that is made in memory. Equal keys mean equal pictures, in every process and run.
struct Drawn {
  std::string key;
  std::function<Result<media::Image>()> draw;  // safe from many threads
};

// A visual whose file cannot be named, and why. Models that do not look can still be asked about
// it.
struct Unplaced {
  std::shared_ptr<const Error> reason;
  // There is nothing to show, and the reason is for models that cannot do without.
  bool is_nothing = false;
};

// What a question shows: a picture, a stretch of a video, or a picture drawn in memory.
struct Visual {
  std::string name;        // tells it from the other visuals of its task
  std::string group = {};  // the picture or video that it is made from; empty: its name
  std::variant<media::VisualPlace, Drawn, Unplaced> source = {};

  // What keeps items on one shard: those whose first visuals share it.
  std::string_view shard_key() const { return group.empty() ? name : group; }
  const Drawn* drawn() const { return std::get_if<Drawn>(&source); }
  // Where a file lies, or why that cannot be said: the reason fails the item alone. Throws the
  // reason where the settings name no place for any visual (kUsage).
  Result<media::VisualPlace> place() const;
};

// A visual for which `why` says that it has no place.
Visual unplaced(std::string name, Error why);
// For items of texts alone; `why` is for models that look.
Visual nothing_shown(Error why);
bool shows_nothing(const Visual& visual);

}  // namespace snellen::questions
