// SPDX-License-Identifier: Apache-2.0
// A small HTTP server for this machine's own users: the mock endpoint and the viewer. cpp-httplib
// stays in server.cc.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "snellen/http/fields.h"

namespace snellen::http {

struct Request {
  std::string method;  // "GET", "HEAD", "POST", ...
  std::string path;    // decoded, without the query
  Fields query = {};   // decoded
  Fields headers = {};
  std::string body = {};

  // As first_field() says.
  std::string_view header(std::string_view name) const { return first_field(headers, name); }
  std::string_view query_field(std::string_view name) const { return first_field(query, name); }
};

struct Response {
  int status = 200;
  std::string body = {};
  std::string content_type = "application/json";
  Fields headers = {};
  // In the place of the body: a file, handed out in pieces, or the range of it that is asked for.
  std::optional<std::filesystem::path> file = std::nullopt;
  // After so many bytes of the body the connection is closed: a server that fails, for tests.
  std::optional<size_t> cut_after = std::nullopt;
};

// Called from many threads. What it throws becomes a response with status 500.
using Handler = std::function<Response(const Request&)>;

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;                              // 0: any that is free
  unsigned num_threads = 32;                 // a connection holds one while it is open
  int backlog = 1024;                        // connections that may wait to be accepted
  size_t max_body_bytes = size_t{64} << 20;  // of a request; larger ones are answered with 413
  unsigned idle_s = 30;                      // an idle connection is closed after so many seconds
};

// Listens on threads of its own from the constructor to the end of its life.
class Server {
 public:
  // Throws kIo when the address cannot be had.
  Server(ServerOptions options, Handler handler);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  // "http://127.0.0.1:8080"
  std::string address() const;
  // Accepts nothing more and waits for the requests under way. May be called twice.
  void stop();

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace snellen::http
