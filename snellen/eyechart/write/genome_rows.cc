// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/write/genome_rows.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/python_json.h"
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
  return fmt::format("[\"{}.n.01\"]", name);
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
    std::string rows;
    for (size_t i = 0; i < names_.size(); ++i) {
      if (boxes_[i].width == 0) continue;
      rows += fmt::format("{}{{{}, \"names\": [{}], {}}}",
                          rows.empty() ? "" : ", ",
                          place(i),
                          python_string(names_[i]),
                          rest(i));
    }
    return fmt::format("{{\"image_id\": {}, \"objects\": [{}], \"image_url\": \"VG_100K/{}.jpg\"}}",
                       id(),
                       rows,
                       id());
  }

  std::string relationships() {
    std::string rows;
    for (const Relation& relation : scene_.relations) {
      if (boxes_[relation.subject].width == 0 || boxes_[relation.object].width == 0) continue;
      const std::string_view name =
          varied(rng_, words_of(relation.predicate).name, kPredicateAliases);
      rows += fmt::format(
          "{}{{\"predicate\": {}, \"object\": {}, \"relationship_id\": {}, \"synsets\": [], "
          "\"subject\": {}}}",
          rows.empty() ? "" : ", ",
          python_string(name),
          named(relation.object),
          id() * 100 + num_relationships_++,
          named(relation.subject));
    }
    return fmt::format("{{\"relationships\": [{}], \"image_id\": {}}}", rows, id());
  }

  std::string attributes() const {
    std::string rows;
    for (size_t i = 0; i < names_.size(); ++i) {
      std::string words;
      for (const NamedAttribute& one : attributes_of(scene_.things[i])) {
        words += fmt::format("{}{}", words.empty() ? "" : ", ", python_string(one.name));
      }
      rows += fmt::format("{}{{{}, \"names\": [{}], \"attributes\": [{}], {}}}",
                          rows.empty() ? "" : ", ",
                          place(i),
                          python_string(names_[i]),
                          words,
                          rest(i));
    }
    return fmt::format("{{\"image_id\": {}, \"attributes\": [{}]}}", id(), rows);
  }

 private:
  uint64_t id() const { return genome_id(scene_.id); }
  std::string place(size_t i) const {
    const media::MaskBox& box = boxes_[i];
    return fmt::format("\"object_id\": {}, \"x\": {}, \"y\": {}, \"w\": {}, \"h\": {}",
                       id() * 10 + i,
                       box.x,
                       box.y,
                       box.width,
                       box.height);
  }
  std::string rest(size_t i) const {
    return fmt::format("\"synsets\": {}, \"merged_object_ids\": []",
                       synset_of(nouns()[scene_.things[i].noun].name));
  }
  std::string named(size_t i) const {
    return fmt::format("{{\"name\": {}, {}, {}}}", python_string(names_[i]), place(i), rest(i));
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
  rows.image_data = fmt::format(
      "{{\"width\": {}, \"url\": \"VG_100K/{}.jpg\", \"height\": {}, \"image_id\": {}, "
      "\"coco_id\": {}, \"flickr_id\": null}}",
      picture.image.width,
      genome_id(scene.id),
      picture.image.height,
      genome_id(scene.id),
      coco_id ? fmt::to_string(*coco_id) : "null");
  return rows;
}

std::string genome_object_aliases() {
  return alias_lines(kNounAliases);
}

std::string genome_relationship_aliases() {
  return alias_lines(kPredicateAliases);
}

}  // namespace snellen::eyechart
