// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/stop_signal.h"
#include "apps/cli/verb.h"
#include "snellen/http/server.h"
#include "snellen/models/openai/mock.h"

namespace snellen::cli {
namespace {

using models::openai::MockOptions;

constexpr unsigned kSpareThreads = 16;

struct MockSettings {
  int port = 0;
  std::string mode = "hash";
  std::vector<std::string> faults;
  uint64_t num_options = 0;
  unsigned connections = 256;
  double delay_ms = 0;
  bool has_no_logprobs = false;
  MockOptions options;
};

std::vector<config::Option> mock_options() {
  using config::option;
  using S = MockSettings;
  return config::joined(
      {{option(&S::port, "port", "port on 127.0.0.1; 0: any that is free").range(0, 65535),
        option(&S::mode,
               "mode",
               "what it answers: hash, always:TEXT, texture:T:X:Y (X for pictures whose neighbours "
               "differ by less than T, else Y), biased:P, think, refuse, garbage or empty"),
        option(&S::num_options, "n", "options of a question; 0: as many as its text lists")
            .range(0, 26),
        option(&S::faults,
               "fault",
               "KIND:SHARE, a share of the tries that fails, at most 3 per request: 429, 500, "
               "hang, cut, garbage; slow ones are answered late")
            .many(),
        option(&S::connections, "connections", "connections that are served at once")
            .range(1, 4096),
        option(&S::delay_ms, "delay", "wait before every answer, in milliseconds")
            .range(0, 600'000),
        option(&S::has_no_logprobs, "no-logprobs", "give no log-probabilities, as some servers")},
       config::nested(
           &S::options,
           {option(&MockOptions::seed, "seed", "seed of the faults"),
            option(
                &MockOptions::retry_after_s, "retry-after", "what status 429 asks for, in seconds")
                .range(0, 3600),
            option(&MockOptions::slow_s, "slow", "how long a slow answer takes, in seconds")
                .range(0, 600),
            option(&MockOptions::hang_s, "hang", "how long a hanging one takes, in seconds")
                .range(0, 600)})});
}

int serve(const MockSettings& settings) {
  MockOptions options = settings.options;
  options.mode = models::openai::mock_mode_of(settings.mode);
  for (const std::string& fault : settings.faults)
    options.faults.push_back(models::openai::mock_fault_of(fault));
  options.num_options = settings.num_options;
  options.delay_s = settings.delay_ms / 1000;
  options.gives_logprobs = !settings.has_no_logprobs;
  models::openai::Mock mock(std::move(options));
  http::Server server({.port = settings.port, .num_threads = settings.connections + kSpareThreads},
                      [&mock](const http::Request& request) { return mock.answer(request); });
  stop_on_signals();
  fmt::print("{}/v1\n", server.address());
  std::fflush(stdout);
  print_note("mock-server: counts are at {}/stats; Ctrl-C ends it\n", server.address());
  while (!is_stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  mock.stop();
  server.stop();
  return 0;
}

}  // namespace

std::function<int()> add_mock_server(Command app, Context&) {
  Command verb = app.add_subcommand(
      "mock-server", "serve a deterministic OpenAI-compatible endpoint, for trying and testing");
  verb.footer(
      "It prints its base URL, serves on this machine alone and needs no key.\n"
      "Examples:\n"
      "  snellen mock-server --port 8000\n"
      "  snellen mock-server --port 8000 --fault 429:0.1 --fault hang:0.1\n"
      "  snellen run --model openai:mock --base-url http://127.0.0.1:8000/v1 \\\n"
      "      --tasks probe-c --data DIR");
  return verb_with(verb, MockSettings{}, mock_options(), serve);
}

}  // namespace snellen::cli
