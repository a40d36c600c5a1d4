// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/change_state_texts.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "snellen/base/ascii.h"
#include "snellen/base/error.h"
#include "snellen/text/words/verb_forms.h"

namespace snellen::builders::vilma {
namespace {

// English verbs that are mostly said without an object, sorted.
constexpr std::string_view kIntransitive[] = {
    "agree",     "appear", "arrive",  "ascend",    "become", "belong",  "climb",   "collapse",
    "consist",   "cough",  "crawl",   "cry",       "dance",  "depend",  "descend", "die",
    "disappear", "doze",   "emerge",  "evaporate", "exist",  "explode", "fade",    "fall",
    "float",     "fly",    "gallop",  "glow",      "go",     "grow",    "happen",  "hop",
    "jump",      "kneel",  "laugh",   "lean",      "leap",   "lie",     "limp",    "listen",
    "live",      "look",   "march",   "melt",      "move",   "occur",   "pause",   "pose",
    "pounce",    "pray",   "recline", "relax",     "remain", "respond", "rise",    "roll",
    "run",       "rush",   "sag",     "sail",      "scream", "shake",   "shine",   "shiver",
    "shout",     "sigh",   "sink",    "sit",       "skate",  "ski",     "skip",    "sleep",
    "slide",     "slip",   "smile",   "sneeze",    "spin",   "spit",    "sprint",  "sprout",
    "stagger",   "stand",  "stay",    "stumble",   "swim",   "swing",   "tremble", "tumble",
    "twist",     "vanish", "wade",    "wait",      "wake",   "walk",    "wander",  "wave",
    "whirl",     "wiggle", "wither",  "work",      "yawn",   "yell"};
static_assert(std::size(kIntransitive) == 102);

// Nouns in s that are one thing.
constexpr std::string_view kSingularInS[] = {
    "asparagus", "basis",    "bus",      "cactus", "campus",  "canvas",   "chaos",   "christmas",
    "circus",    "citrus",   "couscous", "gas",    "gps",     "hibiscus", "hummus",  "iris",
    "lens",      "molasses", "mucus",    "news",   "octopus", "pancreas", "papyrus", "plus",
    "sinus",     "status",   "tennis",   "this",   "virus",   "walrus"};

struct Verb {
  std::string word;
  std::string particle;  // with a blank before it, or empty

  explicit Verb(std::string_view text) {
    const size_t blank = text.find(' ');
    word = text.substr(0, blank);
    if (blank != std::string_view::npos) particle = text.substr(blank);
  }
};

// One change with its options: the clauses that all four kinds are made of.
class Sentences {
 public:
  // `nobody` is said where there is no object.
  Sentences(const StateChange& change, const StateTextOptions& options, std::string_view nobody)
      : change_(change),
        options_(options),
        verb_(options.keeps_verb ? change.verb : change.hypernym),
        is_alone_(is_intransitive(verb_)) {
    object_ = change.object.empty() ? nobody : change.object;
    is_plural_ = is_plural_object(object_, options.is_compat);
  }

  StateTexts action() const {
    const bool agrees = true;
    if (options_.is_extended) {
      return {
          told(change_.pre_state, verb_, change_.post_state, agrees),
          told(change_.pre_state, change_.inverse, change_.post_state, agrees, /*is_foil=*/true)};
    }
    return {said_alone(verb_), said_alone(change_.inverse)};
  }

  StateTexts pre_state() const {
    if (options_.is_extended) {
      return {told(change_.pre_state, verb_, change_.post_state, agrees()),
              told(change_.post_state, verb_, change_.post_state, agrees(), /*is_foil=*/true)};
    }
    return {state(options_.start_adverb, change_.pre_state),
            state(options_.start_adverb, change_.post_state)};
  }

  StateTexts post_state() const {
    if (options_.is_extended) {
      return {told(change_.pre_state, verb_, change_.post_state, agrees()),
              told(change_.pre_state, verb_, change_.pre_state, agrees(), /*is_foil=*/true)};
    }
    const std::string adverb = options_.is_compat ? "At the end" : options_.end_adverb;
    return {state(adverb, change_.post_state), state(adverb, change_.pre_state)};
  }

  StateTexts inverse() const {
    return {told(change_.pre_state, verb_, change_.post_state, agrees()),
            told(change_.post_state, change_.inverse, change_.pre_state, agrees())};
  }

 private:
  // The reference let verbs agree with a plural only in the action's own sentence.
  bool agrees() const { return !options_.is_compat; }

  // "Initially, the beans are cold."
  std::string state(std::string_view adverb, std::string_view text) const {
    return fmt::format(
        "{}, {} {} {}.", capitalized(adverb), object_, is_plural_ ? "are" : "is", text);
  }

  // "someone cools the beans down", "the athlete jumps"; without a full stop.
  std::string clause(std::string_view someone, std::string_view verb_text, bool lets_agree) const {
    const Verb verb(verb_text);
    if (is_alone_) {
      const bool is_bare = is_plural_ && lets_agree;
      return fmt::format(
          "{} {}{}", object_, is_bare ? verb.word : text::third_person(verb.word), verb.particle);
    }
    return fmt::format(
        "{} {} {}{}", someone, text::third_person(verb.word), object_, verb.particle);
  }

  std::string said_alone(std::string_view verb) const {
    if (!is_alone_) return clause("Someone", verb, /*lets_agree=*/true) + ".";
    Sentences upper = *this;
    upper.object_ = capitalized(object_);
    return upper.clause("Someone", verb, /*lets_agree=*/true) + ".";
  }

  std::string told(std::string_view before,
                   std::string_view verb,
                   std::string_view after,
                   bool lets_agree,
                   bool is_foil = false) const {
    std::string first = state(options_.start_adverb, before);
    // The reference forgot this full stop, which gives the foil away.
    if (options_.is_compat && is_foil && !is_alone_) first.pop_back();
    return fmt::format("{} {}, {}. {}",
                       first,
                       capitalized(options_.central_adverb),
                       clause("someone", verb, lets_agree),
                       state(options_.end_adverb, after));
  }

  const StateChange& change_;
  const StateTextOptions& options_;
  std::string verb_;
  bool is_alone_;
  std::string object_;
  bool is_plural_ = false;
};

}  // namespace

std::string_view name_of(StateKind kind) {
  switch (kind) {
    case StateKind::kAction:
      return "action";
    case StateKind::kPreState:
      return "prestate";
    case StateKind::kPostState:
      return "poststate";
    case StateKind::kInverse:
      break;
  }
  return "inverse";
}

StateTexts state_texts(const StateChange& change, StateKind kind, const StateTextOptions& options) {
  const bool is_state = kind == StateKind::kPreState || kind == StateKind::kPostState;
  const Sentences sentences(
      change, options, options.is_compat && is_state ? "Someone" : "something");
  switch (kind) {
    case StateKind::kAction:
      return sentences.action();
    case StateKind::kPreState:
      return sentences.pre_state();
    case StateKind::kPostState:
      return sentences.post_state();
    case StateKind::kInverse:
      break;
  }
  return sentences.inverse();
}

bool is_plural_object(std::string_view object, bool is_compat) {
  if (object.empty()) return false;
  if (is_compat) {
    const bool may_be = object.back() == 's' || object.find("and") != std::string_view::npos;
    return may_be && (object.size() < 2 || object[object.size() - 2] != 's');
  }
  const std::string text = ascii_lower(object);
  if (text.find(" and ") != std::string::npos) return true;
  if (!text.ends_with('s') || text.ends_with("ss")) return false;
  const std::string_view last = std::string_view(text).substr(text.find_last_of(' ') + 1);
  return std::find(std::begin(kSingularInS), std::end(kSingularInS), last) ==
         std::end(kSingularInS);
}

bool is_intransitive(std::string_view verb) {
  return std::binary_search(std::begin(kIntransitive), std::end(kIntransitive), verb);
}

std::string capitalized(std::string_view text) {
  std::string result = ascii_lower(text);
  if (!result.empty() && result[0] >= 'a' && result[0] <= 'z')
    result[0] = static_cast<char>(result[0] - 'a' + 'A');
  return result;
}

}  // namespace snellen::builders::vilma
