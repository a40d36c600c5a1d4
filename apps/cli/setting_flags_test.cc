// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/setting_flags.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Own {
  std::vector<std::string> tasks;
  double beta2 = 0.98;
  bool is_fast = false;
  std::optional<bool> mask;
  std::string mode = "auto";
};

struct OfTask {
  std::string suite;
  std::string modus;
};

config::Options declared() {
  using config::option;
  std::vector<config::Block> blocks = {
      config::Block(
          Own{},
          {option(&Own::tasks, "tasks", "the tasks"),
           option(&Own::beta2, "beta2", "decay of the second moment").alias("b2").range(0, 1),
           option(&Own::is_fast, "fast", "go faster"),
           option(&Own::mask, "mask", "show nothing"),
           option(&Own::mode,
                  "mode",
                  "a long sentence about how the program chooses between its ways of working")
               .choices({"auto", "on"})
               .group("Others")}),
      config::Block(OfTask{},
                    {option(&OfTask::suite, "suite", "file of the suite"),
                     option(&OfTask::modus, "modus", "how it counts").choices({"sum", "mean"})})};
  blocks[1].owned_by("task vilma");
  return config::Options(std::move(blocks));
}

bool is_named(const std::string& owner, const config::Options& settings) {
  const std::vector<std::string>& tasks = settings.get<Own>().tasks;
  return std::any_of(
      tasks.begin(), tasks.end(), [&](const std::string& task) { return owner == "task " + task; });
}

// A program with one verb, as main.cc makes it.
class Program {
 public:
  Program() {
    app_.formatter(help_formatter());
    app_.require_subcommand(1);
    CLI::App* verb = app_.add_subcommand("train", "train a model");
    app_.add_subcommand("patch", "blend two models");
    flags_ = std::make_unique<SettingFlags>(Command(*verb), declared(), is_named);
  }

  config::Options parse(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());
    app_.parse(words);
    return flags_->settings();
  }
  std::string error_of(const std::vector<std::string>& words) {
    try {
      parse(words);
    } catch (const CLI::ParseError& error) {
      std::string hint;
      std::string what = explain(app_, error, hint);
      return what + " (" + hint + ")";
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }
  std::string help(std::vector<std::string> words) {
    words.emplace_back("--help");
    std::reverse(words.begin(), words.end());
    try {
      app_.parse(words);
    } catch (const CLI::CallForHelp&) {
      return app_.help();
    }
    return "none";
  }

 private:
  CLI::App app_{"a program", "snellen"};
  std::unique_ptr<SettingFlags> flags_;
};

TEST(SettingFlags, FillTheStructFromTheCommandLine) {
  const config::Options settings =
      Program().parse({"train", "--b2", "0.5", "--fast", "--tasks", "a,b", "--mask", "false"});
  const Own& own = settings.get<Own>();
  EXPECT_EQ(own.beta2, 0.5);
  EXPECT_TRUE(own.is_fast);
  EXPECT_EQ(own.mask, false);
  EXPECT_EQ(own.tasks, (std::vector<std::string>{"a", "b"}));
}

TEST(SettingFlags, TakeAFlagWithoutAWordAsTrue) {
  EXPECT_EQ(Program().parse({"train", "--mask"}).get<Own>().mask, true);
}

TEST(SettingFlags, GiveEachPositionalItsWord) {
  struct Two {
    std::string first;
    std::string second;
  };
  CLI::App app;
  SettingFlags flags(Command(app),
                     config::Options(std::vector<config::Block>{config::Block(
                         Two{},
                         {config::option(&Two::first, "first", "").positional().required(),
                          config::option(&Two::second, "second", "").positional().required()})}));
  app.parse(std::vector<std::string>{"b", "a"});
  EXPECT_EQ(flags.settings().get<Two>().first, "a");
  EXPECT_EQ(flags.settings().get<Two>().second, "b");
}

TEST(SettingFlags, LetTheCommandLineWinOverAConfigFile) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "setting_flags_test.json";
  write_text_file(file, R"({"beta2": 0.1, "mode": "on", "suite": "of another task"})");
  const config::Options settings =
      Program().parse({"train", "--config", file.string(), "--beta2", "0.2"});
  EXPECT_EQ(settings.get<Own>().beta2, 0.2);
  EXPECT_EQ(settings.get<Own>().mode, "on");
  EXPECT_EQ(settings.get<OfTask>().suite, "");
}

TEST(SettingFlags, RefuseAFlagOfATaskThatIsNotAskedFor) {
  EXPECT_EQ(Program().error_of({"train", "--suite", "s.json", "--tasks", "probe-c"}),
            "--suite: is a setting of task vilma, which this command does not use (leave it out)");
  EXPECT_EQ(Program().error_of({"train", "--suite", "s.json", "--tasks", "vilma"}), "none");
  // Also where its value fits nothing: another flag was meant.
  EXPECT_EQ(
      Program().error_of({"train", "--modus", "on"}),
      "--modus: is a setting of task vilma, which this command does not use (leave it out, or "
      "did you mean '--mode'?)");
}

TEST(SettingFlags, NameTheNearestVerbAndFlag) {
  EXPECT_EQ(Program().error_of({"trian"}),
            "unknown verb 'trian' (did you mean 'train'? see snellen --help)");
  EXPECT_EQ(Program().error_of({"train", "--bta2", "1"}),
            "unknown flag '--bta2' (did you mean '--beta2'? see snellen train --help)");
  EXPECT_EQ(Program().error_of({"train", "--task-file", "x"}),
            "unknown flag '--task-file' (did you mean '--tasks'? see snellen train --help)");
}

TEST(SettingFlags, SayWhatAWordOrFlagInTheWrongPlaceLacks) {
  EXPECT_EQ(
      Program().error_of({"--tasks", "vilma"}),
      "no verb named before '--tasks' (put one first, for example: snellen train --tasks ...; "
      "see snellen --help)");
  EXPECT_EQ(
      Program().error_of({"train", "vilma"}),
      "unexpected argument 'vilma' (a value stands behind its flag, for example snellen train "
      "--tasks vilma; see snellen train --help)");
  EXPECT_THAT(Program().error_of({"evaluate"}), HasSubstr("`snellen run` scores a model"));
}

TEST(Help, PrintsTheDefaultOfTheStructAndTheVerbInUsage) {
  const std::string help = Program().help({"train"});
  EXPECT_THAT(help, HasSubstr("Usage: snellen train [OPTIONS]"));
  EXPECT_THAT(help, HasSubstr("(default 0.98)"));
  EXPECT_THAT(help, HasSubstr("\nOthers:\n"));
}

TEST(Help, ShowsTheFlagsOfATaskWhenItIsAskedFor) {
  EXPECT_THAT(Program().help({"train"}), Not(HasSubstr("--suite")));
  const std::string help = Program().help({"train", "--tasks", "vilma"});
  EXPECT_THAT(help, HasSubstr("Settings of task vilma:"));
  EXPECT_THAT(help, HasSubstr("--suite"));
}

TEST(Help, FitsEightyColumns) {
  std::istringstream lines(Program().help({"train", "--tasks", "vilma"}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace snellen::cli
