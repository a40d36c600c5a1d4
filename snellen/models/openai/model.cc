// SPDX-License-Identifier: Apache-2.0
// A model behind an OpenAI-compatible endpoint (docs/served.md): scores from the chances of its
// first token, and answers as they are.
#include <algorithm>
#include <array>
#include <atomic>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/models/exec/temporary_folder.h"
#include "snellen/models/openai/chances.h"
#include "snellen/models/openai/endpoint.h"
#include "snellen/models/openai/pictures.h"
#include "snellen/models/openai/settings.h"
#include "snellen/models/worker.h"

namespace snellen::models {
namespace {

using openai::ChatRequest;
using openai::Endpoint;
using openai::Pictures;

constexpr unsigned kTopLogprobs = 20;
constexpr unsigned kTokensPerScore = 1;
constexpr unsigned kTokensPerAnswer = 16;
constexpr size_t kMostLetters = 26;
// Of all letters together; below it the model wanted to say something else.
constexpr double kFaintMass = 0.5;
// Guesses of the forecast.
constexpr double kBytesPerToken = 4;
constexpr double kTokensPerPicture = 1000;
// More than are under way at once: those that wait for their next attempt hold no place.
constexpr unsigned kWaitingPerRequest = 4;
constexpr unsigned kMostThreads = 256;

// What --score asks for: how likely "yes" is, which letter, or how likely the text itself.
constexpr auto kScores = std::to_array<const char*>({"yes", "letter", "likelihood"});
enum class Asks { kYes, kLetter, kLikelihood };

questions::ScoreKind kind_of(Asks asks) {
  switch (asks) {
    case Asks::kLetter:
      return questions::ScoreKind::kChoice;
    case Asks::kLikelihood:
      return questions::ScoreKind::kLogLikelihood;
    case Asks::kYes:
      break;
  }
  return questions::ScoreKind::kSimilarity;
}

class ServedModel final : public Worker {
 public:
  struct Options {
    std::string name;
    openai::Settings settings;
    openai::EndpointOptions endpoint;
    openai::PictureOptions pictures;
    openai::ChatParameters parameters;
    Asks asks = Asks::kYes;
    std::unique_ptr<exec::TemporaryFolder> own_cache;  // where nothing is kept between runs
    std::function<void(std::string_view line)> say;
  };

  explicit ServedModel(Options options)
      : options_(std::move(options)),
        name_space_(openai::name_space_of(options_.endpoint)),
        pictures_(options_.pictures),
        endpoint_(options_.endpoint) {
    const unsigned concurrency = options_.settings.concurrency;
    const bool reads_texts = options_.asks == Asks::kLikelihood;
    traits_ = {
        .looks = !reads_texts,
        .kind = kind_of(options_.asks),
        .at_once = std::max(concurrency, std::min(kMostThreads, kWaitingPerRequest * concurrency)),
        .answers = !reads_texts,
        .takes_texts_alone = true,
        .has_masses = !reads_texts,
        .takes_pictures_as_they_are = true,
        .alpha_on_white = true};
  }

  const WorkerTraits& traits() const override { return traits_; }

  std::vector<Model::Identity> identity() const override {
    std::vector<Model::Identity> identity = {
        {"served_model", options_.name},
        {"served_by", name_space_},
        {"score", kScores[static_cast<size_t>(options_.asks)]}};
    for (Model::Identity& one : openai::identity_of(options_.settings))
      identity.push_back(std::move(one));
    return identity;
  }

  void expect(const ExpectedWork& work) const override {
    const uint64_t requests = work.scores + work.answers;
    if (!options_.say || requests == 0) return;
    const openai::Settings& settings = options_.settings;
    const auto pictures =
        static_cast<double>(work.pictures) +
        static_cast<double>(work.clips) * static_cast<double>(settings.frames_per_clip);
    const double prompt =
        static_cast<double>(work.text_bytes) / kBytesPerToken + pictures * kTokensPerPicture;
    const double answer =
        static_cast<double>(work.scores) * settings.max_tokens.value_or(kTokensPerScore) +
        static_cast<double>(work.answers) *
            settings.max_tokens.value_or(takes_letters() ? kTokensPerScore : kTokensPerAnswer);
    options_.say(fmt::format(
        "forecast: at most {} requests, about {:.0f} prompt tokens ({:.0f} for each picture) and "
        "at most {:.0f} answer tokens{}; answers that the cache holds are not asked for",
        requests,
        prompt,
        kTokensPerPicture,
        answer,
        price(prompt, answer)));
  }

  Result<WorkerAnswer> score(const WorkerQuestion& question,
                             const IsStopped& is_stopped) const override {
    if (options_.asks == Asks::kLikelihood) return likelihoods(question, is_stopped);
    Result<Pictures::Held> held = shown(question);
    if (!held) return held.error();
    Result<WorkerAnswer> answer = options_.asks == Asks::kLetter
                                      ? letter_scores(question, **held, is_stopped)
                                      : yes_scores(question, **held, is_stopped);
    if (!answer) return answer;
    WorkerAnswer found = std::move(answer).value();
    found.frames = (*held)->frames;
    return found;
  }

  Result<WorkerReply> answer(const WorkerQuestion& question,
                             const IsStopped& is_stopped) const override {
    Result<Pictures::Held> held = shown(question);
    if (!held) return held.error();
    ChatRequest request = request_of(**held, std::string(question.texts.front()));
    request.parameters.max_tokens = options_.settings.max_tokens.value_or(kTokensPerAnswer);
    // A server that draws with the same seed would say the same again.
    if (request.parameters.seed) *request.parameters.seed += question.repeat;
    request.sample = question.repeat;
    if (takes_letters()) {
      if (openai::num_option_lines(request.text) < 2) return no_letters();
      request.parameters.max_tokens = options_.settings.max_tokens.value_or(kTokensPerScore);
      request.parameters.top_logprobs = kTopLogprobs;
    }
    Result<Endpoint::Answer> got = endpoint_.wait(*endpoint_.send(request), is_stopped);
    if (got && takes_letters() && is_cut_short(got->chat)) got = ask_for_words(request, is_stopped);
    if (!got) return got.error();
    openai::ChatAnswer said = std::move(got).value().chat;
    const bool is_refused = said.is_refused();
    std::string text = said.text.empty() && is_refused ? said.refusal : said.text;
    ++num_answers_;
    if (takes_letters()) {
      if (!is_refused) take_likeliest_letter(request.text, said, text);
    } else if (said.finish_reason == "length") {
      ++num_cut_off_;
    }
    return WorkerReply{
        .text = std::move(text),
        .facts = questions::AnswerFacts{.finish_reason = std::move(said.finish_reason),
                                        .is_refused = is_refused},
        .frames = (*held)->frames};
  }

  std::vector<std::string> notes() const override {
    const openai::EndpointCounts counts = endpoint_.counts();
    std::vector<std::string> notes = {fmt::format(
        "{} asked {} requests in {} attempts ({} were told to slow down), {} answers came from the "
        "cache, {} failed; {} prompt and {} answer tokens{}",
        options_.name,
        counts.requests,
        counts.tries,
        counts.throttled,
        counts.cached,
        counts.failed,
        counts.prompt_tokens,
        counts.completion_tokens,
        price(static_cast<double>(counts.prompt_tokens),
              static_cast<double>(counts.completion_tokens)))};
    if (num_from_words_ > 0)
      notes.push_back(fmt::format(
          "the server gave no log-probabilities for {} of {} scores, which are what its "
          "words say: 1 or 0",
          num_from_words_.load(),
          num_scores_.load()));
    if (num_cut_off_ > 0)
      notes.push_back(fmt::format(
          "{} of {} answers reached their longest length and were cut off; --max-tokens raises it",
          num_cut_off_.load(),
          num_answers_.load()));
    if (num_without_letter_ > 0)
      notes.push_back(fmt::format(
          "{} of {} answers are what the model's words say: the server gave no log-probabilities "
          "for them, or none of the letters was among the likeliest tokens",
          num_without_letter_.load(),
          num_answers_.load()));
    if (num_faint_letters_ > 0)
      notes.push_back(
          fmt::format("in {} of {} answers the letters had less than half of the "
                      "probability: the model wanted to say something else",
                      num_faint_letters_.load(),
                      num_answers_.load()));
    for (std::string& note : endpoint_.notes()) notes.push_back(std::move(note));
    return notes;
  }

 private:
  bool takes_letters() const { return options_.settings.answer_mode == openai::kLetterLogprob; }

  static Error no_letters() {
    return Error{ErrorCode::kInvalidInput,
                 "the question lists no options behind letters",
                 {},
                 fmt::format("--answer-mode {} wants prompts that do, such as --prompt letters; "
                             "take --answer-mode text",
                             openai::kLetterLogprob)};
  }

  // The letter in the place of the answer's words, where the server says how likely letters are.
  void take_likeliest_letter(const std::string& question,
                             const openai::ChatAnswer& said,
                             std::string& text) const {
    const Result<openai::LetterChances> chances =
        openai::letter_chances(said, openai::num_option_lines(question));
    if (!chances || chances->is_from_words) {
      ++num_without_letter_;
      return;
    }
    const auto best = std::ranges::max_element(chances->shares);  // the first of equal ones
    text.assign(1, static_cast<char>('A' + (best - chances->shares.begin())));
    num_faint_letters_ += chances->mass < kFaintMass ? 1 : 0;
  }

  Result<Pictures::Held> shown(const WorkerQuestion& question) const {
    if (question.drawn != nullptr) return pictures_.show({.name = {}, .source = *question.drawn});
    if (question.place == nullptr) return std::make_shared<const openai::ShownPictures>();
    return pictures_.show({.name = {}, .source = *question.place}, question.picture);
  }

  ChatRequest request_of(const openai::ShownPictures& shown, std::string text) const {
    return {.model = options_.name,
            .system = options_.settings.system,
            .pictures = shown.pictures,
            .text = std::move(text),
            .parameters = options_.parameters};
  }

  ChatRequest score_request(const openai::ShownPictures& shown, std::string text) const {
    ChatRequest request = request_of(shown, std::move(text));
    request.parameters.max_tokens = options_.settings.max_tokens.value_or(kTokensPerScore);
    request.parameters.top_logprobs = kTopLogprobs;
    return request;
  }

  // Scores of all requests, read by `read`; the first that has none fails all.
  template <typename Score, typename Read>
  Result<std::vector<Score>> ask_all(const std::vector<ChatRequest>& requests,
                                     const IsStopped& is_stopped,
                                     const Read& read) const {
    std::vector<Endpoint::Handle> sent;
    sent.reserve(requests.size());
    for (const ChatRequest& request : requests) sent.push_back(endpoint_.send(request));
    std::vector<Score> scores;
    for (size_t i = 0; i < sent.size(); ++i) {
      Result<Endpoint::Answer> got = endpoint_.wait(*sent[i], is_stopped);
      if (!got) return got.error();
      Result<Score> score = read(got->chat);
      if (!score && is_cut_short(got->chat)) {
        got = ask_for_words(requests[i], is_stopped);
        if (!got) return got.error();
        score = read(got->chat);
      }
      if (!score) return score.error();
      ++num_scores_;
      num_from_words_ += score->is_from_words ? 1 : 0;
      scores.push_back(std::move(score).value());
    }
    return scores;
  }

  // One token without log-probabilities may be half a word, or the begin of a sentence.
  bool is_cut_short(const openai::ChatAnswer& answer) const {
    return answer.first_token.empty() && answer.finish_reason == "length" &&
           !options_.settings.max_tokens;
  }

  Result<Endpoint::Answer> ask_for_words(ChatRequest request, const IsStopped& is_stopped) const {
    request.parameters.max_tokens = kTokensPerAnswer;
    request.parameters.top_logprobs = 0;
    return endpoint_.wait(*endpoint_.send(request), is_stopped);
  }

  Result<WorkerAnswer> yes_scores(const WorkerQuestion& question,
                                  const openai::ShownPictures& shown,
                                  const IsStopped& is_stopped) const {
    std::vector<ChatRequest> requests;
    for (const std::string_view text : question.texts)
      requests.push_back(
          score_request(shown, openai::filled(options_.settings.yes_template, text)));
    Result<std::vector<openai::YesScore>> scores =
        ask_all<openai::YesScore>(requests, is_stopped, openai::yes_score);
    if (!scores) return scores.error();
    WorkerAnswer answer;
    for (const openai::YesScore& one : *scores) {
      answer.values.push_back(one.value);
      answer.masses.push_back(one.mass);
    }
    return answer;
  }

  // The texts by themselves, as prompts of a language model.
  Result<WorkerAnswer> likelihoods(const WorkerQuestion& question,
                                   const IsStopped& is_stopped) const {
    std::vector<Endpoint::Handle> sent;
    for (const std::string_view text : question.texts) {
      ChatRequest request{.model = options_.name,
                          .text = std::string(text),
                          .parameters = options_.parameters,
                          .is_read_alone = true};
      request.parameters.max_tokens = kTokensPerScore;  // some servers take no 0
      sent.push_back(endpoint_.send(request));
    }
    WorkerAnswer answer;
    for (const Endpoint::Handle& one : sent) {
      Result<Endpoint::Answer> got = endpoint_.wait(*one, is_stopped);
      if (!got) return got.error();
      if (!got->chat.prompt_likelihood)
        return Error{ErrorCode::kInvalidInput,
                     "the server gives no log-probabilities of a prompt",
                     {},
                     "--score likelihood wants a server whose /completions knows echo and "
                     "logprobs, such as vLLM"};
      answer.values.push_back(*got->chat.prompt_likelihood);
    }
    return answer;
  }

  // Every option stands once behind every letter; its score is the mean of its shares.
  Result<WorkerAnswer> letter_scores(const WorkerQuestion& question,
                                     const openai::ShownPictures& shown,
                                     const IsStopped& is_stopped) const {
    const size_t count = question.texts.size();
    if (count < 2 || count > kMostLetters)
      return Error{
          ErrorCode::kInvalidInput,
          fmt::format(
              "the question has {} texts; --score letter takes 2 to {}", count, kMostLetters),
          std::string(question.item),
          "take --score yes"};
    std::vector<ChatRequest> requests;
    for (size_t shift = 0; shift < count; ++shift) {
      std::vector<std::string_view> order;
      for (size_t i = 0; i < count; ++i) order.push_back(question.texts[(i + shift) % count]);
      requests.push_back(
          score_request(shown, openai::letter_prompt(options_.settings.letter_question, order)));
    }
    auto read = [count](const openai::ChatAnswer& one) {
      return openai::letter_chances(one, count);
    };
    Result<std::vector<openai::LetterChances>> chances =
        ask_all<openai::LetterChances>(requests, is_stopped, read);
    if (!chances) return chances.error();
    WorkerAnswer answer{.values = std::vector<double>(count), .masses = std::vector<double>(count)};
    for (size_t shift = 0; shift < count; ++shift) {
      const openai::LetterChances& one = (*chances)[shift];
      for (size_t i = 0; i < count; ++i) {
        answer.values[(i + shift) % count] += one.shares[i] / static_cast<double>(count);
        answer.masses[i] += one.mass / static_cast<double>(count);
      }
    }
    return answer;
  }

  std::string price(double prompt_tokens, double answer_tokens) const {
    const openai::Settings& settings = options_.settings;
    if (!settings.prompt_price && !settings.answer_price) return {};
    const double sum = prompt_tokens / 1e6 * settings.prompt_price.value_or(0) +
                       answer_tokens / 1e6 * settings.answer_price.value_or(0);
    return fmt::format(", which cost {:.4f} at the given prices", sum);
  }

  Options options_;
  std::string name_space_;
  WorkerTraits traits_;
  mutable Pictures pictures_;  // safe from many threads
  mutable Endpoint endpoint_;  // safe from many threads
  mutable std::atomic<uint64_t> num_scores_ = 0;
  mutable std::atomic<uint64_t> num_from_words_ = 0;
  mutable std::atomic<uint64_t> num_answers_ = 0;
  mutable std::atomic<uint64_t> num_cut_off_ = 0;
  mutable std::atomic<uint64_t> num_without_letter_ = 0;
  mutable std::atomic<uint64_t> num_faint_letters_ = 0;
};

class ServedEntry : public WorkerEntry {
 public:
  const ModelFacts& facts() const override { return facts_; }

  std::unique_ptr<Worker> open_worker(const ModelRequest& request) const override {
    if (request.argument.empty())
      throw Error{ErrorCode::kUsage,
                  "no model named",
                  "--model openai",
                  "openai:NAME, as the server calls it"};
    SNELLEN_CHECK(request.options != nullptr);
    const auto& settings = request.options->get<openai::Settings>();
    openai::filled(settings.yes_template, "");  // throws where it does not fit
    ServedModel::Options options{.name = request.argument,
                                 .settings = settings,
                                 .endpoint = openai::endpoint_options(settings, request),
                                 .pictures = openai::picture_options(settings, request.is_compat),
                                 .parameters = openai::chat_parameters(settings, request.seed),
                                 .asks = asks_of(request.score),
                                 .own_cache = nullptr,
                                 .say = request.say};
    if (request.cache.empty()) {
      std::filesystem::create_directories(request.working_folder);
      options.own_cache = std::make_unique<exec::TemporaryFolder>(request.working_folder);
      options.endpoint.cache = options.own_cache->path();
    } else {
      options.endpoint.cache = request.cache / "answers";
    }
    options.endpoint.say = request.say;
    if (settings.log_level == "debug" && request.say)
      options.endpoint.debug = [say = request.say](std::string_view line) {
        say(fmt::format("debug: {}", line));
      };
    return std::make_unique<ServedModel>(std::move(options));
  }

 private:
  static Asks asks_of(const std::string& score) {
    if (score.empty()) return Asks::kYes;
    const auto found = std::ranges::find(kScores, score);
    if (found == kScores.end())
      throw Error{ErrorCode::kUsage,
                  fmt::format("a served model has no score '{}'", score.substr(0, 40)),
                  "--score",
                  fmt::format("it has {}", fmt::join(kScores, ", "))};
    return static_cast<Asks>(found - kScores.begin());
  }

  ModelFacts facts_ = {.name = "openai",
                       .summary = "a model behind an OpenAI-compatible server (docs/served.md)",
                       .usage = "--model openai:NAME --base-url http://127.0.0.1:8000/v1",
                       .scores = {kScores.begin(), kScores.end()},
                       .can_answer = true,
                       .is_named_by_argument = true,
                       .settings = {openai::settings_block()}};
};

}  // namespace

std::unique_ptr<ModelEntry> make_openai();
std::unique_ptr<ModelEntry> make_openai() {
  return std::make_unique<ServedEntry>();
}

}  // namespace snellen::models
