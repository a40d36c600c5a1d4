// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/write/genome_rows.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/json_object.h"
#include "snellen/base/rng.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/phrases.h"
#include "snellen/media/masks/rle.h"

namespace snellen::eyechart {
namespace {

constexpr uint64_t kIdOffset = 2'300'000;

struct Alias {
  std::string_view canonical;
  std::string_view other;
};

constexpr std::array kNounAliases = {
    Alias{"couch", "sofa"},
    Alias{"tv", "television"},
    Alias{"cell phone", "mobile phone"},
    Alias{"airplane", "plane"},
    Alias{"bicycle", "bike"},
    Alias{"dining table", "table"},
    Alias{"refrigerator", "fridge"},
    Alias{"sports ball", "ball"},
    Alias{"teddy bear", "teddy"},
};
constexpr std::array kPredicateAliases = {
    Alias{"left of", "to the left of"},
    Alias{"right of", "to the right of"},
    Alias{"inside", "inside of"},
    Alias{"under", "underneath"},
    Alias{"in front of", "before"},
};

// The name, or one time in four its other name.
template <typename Aliases>
std::string_view varied(Rng& rng, std::string_view name, const Aliases& aliases) {
  const bool is_other = rng.below(4) == 0;
  for (const Alias& alias : aliases) {
    if (is_other && alias.canonical == name) return alias.other;
  }
  return name;
}

template <typename Aliases>
std::string alias_lines(const Aliases& aliases) {
  std::string lines;
  for (const Alias& alias : aliases) lines += fmt::format("{},{}\n", alias.canonical, alias.other);
  return lines;
}

std::string synset_of(std::string_view noun) {
  std::string name(noun);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name + ".n.01";
}

class GenomeScene {
 public:
  GenomeScene(const Scene& scene, const Picture& picture, uint64_t seed)
      : scene_(scene), rng_(Rng(seed).fork("eyechart-genome").fork(scene.id)) {
    for (size_t i = 0; i < scene.things.size(); ++i) {
      names_.emplace_back(varied(rng_, nouns()[scene.things[i].noun].name, kNounAliases));
      boxes_.push_back(media::box_of(media::rle_of(picture.visible[i])));
    }
  }

  std::string objects() const {
    std::vector<JsonText> rows;
    for (size_t i = 0; i < names_.size(); ++i) {
      if (boxes_[i].width == 0) continue;
      rows.push_back(
          place(i).add({{"names", std::vector<std::string>{names_[i]}}}).add(rest(i)).as_ascii());
    }
    return python_object({{"image_id", id()},
                          {"objects", rows},
                          {"image_url", fmt::format("VG_100K/{}.jpg", id())}});
  }

  std::string relationships() {
    std::vector<JsonText> rows;
    for (const Relation& relation : scene_.relations) {
      if (boxes_[relation.subject].width == 0 || boxes_[relation.object].width == 0) continue;
      const std::string_view name =
          varied(rng_, words_of(relation.predicate).name, kPredicateAliases);
      rows.push_back(python_object({{"predicate", name},
                                    {"object", named(relation.object)},
                                    {"relationship_id", id() * 100 + num_relationships_++},
                                    {"synsets", std::vector<int>()},
                                    {"subject", named(relation.subject)}}));
    }
    return python_object({{"relationships", rows}, {"image_id", id()}});
  }

  std::string attributes() const {
    std::vector<JsonText> rows;
    for (size_t i = 0; i < names_.size(); ++i) {
      std::vector<std::string> words;
      for (const NamedAttribute& one : attributes_of(scene_.things[i]))
        words.emplace_back(one.name);
      rows.push_back(
          place(i)
              .add({{"names", std::vector<std::string>{names_[i]}}, {"attributes", words}})
              .add(rest(i))
              .as_ascii());
    }
    return python_object({{"image_id", id()}, {"attributes", rows}});
  }

 private:
  uint64_t id() const { return genome_id(scene_.id); }
  JsonObject place(size_t i) const {
    const media::MaskBox& box = boxes_[i];
    return {{"object_id", id() * 10 + i},
            {"x", box.x},
            {"y", box.y},
            {"w", box.width},
            {"h", box.height}};
  }
  JsonObject rest(size_t i) const {
    return {{"synsets", std::vector<std::string>{synset_of(nouns()[scene_.things[i].noun].name)}},
            {"merged_object_ids", std::vector<int>()}};
  }
  JsonText named(size_t i) const {
    return JsonObject{{"name", names_[i]}}.add(place(i)).add(rest(i)).as_ascii();
  }

  const Scene& scene_;
  Rng rng_;
  std::vector<std::string> names_;
  std::vector<media::MaskBox> boxes_;
  uint64_t num_relationships_ = 0;
};

}  // namespace

uint64_t genome_id(uint64_t scene_id) {
  return kIdOffset + scene_id;
}

GenomeRows genome_rows(const Scene& scene,
                       const Picture& picture,
                       uint64_t seed,
                       std::optional<uint64_t> coco_id) {
  GenomeScene genome(scene, picture, seed);
  GenomeRows rows;
  rows.objects = genome.objects();
  rows.relationships = genome.relationships();
  rows.attributes = genome.attributes();
  rows.image_data = python_object({{"width", picture.image.width},
                                   {"url", fmt::format("VG_100K/{}.jpg", genome_id(scene.id))},
                                   {"height", picture.image.height},
                                   {"image_id", genome_id(scene.id)},
                                   {"coco_id", coco_id},
                                   {"flickr_id", nullptr}});
  return rows;
}

std::string genome_object_aliases() {
  return alias_lines(kNounAliases);
}

std::string genome_relationship_aliases() {
  return alias_lines(kPredicateAliases);
}

}  // namespace snellen::eyechart
