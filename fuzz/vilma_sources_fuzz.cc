// SPDX-License-Identifier: Apache-2.0
// What the ViLMA builders read: repetition ends, templates, pools of foils, RareAct's table,
// candidates of language models, detections, and described changes with their sentences.
#include "fuzz/fuzz_file.h"
#include "snellen/annotations/vilma/foil_candidates.h"
#include "snellen/annotations/vilma/label_lists.h"
#include "snellen/annotations/vilma/quva_templates.h"
#include "snellen/annotations/vilma/rareact.h"
#include "snellen/builders/vilma/counting_texts.h"
#include "snellen/builders/vilma/exercise_foils.h"
#include "snellen/builders/vilma/rare_texts.h"
#include "snellen/builders/vilma/state_item.h"
#include "snellen/formats/json_elements.h"
#include "snellen/formats/npy.h"

namespace {

namespace annotations = snellen::annotations;
namespace building = snellen::builders::vilma;

using snellen::fuzz::try_reading;

void read_states(const std::filesystem::path& path) {
  const snellen::formats::JsonElements elements(path);
  snellen::formats::PythonJsonParser parser;
  for (size_t i = 0; i < elements.size(); ++i) {
    const auto item = building::read_state_item(parser, elements.element(i), "fuzz");
    if (!item) continue;
    for (const bool is_compat : {false, true}) {
      for (const building::StateKind kind : building::kStateKinds) {
        (void)building::state_item_json(
            parser, *item, kind, {.keeps_verb = true, .is_compat = is_compat}, {});
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  snellen::fuzz::FuzzFile file(data, size);
  const std::filesystem::path& path = file.path();
  try_reading([&] { (void)snellen::formats::read_npy(path); });
  try_reading([&] { (void)annotations::read_label_lists(path); });
  try_reading([&] { (void)annotations::read_foil_candidates(path); });
  try_reading([&] { (void)annotations::read_quva_foils(path); });
  try_reading([&] { read_states(path); });
  try_reading([&] {
    const annotations::QuvaTemplates templates = annotations::read_quva_templates(path);
    for (const annotations::QuvaVideo& video : templates.videos) {
      for (const std::string& text : video.templates) {
        (void)building::singular_template(text);
        (void)building::first_noun_phrase(building::without_count(text));
      }
    }
    // Every exercise is compared with every other one: a few are enough here.
    annotations::QuvaFoilPool pool;
    if (templates.videos.size() < 20) building::add_exercise_foils(templates.videos, {}, pool);
  });
  try_reading([&] {
    for (const annotations::RareActRow& row : annotations::read_rareact(path).rows)
      (void)building::active_sentence(row.verb, row.noun);
  });
  return 0;
}
