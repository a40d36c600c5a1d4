// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/demo/demo_steps.h"

#include <cerrno>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/progress.h"
#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::cli {
namespace {

constexpr size_t kShownOfLog = 600;
constexpr int kSomeItemsFailed = 4;
constexpr int kInterruptedCode = 130;
constexpr std::string_view kPrompt = "$ ";
constexpr const char* kSettingsVariable = "XDG_CONFIG_HOME=";

std::string end_of(const std::filesystem::path& file) {
  std::string text = read_text_file(file);
  return text.size() > kShownOfLog ? text.substr(text.size() - kShownOfLog) : text;
}

// In lines that a terminal of 80 columns shows whole, where no word is longer, and a shell takes.
std::string in_lines(const Arguments& arguments) {
  constexpr std::string_view kGoesOn = " \\";
  std::string text = "snellen";
  size_t width = kPrompt.size() + text.size();
  for (const std::string& argument : arguments) {
    if (width + 1 + argument.size() + kGoesOn.size() > kTextWidth) {
      text += fmt::format("{}\n    ", kGoesOn);
      width = 4;
    } else {
      text += " ";
      ++width;
    }
    text += argument;
    width += argument.size();
  }
  return text;
}

std::string as_typed(const Arguments& arguments) {
  std::string line = "snellen";
  for (const std::string& argument : arguments) line += " " + argument;
  return line;
}

}  // namespace

DemoSteps::DemoSteps(std::string program,
                     std::filesystem::path log,
                     std::filesystem::path settings,
                     bool is_silent)
    : program_(std::move(program)),
      log_(std::move(log)),
      settings_(std::move(settings)),
      is_silent_(is_silent) {}

void DemoSteps::run(const Arguments& arguments) {
  run_into(arguments, log_);
}

void DemoSteps::run_into(const Arguments& arguments, const std::filesystem::path& file) {
  auto begin = std::chrono::steady_clock::now();
  if (!is_silent_) {
    fmt::print("{}{}\n", kPrompt, in_lines(arguments));
    std::fflush(stdout);
  }
  int code = exit_code_of(arguments, file);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (code == kInterruptedCode)
    throw Error{ErrorCode::kInterrupted, "interrupted", "", "the same command goes on"};
  if (code != 0 && code != kSomeItemsFailed) {
    throw Error{ErrorCode::kIo,
                fmt::format("ended with exit code {}:\n{}", code, end_of(file)),
                as_typed(arguments),
                "try this command by itself"};
  }
  if (!is_silent_ && took.count() >= 1) fmt::print("  {}\n", shown_time(took.count()));
}

int DemoSteps::exit_code_of(const Arguments& arguments, const std::filesystem::path& file) const {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  int flags = O_WRONLY | O_CREAT | (file == log_ ? O_APPEND : O_TRUNC);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file.c_str(), flags, 0644);
  // A person sees the progress of each step.
  if (::isatty(STDERR_FILENO) == 0)
    posix_spawn_file_actions_addopen(
        &actions, STDERR_FILENO, log_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), "snellen");
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::string settings = kSettingsVariable + settings_.string();
  std::vector<char*> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    if (!std::string_view(*each).starts_with(kSettingsVariable)) variables.push_back(*each);
  }
  variables.push_back(settings.data());
  variables.push_back(nullptr);
  pid_t child = -1;
  int problem = ::posix_spawn(
      &child, program_.c_str(), &actions, /*attrp=*/nullptr, pointers.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0)
    throw Error{ErrorCode::kIo, fmt::format("cannot start: {}", std::strerror(problem)), program_};
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

}  // namespace snellen::cli
