// SPDX-License-Identifier: Apache-2.0
// Who may ask: only pages of this server, and on other addresses than this machine's own only those
// who know the token.
#pragma once

#include <optional>
#include <string>

#include "snellen/http/server.h"

namespace snellen::viewer {

struct Gate {
  std::string host = "127.0.0.1";
  std::string token = {};  // empty: none is asked for
};

// The refusal, or nothing. Host must name this server (a page of another site could otherwise reach
// it through a name of its own), Origin this server's pages, and only GET, HEAD and POST are known.
std::optional<http::Response> refusal(const http::Request& request, const Gate& gate);

// Whether the address is this machine's own.
bool is_loopback(const std::string& host);

// A token nobody guesses. Throws kIo when the system gives no random bytes.
std::string new_token();

// Adds what every answer says: no scripts but ours, no frames, no guessing of types.
void add_security_headers(http::Response& response, const Gate& gate);

}  // namespace snellen::viewer
