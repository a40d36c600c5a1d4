// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/dialog.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/eyechart/world/captions.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/phrases.h"
#include "snellen/text/words/number_words.h"

namespace snellen::eyechart {
namespace {

// One meaning in several words.
using Wordings = std::vector<std::string>;

struct Asked {
  std::string question;
  Wordings answer;
};

Wordings yes() {
  return {"yes", "yes it is", "yes, it is", "yeah"};
}
Wordings no() {
  return {"no", "no it isn't", "no, it is not", "nope"};
}
Wordings yes_or_no(bool holds) {
  return holds ? yes() : no();
}
Wordings colour_answer(std::string_view name) {
  return {std::string(name), fmt::format("it is {}", name), fmt::format("it's {}", name)};
}
Wordings count_answer(size_t count) {
  const std::string word = text::number_words(fmt::to_string(count));
  return {fmt::to_string(count), word, fmt::format("i see {}", word)};
}
Wordings noun_answer(std::string_view noun) {
  return {fmt::format("{} {}", article_for(noun), noun), fmt::format("the {}", noun)};
}
Wordings place_answer(Place place) {
  const PlaceWords& words = words_of(place);
  return {std::string(words.phrase), fmt::format("it looks like it is {}", words.phrase)};
}
Wordings stuff_answer(Material material) {
  constexpr std::array<std::string_view, 6> kStuffs = {
      "", "wood", "metal", "plastic", "glass", "stone"};
  const std::string_view stuff = kStuffs.at(static_cast<size_t>(material));
  return {std::string(stuff), fmt::format("it is made of {}", stuff)};
}
Wordings unknown_answer() {
  return {"i can't tell", "can't tell", "i am not sure"};
}

// Every meaning that an answer may have, to draw wrong ones from.
std::vector<Wordings> all_answers() {
  std::vector<Wordings> all = {yes(), no(), unknown_answer()};
  for (const NamedColour& colour : kColours) all.push_back(colour_answer(colour.name));
  for (size_t count = 1; count <= 8; ++count) all.push_back(count_answer(count));
  for (const Noun& noun : nouns()) all.push_back(noun_answer(noun.name));
  for (size_t i = 0; i < kNumPlaces; ++i) all.push_back(place_answer(static_cast<Place>(i)));
  for (size_t i = 1; i < kMaterials.size(); ++i)
    all.push_back(stuff_answer(static_cast<Material>(i)));
  return all;
}

class Asker {
 public:
  Asker(const Scene& scene, Rng& rng) : scene_(scene), rng_(rng) {}

  // More than ten, no question twice.
  std::vector<Asked> questions() {
    about_the_place();
    for (const Thing& thing : scene_.things) about(thing);
    for (const Relation& relation : scene_.relations) about(relation);
    for (int i = 0; i < 6; ++i) about_something_absent();
    rng_.shuffle(std::span(asked_));
    std::set<std::string> seen;
    std::vector<Asked> kept;
    for (Asked& one : asked_) {
      if (seen.insert(one.question).second) kept.push_back(std::move(one));
    }
    return kept;
  }

 private:
  void ask(std::string question, Wordings answer) {
    asked_.push_back({std::move(question), std::move(answer)});
  }

  void about_the_place() {
    const bool is_indoor = words_of(scene_.backdrop.place).is_indoor;
    ask("is this indoors?", yes_or_no(is_indoor));
    ask("is it outside?", yes_or_no(!is_indoor));
    ask("where is this?", place_answer(scene_.backdrop.place));
    ask("is it sunny?", is_indoor ? unknown_answer() : yes_or_no(scene_.backdrop.is_sunny));
    if (std::all_of(scene_.things.begin(), scene_.things.end(), [](const Thing& t) {
          return t.copies == 1;
        })) {
      ask("how many things do you see?", count_answer(scene_.things.size()));
    }
  }

  void about(const Thing& thing) {
    const Noun& noun = nouns()[thing.noun];
    if (thing.copies > 1) return ask(fmt::format("are there many {}?", noun.plural), yes());
    ask(fmt::format("is there {} {}?", article_for(noun.name), noun.name), yes());
    if (noun.name == "person") return;
    if (!noun.can(kFixedColour) && takes_colour(thing.look.material)) {
      ask(fmt::format("what color is the {}?", noun.name),
          colour_answer(kColours.at(thing.look.colour).name));
    }
    ask(fmt::format("is the {} large?", noun.name), yes_or_no(thing.look.size == Size::kLarge));
    if (noun.can(kPatterned)) {
      ask(fmt::format("is the {} striped?", noun.name),
          yes_or_no(thing.look.pattern == Pattern::kStriped));
    }
    if (thing.look.material != Material::kUsual) {
      ask(fmt::format("what is the {} made of?", noun.name), stuff_answer(thing.look.material));
    }
  }

  void about(const Relation& relation) {
    const std::string_view object = nouns()[scene_.things[relation.object].noun].name;
    // What else stands there would be right as well.
    const auto rivals =
        std::count_if(scene_.relations.begin(), scene_.relations.end(), [&](const Relation& other) {
          return other.predicate == relation.predicate && other.object == relation.object;
        });
    if (rivals != 1 || scene_.things[relation.subject].copies > 1) return;
    ask(fmt::format("what {} the {}?", words_of(relation.predicate).clause, object),
        noun_answer(nouns()[scene_.things[relation.subject].noun].name));
  }

  void about_something_absent() {
    const Noun& noun = nouns()[rng_.below(nouns().size())];
    const bool is_here =
        std::any_of(scene_.things.begin(), scene_.things.end(), [&](const Thing& thing) {
          return nouns()[thing.noun].name == noun.name;
        });
    if (!is_here) ask(fmt::format("is there {} {}?", article_for(noun.name), noun.name), no());
  }

  const Scene& scene_;
  Rng& rng_;
  std::vector<Asked> asked_;
};

Round round_of(Rng& rng, const Asked& asked, const std::vector<Wordings>& all) {
  Round round;
  round.question = asked.question;
  round.answer = asked.answer[rng.below(asked.answer.size())];
  // The same in other words is always among the options; the rest means something else.
  std::vector<std::string> others;
  for (const Wordings& meaning : all) {
    if (meaning.front() == asked.answer.front()) continue;
    others.insert(others.end(), meaning.begin(), meaning.end());
  }
  rng.shuffle(std::span(others));
  others.resize(kOptions - asked.answer.size());
  round.options = asked.answer;
  round.options.insert(round.options.end(), others.begin(), others.end());
  rng.shuffle(std::span(round.options));
  for (size_t i = 0; i < round.options.size(); ++i) {
    const std::string& option = round.options[i];
    const bool is_same =
        std::find(asked.answer.begin(), asked.answer.end(), option) != asked.answer.end();
    if (option == round.answer) round.answer_index = i;
    round.relevance.push_back(option == round.answer ? 1.0
                              : is_same              ? 0.2 * static_cast<double>(3 + rng.below(3))
                                                     : 0.0);
  }
  return round;
}

}  // namespace

Dialog draw_dialog(const Scene& scene, uint64_t seed) {
  Rng rng = Rng(seed).fork("eyechart-dialog").fork(scene.id);
  const std::vector<Wordings> all = all_answers();
  Dialog dialog;
  dialog.caption = draw_caption(rng, scene);
  const std::vector<Asked> questions = Asker(scene, rng).questions();
  SNELLEN_CHECK(questions.size() >= kRounds);
  for (size_t i = 0; i < kRounds; ++i) dialog.rounds.push_back(round_of(rng, questions[i], all));
  return dialog;
}

}  // namespace snellen::eyechart
