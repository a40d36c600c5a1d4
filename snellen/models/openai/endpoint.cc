// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/endpoint.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "snellen/base/hash.h"
#include "snellen/models/model.h"
#include "snellen/models/openai/response_cache.h"
#include "snellen/models/openai/secret.h"
#include "snellen/models/openai/server_forms.h"

namespace snellen::models::openai {
namespace {

constexpr auto kLookAgain = std::chrono::milliseconds(100);  // for another process's answer
constexpr auto kAskIfStopped = std::chrono::milliseconds(100);
constexpr unsigned kMostForms = 8;  // of one request, as a server refuses field after field

Error usage(std::string what, const std::string& url, std::string hint) {
  return Error{ErrorCode::kUsage, std::move(what), "--base-url " + url, std::move(hint)};
}

// What follows the colon of "host:port" or "[::1]:port"; none where there is no colon.
std::optional<std::string_view> port_of(std::string_view place) {
  const size_t colon = place.rfind(':');
  if (colon == std::string_view::npos || place.find(']', colon) != std::string_view::npos)
    return std::nullopt;
  return place.substr(colon + 1);
}

bool is_port(const std::optional<std::string_view>& text) {
  if (!text) return true;
  uint32_t number = 0;
  auto [end, code] = std::from_chars(text->data(), text->data() + text->size(), number);
  return code == std::errc() && end == text->data() + text->size() && number > 0 && number <= 65535;
}

}  // namespace

void check_base_url(const std::string& url) {
  const size_t scheme = url.find("://");
  const bool is_web = url.starts_with("http://") || url.starts_with("https://");
  if (!is_web || url.size() <= scheme + 3)
    throw usage(
        "is no address of a server", url.substr(0, 80), "for example http://127.0.0.1:8000/v1");
  const std::string_view rest = std::string_view(url).substr(scheme + 3);
  if (rest.substr(0, rest.find_first_of("/?#")).find('@') != std::string_view::npos)
    throw usage("the address carries credentials",
                "(not shown)",
                "put the key into a variable and name it with --api-key-env");
  if (url.find_first_of(" \t\r\n\"\\?#") != std::string::npos)
    throw usage("the address holds characters that none has", url.substr(0, 80), "end it in /v1");
  if (!is_port(port_of(rest.substr(0, rest.find('/')))))
    throw usage("the address has a port that none has", url.substr(0, 80), "ports are 1 to 65535");
}

std::string without_port(const std::string& url) {
  const size_t host = url.find("://") + 3;
  const size_t end = std::min(url.find('/', host), url.size());
  const size_t colon = url.rfind(':', end - 1);
  if (colon == std::string::npos || colon < host || url.find(']', colon) < end) return url;
  return url.substr(0, colon) + url.substr(end);
}

std::string name_space_of(const EndpointOptions& options) {
  if (!options.name_space.empty()) return options.name_space;
  std::string url = without_port(options.base_urls.front());
  while (url.ends_with('/')) url.pop_back();
  return url;
}

class Endpoint::Pending {
 public:
  ChatRequest request;
  // In the usual form: what it is claimed under, while servers teach how it is sent.
  std::string key;
  unsigned num_forms = 1;
  // As it is sent: one attempt at a time.
  ServerForms::Form form = {.version = 0};
  std::vector<http::Piece> body;
  Result<ChatAnswer> read = Error{ErrorCode::kInternal, "nothing was read"};

  std::mutex mutex;  // guards the following
  std::condition_variable is_there;
  std::optional<Result<Answer>> answer;
  std::optional<Error> fatal;
};

class Endpoint::State : public std::enable_shared_from_this<Endpoint::State> {
 public:
  explicit State(EndpointOptions options)
      : options_(std::move(options)),
        cache_(options_.cache),
        forms_(options_.form, options_.name_space, cache_),
        client_(options_.client),
        queue_(client_, options_.queue) {}

  // Ends what is under way: those who wait are told.
  void end() {
    is_ending_ = true;
    client_.stop();
  }

  Handle send(const ChatRequest& request) {
    std::string key = cache_key(request, options_.name_space);
    Handle pending;
    {
      std::lock_guard lock(mutex_);
      auto [found, is_new] = under_way_.try_emplace(key);
      if (!is_new) return found->second;
      pending = found->second = std::make_shared<Pending>();
    }
    pending->request = request;
    pending->key = std::move(key);
    guard(pending, [&] { look(pending); });
    return pending;
  }

  EndpointCounts counts() const {
    std::lock_guard lock(mutex_);
    EndpointCounts counts = counts_;
    const http::QueueCounts sent = queue_.counts();
    counts.tries = sent.sent;
    counts.throttled = sent.throttled;
    return counts;
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes = forms_.notes();
    std::lock_guard lock(mutex_);
    notes.insert(notes.end(), notes_.begin(), notes_.end());
    return notes;
  }

 private:
  // Ends the run with what the work throws (out of memory): it may be on the client's thread, where
  // nobody else would tell those who wait.
  template <typename Work>
  void guard(const Handle& pending, const Work& work) {
    try {
      work();
    } catch (const std::exception& error) {
      cache_.release(pending->key);
      end_run(*pending, Error{ErrorCode::kInternal, error.what(), "the endpoint's answer"});
      finish(pending, Error{ErrorCode::kInternal, error.what()});
    }
  }

  // Takes the answer from the cache, asks, or waits for the process that does.
  void look(const Handle& pending) {
    if (take_kept(pending)) return;
    if (is_ending_) {
      finish(pending, Error{ErrorCode::kInterrupted, "the program is ending"});
      return;
    }
    if (!cache_.claim(pending->key)) {
      client_.at(http::Clock::now() + kLookAgain, [self = shared_from_this(), pending] {
        self->guard(pending, [&] { self->look(pending); });
      });
      return;
    }
    if (take_kept(pending)) {  // it came between the two
      cache_.release(pending->key);
      return;
    }
    {
      std::lock_guard lock(mutex_);
      ++counts_.requests;
    }
    ask(pending);
  }

  // Under which the answer to a body of this form is kept.
  std::string key_in(const BodyForm& form, const Pending& pending) const {
    if (form == BodyForm{}) return pending.key;
    return cache_key(pending.request, options_.name_space, form);
  }

  bool take_kept(const Handle& pending) {
    const BodyForm form = forms_.of(pending->request).body;
    std::optional<std::string> kept = cache_.find(key_in(form, *pending));
    if (!kept) return false;
    Result<ChatAnswer> answer = answer_of_json(*kept);
    if (!answer) return false;  // damaged: asked anew
    {
      std::lock_guard lock(mutex_);
      ++counts_.cached;
    }
    finish(pending, Answer{.chat = std::move(answer).value(), .is_cached = true});
    return true;
  }

  void ask(const Handle& pending) {
    write_body(*pending);
    size_t size = 0;
    for (const http::Piece& piece : pending->body) size += piece->size();
    if (size > options_.max_request_bytes) {
      fail(pending,
           Error{ErrorCode::kInvalidInput,
                 fmt::format("the request has {} bytes, at most {} are sent",
                             size,
                             options_.max_request_bytes),
                 {},
                 "pass --max-side to send smaller pictures, --image-format jpg, or raise "
                 "--max-request-mb"});
      return;
    }
    auto make = [self = shared_from_this(), pending](unsigned attempt) {
      if (attempt > 1) self->tell_of_silence();
      self->write_body(*pending);
      return self->call_of(*pending, attempt);
    };
    auto is_whole = [self = shared_from_this(), pending](const http::Reply& reply) {
      self->has_replied_ = true;
      try {
        pending->read = self->answer_of(reply.body);
      } catch (const std::exception& error) {
        pending->read = Error{ErrorCode::kInternal, error.what()};
      }
      return pending->read.is_ok();
    };
    queue_.send(make, is_whole, [self = shared_from_this(), pending](http::Delivery&& got) {
      self->guard(pending, [&] { self->take(pending, std::move(got)); });
    });
  }

  Result<ChatAnswer> answer_of(std::string_view body) const {
    Result<ChatAnswer> read = read_answer(body);
    if (!read) return read;
    ChatAnswer answer = std::move(read).value();
    hide_secret(options_.key, answer);
    return answer;
  }

  // The tries to reach a server that is not there take a minute.
  void tell_of_silence() {
    if (!options_.say || has_replied_ || is_silence_told_.exchange(true)) return;
    options_.say(fmt::format("note: no answer yet from {}; asking again, at most {} times",
                             options_.base_urls.front(),
                             options_.queue.retries));
  }

  // In the form of now: others may have learned about the server while this one waited.
  void write_body(Pending& pending) {
    ServerForms::Form now = forms_.of(pending.request);
    if (!pending.body.empty() && pending.form.version == now.version) return;
    pending.form = std::move(now);
    pending.body = body_of(pending.request, pending.form.body);
  }

  // Tries go to one server after the other; requests begin with different ones.
  http::Call call_of(const Pending& pending, unsigned attempt) const {
    const size_t first = static_cast<size_t>(fnv1a64(pending.key) % options_.base_urls.size());
    const std::string& url = options_.base_urls[(first + attempt - 1) % options_.base_urls.size()];
    http::Call call{.url = url + path_of(pending.request),
                    .headers = {{"Content-Type", "application/json"}},
                    .body = pending.body};
    if (!options_.key.empty()) call.headers.emplace_back("Authorization", "Bearer " + options_.key);
    return call;
  }

  void take(const Handle& pending, http::Delivery&& got) {
    const http::Reply& reply = got.reply;
    if (options_.debug)
      options_.debug(fmt::format("request {} status {} tries {} seconds {:.3f} {}",
                                 pending->key.substr(0, 12),
                                 reply.status,
                                 got.attempts,
                                 got.seconds,
                                 reply.failure));
    if (reply.status == 200) {
      take_answer(pending, got);
      return;
    }
    if (reply.status != 0) has_replied_ = true;
    const std::string said =
        reply.status == 0 ? reply.failure : read_refusal(reply.body, options_.key);
    const bool is_refused = reply.status == 400 || reply.status == 422;
    if (is_refused && pending->num_forms < kMostForms &&
        forms_.learn(pending->request, said, pending->form.body)) {
      ++pending->num_forms;
      if (take_kept(pending)) {
        cache_.release(pending->key);
        return;
      }
      ask(pending);
      return;
    }
    if (reply.is_untrusted)
      end_run(*pending,
              Error{ErrorCode::kIo,
                    said,
                    options_.base_urls.front(),
                    "mend the server's certificate, or pass --insecure to take any"});
    const bool is_shut_out = reply.status == 401 || reply.status == 403;
    Error error{ErrorCode::kIo,
                reply.status == 0 ? fmt::format("no answer after {} tries: {}", got.attempts, said)
                                  : fmt::format("the server answered {}: {}", reply.status, said),
                {},
                is_shut_out ? "name the variable that holds the key with --api-key-env" : ""};
    // A key that never worked will not work for the next question.
    if (is_shut_out && !has_answered()) end_run(*pending, error);
    // Nor will a server that nobody has reached yet be there for the next one.
    if (reply.status == 0 && reply.is_worth_a_retry && !has_replied_)
      end_run(*pending,
              Error{ErrorCode::kIo,
                    error.message(),
                    options_.base_urls.front(),
                    "is the server running, and is this its address?"});
    fail(pending, std::move(error));
  }

  static void end_run(Pending& pending, Error error) {
    std::lock_guard lock(pending.mutex);
    pending.fatal = std::move(error);
  }

  bool has_answered() const {
    std::lock_guard lock(mutex_);
    return num_answers_ > 0;
  }

  void take_answer(const Handle& pending, const http::Delivery& got) {
    Answer answer{
        .chat = std::move(pending->read).value(), .attempts = got.attempts, .seconds = got.seconds};
    queue_.spend_tokens(answer.chat.prompt_tokens + answer.chat.completion_tokens);
    try {
      cache_.keep(key_in(pending->form.body, *pending), answer_to_json(answer.chat));
    } catch (const Error& error) {
      note(fmt::format("answers could not be kept in the cache: {}", error.message()));
    }
    cache_.release(pending->key);
    {
      std::lock_guard lock(mutex_);
      ++num_answers_;
      counts_.prompt_tokens += answer.chat.prompt_tokens;
      counts_.completion_tokens += answer.chat.completion_tokens;
    }
    finish(pending, std::move(answer));
  }

  void note(std::string sentence) {
    std::lock_guard lock(mutex_);
    notes_.insert(std::move(sentence));
  }

  void fail(const Handle& pending, Error error) {
    cache_.release(pending->key);
    bool is_too_many = false;
    {
      std::lock_guard lock(mutex_);
      ++counts_.failed;
      is_too_many = has_too_many_failures();
    }
    if (is_too_many)
      end_run(
          *pending,
          Error{ErrorCode::kIo,
                fmt::format("more requests failed than allowed, the last one: {}", error.message()),
                "--max-errors",
                "mend what is wrong and run again: answers so far are kept"});
    finish(pending, std::move(error));
  }

  // With the mutex held.
  bool has_too_many_failures() const {
    constexpr uint64_t kFewest = 20;
    const ErrorLimit& limit = options_.max_errors;
    const uint64_t ended = counts_.failed + num_answers_;
    return (limit.count && counts_.failed > *limit.count) ||
           (limit.share && ended >= kFewest &&
            static_cast<double>(counts_.failed) > *limit.share * static_cast<double>(ended));
  }

  void finish(const Handle& pending, Result<Answer> answer) {
    {
      std::lock_guard lock(mutex_);
      under_way_.erase(pending->key);
    }
    {
      std::lock_guard lock(pending->mutex);
      pending->answer = std::move(answer);
    }
    pending->is_there.notify_all();
  }

  const EndpointOptions options_;
  const ResponseCache cache_;
  ServerForms forms_;
  mutable std::mutex mutex_;  // guards the following
  std::map<std::string, Handle> under_way_;
  std::set<std::string> notes_;
  EndpointCounts counts_;
  uint64_t num_answers_ = 0;  // that were asked for, not kept from earlier

  std::atomic<bool> is_ending_ = false;
  std::atomic<bool> has_replied_ = false;  // with any status
  std::atomic<bool> is_silence_told_ = false;
  http::Client client_;
  http::RequestQueue queue_;
};

Endpoint::Endpoint(EndpointOptions options) {
  SNELLEN_CHECK(!options.base_urls.empty());
  for (std::string& url : options.base_urls) {
    check_base_url(url);
    while (url.ends_with('/')) url.pop_back();
  }
  options.name_space = name_space_of(options);
  state_ = std::make_shared<State>(std::move(options));
}

Endpoint::~Endpoint() {
  state_->end();
}

Endpoint::Handle Endpoint::send(const ChatRequest& request) {
  return state_->send(request);
}

Result<Endpoint::Answer> Endpoint::wait(Pending& pending,
                                        const std::function<bool()>& is_stopped) const {
  std::unique_lock lock(pending.mutex);
  while (!pending.answer) {
    pending.is_there.wait_for(lock, kAskIfStopped);
    if (!pending.answer && is_stopped && is_stopped()) throw Stopped();
  }
  if (pending.fatal) throw *pending.fatal;
  return *pending.answer;
}

EndpointCounts Endpoint::counts() const {
  return state_->counts();
}

std::vector<std::string> Endpoint::notes() const {
  return state_->notes();
}

}  // namespace snellen::models::openai
