// SPDX-License-Identifier: Apache-2.0
#include "snellen/http/request_queue.h"

#include <atomic>
#include <future>
#include <mutex>

#include <gtest/gtest.h>

#include "snellen/http/server.h"

namespace snellen::http {
namespace {

// Sends `count` requests and waits for all of them.
std::vector<Delivery> send_all(const Server& server, const QueueOptions& options, size_t count) {
  Client client({.timeout_s = 5});
  RequestQueue queue(client, options);
  std::vector<std::promise<Delivery>> promises(count);
  for (std::promise<Delivery>& promise : promises) {
    queue.send([&](unsigned) { return Call{.url = server.address()}; },
               [](const Reply& reply) { return reply.body == "whole"; },
               [&](Delivery&& delivery) { promise.set_value(std::move(delivery)); });
  }
  std::vector<Delivery> deliveries;
  for (std::promise<Delivery>& promise : promises) deliveries.push_back(promise.get_future().get());
  return deliveries;
}

TEST(RequestQueue, KeepsToItsConcurrency) {
  std::atomic<int> now = 0;
  std::atomic<int> most = 0;
  Server server({.num_threads = 16}, [&](const Request&) {
    int seen = ++now;
    for (int old = most; seen > old && !most.compare_exchange_weak(old, seen);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    --now;
    return Response{.body = "whole"};
  });
  for (const Delivery& one : send_all(server, {.concurrency = 3}, 30))
    EXPECT_EQ(one.reply.status, 200);
  EXPECT_LE(most, 3);
}

TEST(RequestQueue, AsksAgainAfterFaultsAndBrokenAnswers) {
  std::atomic<int> count = 0;
  Server server({.num_threads = 4}, [&](const Request&) {
    switch (count++) {
      case 0:
        return Response{.status = 429, .headers = {{"Retry-After", "0"}}};
      case 1:
        return Response{.body = "torn", .headers = {{"Retry-After", "0"}}};
      default:
        return Response{.body = "whole"};
    }
  });
  std::vector<Delivery> got = send_all(server, {}, 1);
  EXPECT_EQ(got[0].reply.body, "whole");
  EXPECT_EQ(got[0].attempts, 3U);
}

TEST(RequestQueue, GivesUpAfterItsRetriesAndOnRefusals) {
  std::atomic<int> count = 0;
  Server server({.num_threads = 4}, [&](const Request&) {
    ++count;
    return Response{.status = 503, .headers = {{"Retry-After", "0"}}};
  });
  EXPECT_EQ(send_all(server, {.retries = 2}, 1)[0].reply.status, 503);
  EXPECT_EQ(count, 3);
  Server refuses({.num_threads = 4}, [&](const Request&) { return Response{.status = 400}; });
  EXPECT_EQ(send_all(refuses, {}, 1)[0].attempts, 1U);
}

TEST(RequestQueue, KeepsToItsRequestsPerMinute) {
  Server server({.num_threads = 4}, [&](const Request&) { return Response{.body = "whole"}; });
  const Clock::time_point begin = Clock::now();
  send_all(server, {.requests_per_minute = 1200}, 5);  // one every 50 ms, and one at once
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(150));
}

TEST(RequestQueue, HalvesItsConcurrencyOnceForManyThatAreToldToSlowDown) {
  constexpr unsigned kAtOnce = 8;
  std::atomic<unsigned> count = 0;
  std::atomic<int> now = 0;
  std::atomic<int> most = 0;
  Server server({.num_threads = 16}, [&](const Request&) {
    if (count++ < kAtOnce) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // all of them are under way
      return Response{.status = 429, .headers = {{"Retry-After", "0"}}};
    }
    const int seen = ++now;
    for (int old = most; seen > old && !most.compare_exchange_weak(old, seen);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    --now;
    return Response{.body = "whole"};
  });
  // Fewer than the answers after which there is room for one more.
  for (const Delivery& one : send_all(server, {.concurrency = kAtOnce}, 16))
    EXPECT_EQ(one.reply.status, 200);
  EXPECT_LE(most, 4);
  EXPECT_GE(most, 3);  // not halved again by the second of them
}

TEST(RequestQueue, WhoWaitsForAnotherTryHoldsNoPlace) {
  std::mutex mutex;
  std::vector<std::string> paths;  // as they came
  Server server({.num_threads = 4}, [&](const Request& request) {
    std::lock_guard lock(mutex);
    paths.push_back(request.path);
    if (paths.size() == 1) return Response{.status = 503, .headers = {{"Retry-After", "0.3"}}};
    return Response{.body = "whole"};
  });
  Client client({.timeout_s = 5});
  RequestQueue queue(client, {.concurrency = 1});
  std::vector<std::promise<void>> done(4);
  for (size_t i = 0; i < done.size(); ++i)
    queue.send([&, i](unsigned) { return Call{.url = server.address() + "/" + std::to_string(i)}; },
               [](const Reply& reply) { return reply.body == "whole"; },
               [&, i](Delivery&&) { done[i].set_value(); });
  for (std::promise<void>& one : done) one.get_future().wait();
  EXPECT_EQ(paths, (std::vector<std::string>{"/0", "/1", "/2", "/3", "/0"}));
}

TEST(RequestQueue, KeepsToItsTokensPerMinute) {
  Server server({.num_threads = 4}, [&](const Request&) { return Response{.body = "whole"}; });
  Client client({.timeout_s = 5});
  RequestQueue queue(client, {.tokens_per_minute = 6000});  // 100 a second
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < 3; ++i) {
    std::promise<void> done;
    queue.send([&](unsigned) { return Call{.url = server.address()}; },
               [](const Reply&) { return true; },
               [&](Delivery&&) {
                 queue.spend_tokens(20);
                 done.set_value();
               });
    done.get_future().wait();
  }
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(350));  // two waits of 200 ms
}

}  // namespace
}  // namespace snellen::http
