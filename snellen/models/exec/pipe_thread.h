// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "snellen/models/exec/child_process.h"
#include "snellen/models/exec/conversation.h"
#include "snellen/models/exec/line_buffers.h"

namespace snellen::models::exec {

// The one thread that starts the adapter, writes to it and reads from it.
class Conversation::PipeThread {
 public:
  explicit PipeThread(Conversation& shared);
  void run();

 private:
  using Clock = std::chrono::steady_clock;
  struct Sent {
    std::shared_ptr<Pending> pending;
    Clock::time_point deadline;  // where others are answered and this one never is
    uint64_t number;             // order of sending
  };

  void start();
  void restart();
  void turn();
  bool take_new();
  bool has_work() const { return !waiting_.empty() || !retries_.empty(); }
  void send_more();
  void send(const std::shared_ptr<Pending>& pending);
  void wait_for_something();
  void write_some();
  // False at the end of the stream.
  bool read_answers();
  void read_people();
  void take_line(const std::string& line);
  void take_reply(Reply&& reply);
  void check_time();
  void became_ready(const Ready& ready);
  // With `blames` an item that was held a second time fails.
  void take_back(const Error& reason, bool blames);
  void fail_item(Pending& pending, const Error& reason);
  // The program can no longer be used, for this reason.
  void broke(const Error& reason, bool blames = true);
  void ended_early();
  void give_up(const Error& reason);
  void answer(Pending& pending, Result<std::vector<double>> scores);
  void say_good_bye();

  Conversation& shared_;
  const ConversationOptions& options_;
  std::unique_ptr<ChildProcess> child_;
  AnswerLines answers_;
  StderrLines stderr_lines_;
  std::string outbox_;
  bool is_ready_ = false;
  std::optional<Error> last_break_;  // why the last program could no longer be used
  size_t num_said_ = 0;              // lines that were no answer
  bool is_over_ = false;
  size_t most_in_flight_ = 1;
  std::deque<std::shared_ptr<Pending>> waiting_;
  std::deque<std::shared_ptr<Pending>> retries_;  // asked alone, before those that wait
  std::map<std::string, Sent, std::less<>> in_flight_;
  std::deque<std::string> answered_;            // the last few that this program answered
  std::set<std::string, std::less<>> expired_;  // given up; this program may still answer them
  uint64_t num_sent_ = 0;
  Clock::time_point last_sign_;  // when it last answered, or was first asked after that
};

}  // namespace snellen::models::exec
