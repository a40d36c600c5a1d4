// SPDX-License-Identifier: Apache-2.0
// Stands in for the client in a build without libcurl: says what is missing.
#include "snellen/base/error.h"
#include "snellen/http/client.h"

namespace snellen::http {

class Client::Loop {};

Client::Client(const ClientOptions&) {
  throw Error{ErrorCode::kUsage,
              "this build of snellen has no HTTP client",
              {},
              "install libcurl4-openssl-dev and build with -DSNELLEN_HTTP=ON"};
}
Client::~Client() = default;
void Client::start(Call, Done) {}
void Client::at(Clock::time_point, std::function<void()>) {}
void Client::stop() {}

}  // namespace snellen::http
