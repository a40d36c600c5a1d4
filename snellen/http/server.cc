// SPDX-License-Identifier: Apache-2.0
#include "snellen/http/server.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <httplib.h>

#include "snellen/base/error.h"

namespace snellen::http {
namespace {

constexpr size_t kRequestsPerConnection = 1'000'000;
constexpr time_t kSecondsToReadOrWrite = 60;
// Each would be copied into the answer: a header of 8 kB could ask for a large file 2,000 times.
constexpr size_t kMostRanges = 1;
constexpr size_t kPieceBytes = size_t{64} << 10;

Request request_of(const httplib::Request& from) {
  Request request{.method = from.method, .path = from.path, .body = from.body};
  request.query.assign(from.params.begin(), from.params.end());
  request.headers.assign(from.headers.begin(), from.headers.end());
  return request;
}

void give_file(const std::filesystem::path& path, const std::string& type, httplib::Response& to) {
  auto file = std::make_shared<std::ifstream>(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = *file ? static_cast<std::streamoff>(file->tellg()) : -1;
  if (size < 0) {
    to.status = 404;
    return;
  }
  if (size == 0) return to.set_header("Content-Type", type);
  to.set_content_provider(
      static_cast<size_t>(size),
      type,
      [file](size_t offset, size_t length, httplib::DataSink& sink) {
        std::array<char, kPieceBytes> piece;
        file->clear();
        file->seekg(static_cast<std::streamoff>(offset));
        file->read(piece.data(), static_cast<std::streamsize>(std::min(length, piece.size())));
        const auto got = static_cast<size_t>(file->gcount());
        // A file that was cut meanwhile: the reader sees that bytes are missing.
        return got > 0 && sink.write(piece.data(), got);
      });
}

void give(Response&& response, httplib::Response& to) {
  to.status = response.status;
  for (const auto& [name, value] : response.headers) to.set_header(name, value);
  if (response.file) return give_file(*response.file, response.content_type, to);
  if (!response.cut_after) {
    to.body = std::move(response.body);
    to.set_header("Content-Type", response.content_type);
    return;
  }
  const size_t length = response.body.size() + 1;  // one more than there is: the reader must notice
  response.body.resize(std::min(response.body.size(), *response.cut_after));
  to.set_content_provider(
      length,
      response.content_type,
      [body = std::move(response.body)](size_t offset, size_t, httplib::DataSink& sink) {
        return offset == 0 && !body.empty() && sink.write(body.data(), body.size());
      });
}

Response too_many_ranges() {
  return {.status = 416, .body = R"({"error":{"message":"one range of bytes at a time"}})"};
}

Response failure(std::string_view what) {
  std::string escaped;
  for (char c : what) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return {.status = 500, .body = fmt::format(R"({{"error":{{"message":"{}"}}}})", escaped)};
}

// Connections are served with the threads that could be started; one is enough. The library's own
// pool ends the program where one cannot, or where serving a connection throws.
class Workers final : public httplib::TaskQueue {
 public:
  explicit Workers(unsigned count) {
    threads_.reserve(count);
    try {
      while (threads_.size() < count) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      if (threads_.empty()) throw;
    }
  }
  ~Workers() override { shutdown(); }

  void enqueue(std::function<void()> job) override {
    {
      std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    is_there_.notify_one();
  }

  void shutdown() override {
    {
      std::lock_guard lock(mutex_);
      is_ending_ = true;
    }
    is_there_.notify_all();
    threads_.clear();
  }

 private:
  void work() {
    while (true) {
      std::function<void()> job;
      {
        std::unique_lock lock(mutex_);
        is_there_.wait(lock, [&] { return is_ending_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      try {
        job();
      } catch (const std::exception&) {
        // Out of memory while an answer is written: that connection alone is lost.
      }
    }
  }

  std::mutex mutex_;  // guards the following two
  std::deque<std::function<void()>> jobs_;
  bool is_ending_ = false;
  std::condition_variable is_there_;
  std::vector<std::jthread> threads_;
};

}  // namespace

class Server::Listener {
 public:
  Listener(ServerOptions options, Handler handler)
      : options_(std::move(options)), handler_(std::move(handler)) {
    configure();
    port_ = options_.port;
    if (options_.port == 0) {
      port_ = server_.bind_to_any_port(options_.host);
    } else if (!server_.bind_to_port(options_.host, options_.port)) {
      port_ = -1;
    }
    // The library's own backlog, 5, is compiled in; a second call raises it.
    if (port_ <= 0 || ::listen(socket_, options_.backlog) != 0) {
      throw Error{ErrorCode::kIo,
                  fmt::format("cannot listen on {}:{}", options_.host, options_.port),
                  "--port",
                  "another program may hold this port: name another, or 0 for any"};
    }
    try {
      workers_ = std::make_unique<Workers>(options_.num_threads);
      thread_ = std::thread([this] { server_.listen_after_bind(); });
    } catch (const std::system_error& error) {
      throw Error{ErrorCode::kIo,
                  fmt::format("the system starts no thread: {}", error.what()),
                  "server",
                  "raise the limits on processes and memory (ulimit -u, ulimit -v)"};
    }
    // stop() before the listening began would be forgotten.
    while (!server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  ~Listener() { stop(); }

  void stop() {
    if (!thread_.joinable()) return;
    server_.stop();
    thread_.join();
  }

  int port() const { return port_; }
  const std::string& host() const { return options_.host; }

 private:
  void configure() {
    server_.new_task_queue = [this] { return workers_.release(); };  // the library deletes it
    server_.set_socket_options([this](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      socket_ = socket;
    });
    server_.set_tcp_nodelay(true);
    server_.set_keep_alive_max_count(kRequestsPerConnection);
    server_.set_keep_alive_timeout(options_.idle_s);
    server_.set_read_timeout(kSecondsToReadOrWrite);
    server_.set_write_timeout(kSecondsToReadOrWrite);
    server_.set_payload_max_length(options_.max_body_bytes);
    auto answer = [this](const httplib::Request& from, httplib::Response& to) {
      try {
        Response response =
            from.ranges.size() > kMostRanges ? too_many_ranges() : handler_(request_of(from));
        // The library cuts the body to the range that is asked for, and leaves the status to us.
        if (!from.ranges.empty() && response.status == 200) response.status = 206;
        give(std::move(response), to);
      } catch (const std::exception& error) {
        give(failure(error.what()), to);
      }
    };
    const std::string every = ".*";
    server_.Get(every, answer);
    server_.Post(every, answer);
    server_.Put(every, answer);
    server_.Patch(every, answer);
    server_.Delete(every, answer);
    server_.Options(every, answer);
  }

  const ServerOptions options_;
  const Handler handler_;
  httplib::Server server_;
  std::unique_ptr<Workers> workers_;  // until the library takes them
  int socket_ = -1;
  int port_ = -1;
  std::thread thread_;
};

Server::Server(ServerOptions options, Handler handler)
    : listener_(std::make_unique<Listener>(std::move(options), std::move(handler))) {}

Server::~Server() = default;

int Server::port() const {
  return listener_->port();
}

std::string Server::address() const {
  return fmt::format("http://{}:{}", listener_->host(), listener_->port());
}

void Server::stop() {
  listener_->stop();
}

}  // namespace snellen::http
