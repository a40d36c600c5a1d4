// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/conversation.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/models/model.h"

namespace snellen::models::exec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// An adapter in shell: says it is ready, then runs `body` for every line, in $line.
std::string shell(const std::string& body, const std::string& more = "") {
  return fmt::format(
      "read hello; echo '{{\"ready\": true, \"name\": \"t\"{}}}'; "
      "while read -r line; do case \"$line\" in *bye*) exit 0;; esac; {}; done",
      more,
      body);
}
// The id of the request in $line, and an answer with one score.
const char* const kId = R"(id=${line#*\"id\": \"}; id=${id%%\"*})";
// The item's id, in $item.
const char* const kItem = R"(item=${line#*\"item\": \"}; item=${item%%\"*})";
std::string answering(const std::string& score) {
  return fmt::format("{}; echo \"{{\\\"id\\\": \\\"$id\\\", \\\"scores\\\": [{}]}}\"", kId, score);
}

ConversationOptions options_of(const std::string& command) {
  return {.command = command, .timeout_s = 5, .start_timeout_s = 5};
}

Request request_of(const std::string& item, size_t part = 0) {
  return {.item = item, .part = part, .visual = {}, .texts = {"a text"}};
}

std::shared_ptr<Pending> send(Conversation& conversation, const std::string& item) {
  return conversation.send({request_of(item)}).front();
}

Result<std::vector<double>> ask(Conversation& conversation, const std::string& item) {
  return conversation.wait(*send(conversation, item), {});
}

TEST(Conversation, AsksAndHears) {
  Conversation conversation(options_of(shell(answering("4.5"))));
  EXPECT_EQ(conversation.ready().name, "t");
  EXPECT_THAT(*ask(conversation, "x"), ElementsAre(4.5));
  EXPECT_THAT(*ask(conversation, "y"), ElementsAre(4.5));
  EXPECT_EQ(conversation.counts().answered, 2U);
  EXPECT_EQ(conversation.counts().restarts, 0U);
}

TEST(Conversation, AnswersMayComeInAnyOrder) {
  // Waits for two requests and answers the second first.
  std::string body = fmt::format(
      "{}; if [ -z \"$first\" ]; then first=$id; else "
      "echo \"{{\\\"id\\\": \\\"$id\\\", \\\"scores\\\": [2]}}\"; "
      "echo \"{{\\\"id\\\": \\\"$first\\\", \\\"scores\\\": [1]}}\"; fi",
      kId);
  Conversation conversation(options_of(shell(body)));
  auto first = send(conversation, "one");
  auto second = send(conversation, "two");
  EXPECT_THAT(*conversation.wait(*first, {}), ElementsAre(1));
  EXPECT_THAT(*conversation.wait(*second, {}), ElementsAre(2));
}

TEST(Conversation, IdsAreItsOwnWhateverItemsAreCalled) {
  // Waits for three requests, then answers each; two are of items that look like one.
  std::string body = fmt::format(
      "{}; ids=\"$ids $id\"; set -- $ids; if [ $# = 3 ]; then for one; do "
      "echo \"{{\\\"id\\\": \\\"$one\\\", \\\"scores\\\": [$one]}}\"; done; fi",
      kId);
  Conversation conversation(options_of(shell(body)));
  auto two = conversation.send({request_of("a"), request_of("a", 1)});
  auto third = send(conversation, "a#1");
  EXPECT_THAT(*conversation.wait(*two[0], {}), ElementsAre(0));
  EXPECT_THAT(*conversation.wait(*two[1], {}), ElementsAre(1));
  EXPECT_THAT(*conversation.wait(*third, {}), ElementsAre(2));
}

TEST(Conversation, NeverHoldsMoreRequestsThanTheAdapterTakes) {
  // Answers a request only when no second one comes within a tenth of a second.
  std::string command =
      "read hello; echo '{\"ready\": true, \"max_in_flight\": 1}'; exec python3 -c '\n"
      "import json, select, sys\n"
      "for line in iter(lambda: sys.stdin.buffer.raw.read(65536), b\"\"):\n"
      "    for request in map(json.loads, line.splitlines()):\n"
      "        if request[\"op\"] == \"bye\": sys.exit(0)\n"
      "        alone = not select.select([0], [], [], 0.1)[0] and line.count(b\"\\n\") == 1\n"
      "        print(json.dumps({\"id\": request[\"id\"], \"scores\": [int(alone)]}), "
      "flush=True)\n'";
  Conversation conversation(options_of(command));
  auto first = send(conversation, "one");
  auto second = send(conversation, "two");
  EXPECT_THAT(*conversation.wait(*first, {}), ElementsAre(1));
  EXPECT_THAT(*conversation.wait(*second, {}), ElementsAre(1));
}

TEST(Conversation, TheRequestThatEndsTheAdapterFailsAlone) {
  std::string body = fmt::format("{}; [ \"$item\" = bad ] && exit 3; {}", kItem, answering("1"));
  Conversation conversation(options_of(shell(body)));
  auto good = send(conversation, "good");
  auto bad = send(conversation, "bad");
  auto late = send(conversation, "late");
  EXPECT_THAT(*conversation.wait(*good, {}), ElementsAre(1));
  Result<std::vector<double>> failed = conversation.wait(*bad, {});
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().what(), HasSubstr("exit status 3"));
  EXPECT_THAT(failed.error().what(), HasSubstr("item bad"));
  EXPECT_THAT(*conversation.wait(*late, {}), ElementsAre(1));
  EXPECT_EQ(conversation.counts().restarts, 2U);
}

TEST(Conversation, RequestsOfOneItemFailTogether) {
  std::string body = fmt::format("{}; [ \"$item\" = good ] || exit 3; {}", kItem, answering("1"));
  Conversation conversation(options_of(shell(body)));
  auto bad = conversation.send({request_of("bad"), request_of("bad", 1), request_of("bad", 2)});
  for (const auto& one : bad) EXPECT_FALSE(conversation.wait(*one, {}));
  EXPECT_THAT(*ask(conversation, "good"), ElementsAre(1));
  EXPECT_EQ(conversation.counts().restarts, 2U);
}

TEST(Conversation, IsOverAfterTheLastRestart) {
  ConversationOptions options = options_of(shell("echo 'out of memory' >&2; exit 9"));
  options.max_restarts = 1;
  Conversation conversation(options);
  Result<std::vector<double>> first = ask(conversation, "x");
  EXPECT_FALSE(first);
  try {
    (void)ask(conversation, "y").is_ok();
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_THAT(error.what(), HasSubstr("its last words: out of memory"));
  }
}

TEST(Conversation, AnAdapterThatIsNeverReadyIsAnError) {
  auto message = [](const std::string& command) -> std::string {
    try {
      Conversation conversation(options_of(command));
      return "ready";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_THAT(message("exit 7"), HasSubstr("exit status 7"));
  EXPECT_THAT(message("kill -SEGV $$"), HasSubstr("signal 11"));
  EXPECT_THAT(message("/no/such/program"), HasSubstr("exit status 127"));
  // What it prints before it is ready is passed over; what answers must say that it is ready.
  EXPECT_THAT(message("echo hello; cat"), HasSubstr("wrote no \"ready\": true"));
  EXPECT_THAT(message("exec 1>&-; sleep 60"), HasSubstr("closed its output"));
}

TEST(Conversation, SilenceIsAnErrorOfTheItem) {
  ConversationOptions options = options_of(
      shell(fmt::format("{}; [ \"$item\" = slow ] && sleep 60; {}", kItem, answering("1"))));
  options.timeout_s = 0.2;
  Conversation conversation(options);
  Result<std::vector<double>> slow = ask(conversation, "slow");
  ASSERT_FALSE(slow);
  EXPECT_THAT(slow.error().what(), HasSubstr("no answer for 0.2 s"));
  EXPECT_THAT(*ask(conversation, "quick"), ElementsAre(1));
}

TEST(Conversation, StopsWaitingWhenTheRunIsStopped) {
  Conversation conversation(options_of(shell("sleep 60")));
  auto pending = send(conversation, "x");
  EXPECT_THROW((void)conversation.wait(*pending, [] { return true; }).is_ok(), Stopped);
}

TEST(Conversation, PassesOnWhatIsWrittenForPeople) {
  std::vector<std::string> lines;
  {
    ConversationOptions options = options_of(shell("echo working >&2; " + answering("1")));
    options.say = [&](std::string_view line) { lines.emplace_back(line); };
    Conversation conversation(options);
    ASSERT_TRUE(ask(conversation, "x"));
  }
  EXPECT_THAT(lines, ElementsAre("working"));
}

// Starts a process with `prefix` that writes its number, and looks for it after the conversation.
void expect_gone(const std::string& prefix) {
  std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / fmt::format("exec_pid_{}", ::getpid());
  {
    Conversation conversation(options_of(
        fmt::format("{} sh -c 'echo $$ > \"{}\"; exec sleep 1000' & while [ ! -s '{}' ]; do sleep "
                    "0.01; done; {}",
                    prefix,
                    file.string(),
                    file.string(),
                    shell("sleep 1000"))));
    auto pending = send(conversation, "x");
  }
  pid_t left = 0;
  std::ifstream(file) >> left;
  std::filesystem::remove(file);
  ASSERT_GT(left, 0);
  // Killed, and taken by the system's first process a moment later.
  for (int i = 0; i < 200 && ::kill(left, 0) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::ifstream status(fmt::format("/proc/{}/stat", left));
  std::string line;
  std::getline(status, line);
  EXPECT_TRUE(line.empty() || line.find(" Z ") != std::string::npos) << line;
}

TEST(Conversation, LeavesNoProcessBehind) {
  expect_gone("");
}

TEST(Conversation, LeavesNoProcessInASessionOfItsOwnBehind) {
  expect_gone("setsid");
}

}  // namespace
}  // namespace snellen::models::exec
