// SPDX-License-Identifier: Apache-2.0
// Speaks METEOR's stdio protocol beside the Java program (tools/parity/meteor.py compares the two):
//   snellen-meteor-parity --meteor-data DIR [--paraphrase FILE] [--wordnet DIR] [--cache DIR]
//   [--task rank]
// Lines end at LF, CR or CR LF, as Java reads them.
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "snellen/base/error.h"
#include "snellen/metrics/text/meteor/stdio_protocol.h"

namespace {

struct Arguments {
  snellen::text::meteor::DataPlaces places;
  std::string task = "rank";
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string_view name = argv[i];
    if (name == "--meteor-data") arguments.places.named_folder = argv[i + 1];
    if (name == "--paraphrase") arguments.places.paraphrase_file = argv[i + 1];
    if (name == "--wordnet") arguments.places.wordnet_folder = argv[i + 1];
    if (name == "--cache") arguments.places.cache_folder = argv[i + 1];
    if (name == "--task") arguments.task = argv[i + 1];
  }
  return arguments;
}

void serve(snellen::metrics::meteor::StdioProtocol& protocol) {
  std::string line, out;
  bool after_return = false;
  for (int c = 0; (c = std::getchar()) != EOF;) {
    bool is_end = c == '\n' || c == '\r';
    bool is_second_half = c == '\n' && after_return;
    after_return = c == '\r';
    if (is_second_half) continue;
    if (!is_end) {
      line.push_back(static_cast<char>(c));
      continue;
    }
    out.clear();
    protocol.answer(line, out);
    line.clear();
    std::fwrite(out.data(), 1, out.size(), stdout);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Arguments arguments = parse(argc, argv);
    auto data = std::make_shared<const snellen::text::meteor::MeteorData>(
        snellen::text::meteor::load_meteor_data(arguments.places));
    for (const std::string& warning : data->warnings) std::cerr << "warning: " << warning << "\n";
    snellen::metrics::meteor::Meteor meteor(
        data, snellen::metrics::meteor::parameters_of(arguments.task));
    snellen::metrics::meteor::StdioProtocol protocol(meteor);
    serve(protocol);
    return 0;
  } catch (const snellen::Error& error) {
    std::cerr << error.what() << "\n";
    return 3;
  }
}
