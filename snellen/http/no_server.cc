// SPDX-License-Identifier: Apache-2.0
// Stands in for the server in a build without cpp-httplib: says what is missing.
#include "snellen/base/error.h"
#include "snellen/http/server.h"

namespace snellen::http {

class Server::Listener {};

Server::Server(ServerOptions, Handler) {
  throw Error{ErrorCode::kUsage,
              "this build of snellen has no HTTP server",
              {},
              "install libcpp-httplib-dev and build with -DSNELLEN_HTTP=ON"};
}
Server::~Server() = default;
int Server::port() const {
  return 0;
}
std::string Server::address() const {
  return {};
}
void Server::stop() {}

}  // namespace snellen::http
