// SPDX-License-Identifier: Apache-2.0
#include "snellen/viewer/gatekeeper.h"

#include <sys/random.h>

#include <array>

#include <fmt/format.h>

#include "snellen/base/ascii.h"
#include "snellen/base/error.h"

namespace snellen::viewer {
namespace {

constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src "
    "'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

http::Response refuse(int status, const char* what) {
  return {.status = status, .body = fmt::format("{{\"error\":{{\"what\":\"{}\"}}}}", what)};
}

// "name:8080", "[::1]:8080": the name.
std::string host_of(std::string_view address) {
  if (address.starts_with('[')) {
    const size_t end = address.find(']');
    return ascii_lower(address.substr(1, end == std::string_view::npos ? end : end - 1));
  }
  return ascii_lower(address.substr(0, address.rfind(':')));
}

bool is_own_host(std::string_view address, const Gate& gate) {
  if (address.empty()) return false;
  const std::string host = host_of(address);
  if (host == ascii_lower(gate.host)) return true;
  // On an address that stands for all, any name may be ours; the token is what is asked for there.
  if (!gate.token.empty() && (gate.host == "0.0.0.0" || gate.host == "::")) return true;
  return is_loopback(host) && is_loopback(gate.host);
}

bool is_same(std::string_view a, std::string_view b) {
  // Takes as long whatever differs.
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i)
    difference |=
        static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return difference == 0;
}

bool has_token(const http::Request& request, const std::string& token) {
  if (is_same(request.query_field("token"), token)) return true;
  if (is_same(request.header("Authorization"), "Bearer " + token)) return true;
  std::string_view cookies = request.header("Cookie");
  while (!cookies.empty()) {
    const size_t end = std::min(cookies.find(';'), cookies.size());
    std::string_view one = cookies.substr(0, end);
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (is_same(one, "snellen_token=" + token)) return true;
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
  }
  return false;
}

}  // namespace

bool is_loopback(const std::string& host) {
  if (host == "localhost" || host == "::1") return true;
  // A name may begin with 127. too.
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos;
}

std::optional<http::Response> refusal(const http::Request& request, const Gate& gate) {
  if (request.method != "GET" && request.method != "HEAD" && request.method != "POST")
    return refuse(405, "only GET, HEAD and POST are known");
  const std::string_view host = request.header("Host");
  if (!is_own_host(host, gate)) return refuse(403, "the Host header does not name this server");
  if (const std::string_view origin = request.header("Origin"); !origin.empty()) {
    if (origin != fmt::format("http://{}", host))
      return refuse(403, "the request comes from a page of another site");
  } else if (request.method == "POST") {
    return refuse(403, "a POST needs an Origin header");
  }
  if (!gate.token.empty() && !has_token(request, gate.token))
    return refuse(401, "open the address that snellen view printed: it carries the token");
  return std::nullopt;
}

std::string new_token() {
  std::array<unsigned char, 24> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error{ErrorCode::kIo, "the system gives no random bytes", "", "try again"};
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

void add_security_headers(http::Response& response, const Gate& gate) {
  auto add = [&](const char* name, std::string value) {
    if (http::first_field(response.headers, name).empty())
      response.headers.emplace_back(name, std::move(value));
  };
  add("Content-Security-Policy", kPolicy);
  add("X-Content-Type-Options", "nosniff");
  add("Referrer-Policy", "no-referrer");
  add("X-Frame-Options", "DENY");
  add("Cross-Origin-Resource-Policy", "same-origin");
  add("Cross-Origin-Opener-Policy", "same-origin");
  add("Cache-Control", "no-store");
  // So that links without the token work in the browser that once had it.
  if (!gate.token.empty() && response.status == 200)
    add("Set-Cookie",
        fmt::format("snellen_token={}; HttpOnly; SameSite=Strict; Path=/", gate.token));
}

}  // namespace snellen::viewer
