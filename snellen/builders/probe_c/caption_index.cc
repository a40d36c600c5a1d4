// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_c/caption_index.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "snellen/base/ordered_pipeline.h"

namespace snellen::builders::probe_c {
namespace {

constexpr uint64_t kCaptionsAtOnce = 4096;

}  // namespace

// One caption's words.
struct CaptionIndex::Words {
  int64_t image_id;
  int64_t caption_id;
  uint64_t position;
  CaptionWords words;
};

CaptionIndex::CaptionIndex(const annotations::CocoCaptionsFile& file,
                           const Lexicon& lexicon,
                           const builders::Workers& workers,
                           builders::BadRecords& bad,
                           const std::unordered_set<int64_t>& left_out)
    : lexicon_(lexicon), own_files_(annotations::own_file_names(file.elements().path())) {
  struct Made {
    std::vector<Words> captions;
    std::vector<Error> bad;
  };
  uint64_t count = file.elements().size();
  auto make = [&](uint64_t chunk) {
    Made made;
    uint64_t end = std::min(count, (chunk + 1) * kCaptionsAtOnce);
    for (uint64_t i = chunk * kCaptionsAtOnce; i < end; ++i) {
      Result<annotations::CocoCaption> caption = file.caption(i);
      if (!caption) {
        made.bad.push_back(caption.error());
        continue;
      }
      made.captions.push_back({.image_id = caption->image_id,
                               .caption_id = caption->id,
                               .position = i,
                               .words = lexicon.words_of(caption->caption)});
    }
    return made;
  };
  std::vector<Words> captions;
  std::unordered_set<int64_t> seen;
  uint64_t num_done = 0;
  auto take = [&](Made&& made) {
    bad.add(made.bad);
    for (Words& words : made.captions) {
      if (seen.insert(words.caption_id).second) {
        captions.push_back(std::move(words));
        continue;
      }
      bad.add(Error{ErrorCode::kInvalidInput,
                    fmt::format("caption id {} occurs twice; the first is used", words.caption_id),
                    file.elements().where(words.position),
                    "fix the record"});
    }
    num_done = std::min(count, num_done + kCaptionsAtOnce);
    workers.tell("reading captions", num_done, count);
  };
  ordered_pipeline<Made>(
      (count + kCaptionsAtOnce - 1) / kCaptionsAtOnce, workers.num_threads, make, take, [] {
        return false;
      });
  index(captions, left_out);
  index_pairs();
}

void CaptionIndex::index(std::vector<Words>& captions,
                         const std::unordered_set<int64_t>& left_out) {
  std::stable_sort(captions.begin(), captions.end(), [](const Words& a, const Words& b) {
    return a.image_id < b.image_id;
  });
  auto unite = [](auto& all, uint64_t begin) {
    auto first = all.begin() + static_cast<ptrdiff_t>(begin);
    std::sort(first, all.end());
    all.erase(std::unique(first, all.end()), all.end());
  };
  pair_begins_.push_back(0);
  noun_begins_.push_back(0);
  for (size_t i = 0; i < captions.size();) {
    int64_t id = captions[i].image_id;
    if (left_out.contains(id)) {
      ++num_left_out_;
      while (i < captions.size() && captions[i].image_id == id) ++i;
      continue;
    }
    for (; i < captions.size() && captions[i].image_id == id; ++i) {
      const CaptionWords& words = captions[i].words;
      pairs_.insert(pairs_.end(), words.pairs.begin(), words.pairs.end());
      nouns_.insert(nouns_.end(), words.nouns.begin(), words.nouns.end());
    }
    unite(pairs_, pair_begins_.back());
    unite(nouns_, noun_begins_.back());
    ids_.push_back(id);
    pair_begins_.push_back(pairs_.size());
    noun_begins_.push_back(nouns_.size());
  }
}

void CaptionIndex::index_pairs() {
  struct Place {
    Pair pair;
    uint32_t image;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> places;
  places.reserve(pairs_.size());
  for (uint32_t image = 0; image < ids_.size(); ++image) {
    for (const Pair& pair : pairs_of(image)) places.push_back({pair, image});
  }
  std::sort(places.begin(), places.end());
  attribute_begins_.push_back(0);
  for (const Place& place : places) {
    if (distinct_.empty() || distinct_.back() != place.pair) {
      while (attribute_begins_.size() <= place.pair.attribute)
        attribute_begins_.push_back(nouns_of_attributes_.size());
      image_begins_.push_back(images_.size());
      distinct_.push_back(place.pair);
      nouns_of_attributes_.push_back(place.pair.noun);
    }
    images_.push_back(place.image);
  }
  image_begins_.push_back(images_.size());
  attribute_begins_.resize(lexicon_.num_attributes() + 1, nouns_of_attributes_.size());
}

std::string_view CaptionIndex::own_file(uint32_t image) const {
  const auto found = own_files_.find(ids_[image]);
  return found == own_files_.end() ? std::string_view() : std::string_view(found->second);
}

std::span<const Pair> CaptionIndex::pairs_of(uint32_t image) const {
  return {pairs_.data() + pair_begins_[image], pairs_.data() + pair_begins_[image + 1]};
}

bool CaptionIndex::mentions(uint32_t image, uint32_t noun) const {
  return std::binary_search(nouns_.begin() + static_cast<ptrdiff_t>(noun_begins_[image]),
                            nouns_.begin() + static_cast<ptrdiff_t>(noun_begins_[image + 1]),
                            noun);
}

bool CaptionIndex::has(uint32_t image, uint32_t attribute, uint32_t noun) const {
  std::span<const Pair> pairs = pairs_of(image);
  for (uint32_t same : lexicon_.same(attribute)) {
    if (std::binary_search(pairs.begin(), pairs.end(), Pair{.attribute = same, .noun = noun}))
      return true;
  }
  return false;
}

std::span<const uint32_t> CaptionIndex::images_with(const Pair& pair) const {
  auto found = std::lower_bound(distinct_.begin(), distinct_.end(), pair);
  if (found == distinct_.end() || *found != pair) return {};
  auto place = static_cast<size_t>(found - distinct_.begin());
  return {images_.data() + image_begins_[place], images_.data() + image_begins_[place + 1]};
}

std::span<const uint32_t> CaptionIndex::nouns_with(uint32_t attribute) const {
  return {nouns_of_attributes_.data() + attribute_begins_[attribute],
          nouns_of_attributes_.data() + attribute_begins_[attribute + 1]};
}

}  // namespace snellen::builders::probe_c
