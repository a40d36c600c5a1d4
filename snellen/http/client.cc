// SPDX-License-Identifier: Apache-2.0
#include "snellen/http/client.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::http {
namespace {

constexpr long kMostRedirects = 5;
constexpr int kLongestWaitMs = 1000;

struct FreeEasy {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeMulti {
  void operator()(CURLM* handle) const { curl_multi_cleanup(handle); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, FreeEasy>;

// A call under way. libcurl holds pointers to it.
struct Transfer {
  Call call;
  Client::Done done;
  Reply reply;
  size_t max_bytes = 0;
  size_t piece = 0;   // what was sent of the body
  size_t offset = 0;  // in that piece
  long num_redirects = 0;
  Easy easy;
  std::unique_ptr<curl_slist, FreeList> headers;
  char what_failed[CURL_ERROR_SIZE] = {};  // NOLINT(*-avoid-c-arrays): libcurl writes here
};

size_t send_body(char* to, size_t size, size_t count, void* given) {
  auto& transfer = *static_cast<Transfer*>(given);
  size_t room = size * count;
  size_t sent = 0;
  while (room > 0 && transfer.piece < transfer.call.body.size()) {
    const std::string& piece = *transfer.call.body[transfer.piece];
    const size_t part = std::min(room, piece.size() - transfer.offset);
    std::memcpy(to + sent, piece.data() + transfer.offset, part);
    sent += part;
    room -= part;
    transfer.offset += part;
    if (transfer.offset == piece.size()) {
      ++transfer.piece;
      transfer.offset = 0;
    }
  }
  return sent;
}

// A connection that was closed while idle makes libcurl send the body again from its beginning.
int rewind_body(void* given, curl_off_t offset, int origin) {
  auto& transfer = *static_cast<Transfer*>(given);
  if (offset != 0 || origin != SEEK_SET) return CURL_SEEKFUNC_CANTSEEK;
  transfer.piece = transfer.offset = 0;
  return CURL_SEEKFUNC_OK;
}

size_t take_body(char* from, size_t size, size_t count, void* given) {
  auto& transfer = *static_cast<Transfer*>(given);
  if (transfer.reply.body.size() + size * count > transfer.max_bytes) return 0;
  transfer.reply.body.append(from, size * count);
  return size * count;
}

// Nothing of a call may go to another place than the one that was named.
bool is_same_place(const char* from, const char* to) {
  struct Url {
    CURLU* handle = curl_url();
    ~Url() { curl_url_cleanup(handle); }
    std::string part(CURLUPart what) const {
      char* text = nullptr;
      if (curl_url_get(handle, what, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return {};
      std::string copy = text;
      curl_free(text);
      return copy;
    }
  };
  Url a, b;
  if (curl_url_set(a.handle, CURLUPART_URL, from, 0) != CURLUE_OK ||
      curl_url_set(b.handle, CURLUPART_URL, to, 0) != CURLUE_OK)
    return false;
  return std::ranges::all_of(
      std::initializer_list<CURLUPart>{CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT},
      [&](CURLUPart part) { return a.part(part) == b.part(part); });
}

bool is_tls_failure(CURLcode code) {
  return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CONNECT_ERROR ||
         code == CURLE_SSL_CACERT_BADFILE || code == CURLE_SSL_ISSUER_ERROR ||
         code == CURLE_SSL_CERTPROBLEM || code == CURLE_SSL_INVALIDCERTSTATUS;
}

void set_failure(CURLcode code, Transfer& transfer) {
  Reply& reply = transfer.reply;
  reply.status = 0;
  const bool is_too_long = code == CURLE_WRITE_ERROR;
  reply.is_untrusted = is_tls_failure(code);
  reply.is_worth_a_retry = !is_too_long && !reply.is_untrusted && code != CURLE_URL_MALFORMAT &&
                           code != CURLE_UNSUPPORTED_PROTOCOL;
  if (is_too_long) {
    reply.failure = fmt::format("the answer is longer than {} bytes", transfer.max_bytes);
    return;
  }
  reply.failure = transfer.what_failed[0] != 0 ? transfer.what_failed : curl_easy_strerror(code);
}

}  // namespace

class Client::Loop {
 public:
  explicit Loop(const ClientOptions& options) : options_(options) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    multi_.reset(curl_multi_init());
    SNELLEN_CHECK(multi_ != nullptr);
    curl_multi_setopt(
        multi_.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(options.max_connections));
    thread_ = std::thread([this] { work(); });
  }

  ~Loop() { stop(); }

  void stop() {
    if (!thread_.joinable()) return;
    {
      std::lock_guard lock(mutex_);
      is_ending_ = true;
    }
    curl_multi_wakeup(multi_.get());
    thread_.join();
  }

  void start(Call call, Done done) {
    auto transfer = std::make_unique<Transfer>();
    transfer->call = std::move(call);
    transfer->done = std::move(done);
    {
      std::lock_guard lock(mutex_);
      fresh_.push_back(std::move(transfer));
    }
    curl_multi_wakeup(multi_.get());
  }

  void at(Clock::time_point time, std::function<void()> then) {
    {
      std::lock_guard lock(mutex_);
      timers_.emplace(time, std::move(then));
    }
    curl_multi_wakeup(multi_.get());
  }

 private:
  void work() {
    while (true) {
      std::vector<std::unique_ptr<Transfer>> fresh;
      std::vector<std::function<void()>> due;
      bool is_ending = false;
      int wait_ms = kLongestWaitMs;
      {
        std::lock_guard lock(mutex_);
        fresh.swap(fresh_);
        is_ending = is_ending_;
        const Clock::time_point now = Clock::now();
        while (!timers_.empty() && (is_ending || timers_.begin()->first <= now)) {
          due.push_back(std::move(timers_.begin()->second));
          timers_.erase(timers_.begin());
        }
        if (!timers_.empty()) wait_ms = milliseconds_to(timers_.begin()->first, now);
      }
      for (std::unique_ptr<Transfer>& transfer : fresh)
        is_ending ? give_up(*transfer) : begin(std::move(transfer));
      for (const std::function<void()>& then : due) then();
      if (is_ending) {
        // What was told its end may have started others.
        if (fresh.empty() && due.empty() && under_way_.empty()) break;
        give_up_all();
        continue;
      }
      int running = 0;
      curl_multi_perform(multi_.get(), &running);
      if (take_finished()) continue;  // they may have started others
      if (due.empty()) curl_multi_poll(multi_.get(), nullptr, 0, wait_ms, nullptr);
    }
  }

  void give_up_all() {
    for (auto& [easy, transfer] : std::exchange(under_way_, {})) {
      curl_multi_remove_handle(multi_.get(), easy);
      give_up(*transfer);
    }
  }

  static int milliseconds_to(Clock::time_point time, Clock::time_point now) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(time - now).count();
    return static_cast<int>(std::clamp<int64_t>(left, 0, kLongestWaitMs));
  }

  static void give_up(Transfer& transfer) {
    transfer.reply.failure = "the program is ending";
    transfer.reply.is_worth_a_retry = false;
    transfer.done(std::move(transfer.reply));
  }

  void begin(std::unique_ptr<Transfer> transfer) {
    if (idle_.empty()) {
      transfer->easy.reset(curl_easy_init());
    } else {
      transfer->easy = std::move(idle_.back());
      idle_.pop_back();
    }
    CURL* easy = transfer->easy.get();
    SNELLEN_CHECK(easy != nullptr);
    transfer->max_bytes = options_.max_answer_bytes;
    set_options(easy, *transfer);
    under_way_.emplace(easy, std::move(transfer));
    curl_multi_add_handle(multi_.get(), easy);
  }

  void set_options(CURL* easy, Transfer& transfer) const {
    auto set = [easy](CURLoption option, auto value) { curl_easy_setopt(easy, option, value); };
    curl_slist* list = nullptr;
    for (const auto& [name, value] : transfer.call.headers)
      list = curl_slist_append(list, fmt::format("{}: {}", name, value).c_str());
    list = curl_slist_append(list, "Expect:");  // never wait for "100 Continue"
    transfer.headers.reset(list);
    set(CURLOPT_HTTPHEADER, list);
    set(CURLOPT_URL, transfer.call.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_TCP_NODELAY, 1L);
    set(CURLOPT_FOLLOWLOCATION, 0L);
    // Answers are short: packing them costs a server more than sending them. What comes packed all
    // the same is unpacked.
    set(CURLOPT_ACCEPT_ENCODING, "identity");
    set(CURLOPT_USERAGENT, "snellen");
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.connect_timeout_s * 1000));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(options_.timeout_s * 1000));
    set(CURLOPT_ERRORBUFFER, transfer.what_failed);
    set(CURLOPT_WRITEFUNCTION, &take_body);
    set(CURLOPT_WRITEDATA, &transfer);
    if (options_.is_insecure) {
      set(CURLOPT_SSL_VERIFYPEER, 0L);
      set(CURLOPT_SSL_VERIFYHOST, 0L);
    }
    if (transfer.call.body.empty()) return;
    size_t length = 0;
    for (const Piece& piece : transfer.call.body) length += piece->size();
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(length));
    set(CURLOPT_READFUNCTION, &send_body);
    set(CURLOPT_READDATA, &transfer);
    set(CURLOPT_SEEKFUNCTION, &rewind_body);
    set(CURLOPT_SEEKDATA, &transfer);
    set(CURLOPT_POSTREDIR, static_cast<long>(CURL_REDIR_POST_ALL));
    set(CURLOPT_UPLOAD_BUFFERSIZE, 256L * 1024);
  }

  bool take_finished() {
    bool is_any = false;
    int left = 0;
    while (CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      is_any = true;
      finish(message->easy_handle, message->data.result);
    }
    return is_any;
  }

  void finish(CURL* easy, CURLcode code) {
    auto found = under_way_.find(easy);
    std::unique_ptr<Transfer> transfer = std::move(found->second);
    under_way_.erase(found);
    curl_multi_remove_handle(multi_.get(), easy);
    if (code != CURLE_OK) {
      set_failure(code, *transfer);
    } else if (!is_redirected(easy, *transfer)) {
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      transfer->reply.status = static_cast<int>(status);
      curl_header* header = nullptr;
      if (curl_easy_header(easy, "Retry-After", 0, CURLH_HEADER, -1, &header) == CURLHE_OK)
        transfer->reply.retry_after = header->value;
    }
    curl_easy_reset(easy);
    idle_.push_back(std::move(transfer->easy));
    if (transfer->reply.status == 0 && transfer->reply.failure.empty()) {
      begin_again(std::move(transfer));
      return;
    }
    transfer->done(std::move(transfer->reply));
  }

  // Whether the answer sends us on within the same place; a redirect elsewhere is a failure.
  bool is_redirected(CURL* easy, Transfer& transfer) {
    char* target = nullptr;
    curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &target);
    if (target == nullptr) return false;
    if (!is_same_place(transfer.call.url.c_str(), target)) {
      transfer.reply.failure = "the server redirects to another address, which is not followed";
      transfer.reply.is_worth_a_retry = false;
    } else if (++transfer.num_redirects > kMostRedirects) {
      transfer.reply.failure = "the server redirects in circles";
      transfer.reply.is_worth_a_retry = false;
    } else {
      transfer.call.url = target;
    }
    return true;
  }

  void begin_again(std::unique_ptr<Transfer> transfer) {
    transfer->reply = {};
    transfer->piece = transfer->offset = 0;
    begin(std::move(transfer));
  }

  const ClientOptions options_;
  std::unique_ptr<CURLM, FreeMulti> multi_;
  std::map<CURL*, std::unique_ptr<Transfer>> under_way_;
  std::vector<Easy> idle_;
  std::mutex mutex_;  // guards the following
  std::vector<std::unique_ptr<Transfer>> fresh_;
  std::multimap<Clock::time_point, std::function<void()>> timers_;
  bool is_ending_ = false;
  std::thread thread_;
};

Client::Client(const ClientOptions& options) : loop_(std::make_unique<Loop>(options)) {}
Client::~Client() = default;

void Client::start(Call call, Done done) {
  loop_->start(std::move(call), std::move(done));
}

void Client::at(Clock::time_point time, std::function<void()> then) {
  loop_->at(time, std::move(then));
}

void Client::stop() {
  loop_->stop();
}

}  // namespace snellen::http
