// SPDX-License-Identifier: Apache-2.0
// Parses the command line, runs one verb, and turns an Error into one line and an exit code.
#include <chrono>
#include <cstdio>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/cli/command_line.h"
#include "apps/cli/launch.h"
#include "apps/cli/print.h"
#include "apps/cli/run/networks.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verbs.h"
#include "snellen/base/files.h"
#include "snellen/base/heap.h"
#include "snellen/base/version.h"
#include "snellen/run/catalogue.h"
#include "snellen/store/error_json.h"

namespace snellen::cli {
namespace {

void print_error(const Error& error, bool wants_json) {
  // Ranks of one run stumble over the same flags and files; the first speaks for all.
  bool is_ours = error.code() == ErrorCode::kInternal || error.code() == ErrorCode::kIo;
  if (this_launch().rank > 0 && !is_ours) {
    // mpirun ends all ranks as soon as one has failed.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return;
  }
  if (wants_json) {
    fmt::print("{{\"error\":{}}}\n", store::error_to_json(error));
  } else {
    print_note("snellen: {}\n", error.what());
  }
}

int run_program(int argc, char** argv) {
  run::Catalogue catalogue = run::Catalogue::built_in();
  Context context{
      .catalogue = catalogue, .command = command_line(argc, argv), .program = "/proc/self/exe"};
  catalogue.installation = installation_of(context);
  CLI::App app{"Snellen: an eye chart for vision-language models", "snellen"};
  app.formatter(help_formatter());
  app.set_version_flag("--version", fmt::format("snellen {} ({})", version(), revision()));
  app.add_flag("--json", context.wants_json, "print JSON instead of tables; errors too");
  app.fallthrough();
  app.footer(
      "Exit codes: 0 done, 1 failure, 2 usage, 3 bad or missing input, 4 finished with failed "
      "items, 5 gate not met, 130 interrupted.\n"
      "Start with: snellen demo");
  const std::function<int()> run_verb = add_subcommands(Command(app), verbs_of("snellen"), context);
  std::vector<std::string> arguments = canonical_arguments(argc, argv);
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(arguments);
    return run_verb();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::string hint;
    std::string what = explain(app, error, hint);
    print_error(Error{ErrorCode::kUsage, std::move(what), "", std::move(hint)}, context.wants_json);
    return 2;
  } catch (const Error& error) {
    print_error(error, context.wants_json);
    return exit_code_of(error.code());
  } catch (const std::bad_alloc&) {
    print_error(Error{ErrorCode::kIo,
                      "out of memory",
                      "",
                      "free some memory, or pass a smaller --batch-size"},
                context.wants_json);
    return 1;
  } catch (const std::system_error& error) {
    const bool is_output = std::ferror(stdout) != 0;
    print_error(
        Error{ErrorCode::kIo,
              error.what(),
              is_output ? "standard output" : "",
              is_output ? "" : "the system refused a resource; try a smaller --num-workers"},
        context.wants_json);
    return 1;
  } catch (const std::exception& error) {
    print_error(
        Error{
            ErrorCode::kInternal, error.what(), "", "please report this with the command you ran"},
        context.wants_json);
    return 1;
  }
}

// Also what goes wrong before the verb begins, while flags are declared.
int run_to_the_end(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (const std::bad_alloc&) {
    print_note("snellen: out of memory (free some memory)\n");
  } catch (const std::exception& error) {
    print_note("snellen: {} (please report this with the command you ran)\n", error.what());
  }
  return 1;
}

}  // namespace
}  // namespace snellen::cli

int main(int argc, char** argv) {
  snellen::keep_freed_memory();
  snellen::exit_when_mapped_files_vanish(3);
  const int code = snellen::cli::run_to_the_end(argc, argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  snellen::cli::print_note("snellen: standard output could not be written\n");
  return code == 0 ? 1 : code;
}
