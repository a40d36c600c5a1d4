"""ARCHITECTURE.md is true, and rooms include only what they link."""
import pathlib
import tempfile
import unittest

import structure

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The aim is 25.
MOST_HOPS = 31


class ThisRepository(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = (ROOT / "ARCHITECTURE.md").read_text()

    def expect_none(self, faults):
        if faults:
            self.fail("\n".join(faults))

    def test_every_file_and_function_it_names_exists(self):
        self.expect_none(structure.wrong_claims(self.page, structure.Tree(ROOT)))

    def test_every_source_that_the_guides_name_exists(self):
        tree = structure.Tree(ROOT)
        guides = [ROOT / "CONTRIBUTING.md", ROOT / "tests" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
        self.expect_none([f"{guide.relative_to(ROOT)}: {fault}" for guide in guides if guide.parent.name != "spec"
                          for fault in structure.wrong_sources(guide.read_text(), tree)])

    def test_its_room_table_equals_the_link_lines(self):
        self.expect_none(structure.wrong_links(self.page, ROOT))

    def test_a_run_with_a_model_folder_takes_no_more_hops_than_it_did(self):
        hops = structure.num_hops(self.page)
        self.assertIsNotNone(hops, "no heading speaks of hops")
        self.assertGreater(hops, 0)
        self.assertLessEqual(hops, MOST_HOPS)

    def test_json_is_parsed_with_the_depth_limit(self):
        self.expect_none(structure.bare_json_parses(ROOT))

    def test_rooms_include_only_what_they_link(self):
        self.expect_none(structure.wrong_includes(ROOT))

    def test_the_command_line_knows_no_task(self):
        self.expect_none(structure.tasks_known_by_verbs(ROOT))


class TheCheckItself(unittest.TestCase):
    """A small tree with one of each fault."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, text in {
            "snellen/base/CMakeLists.txt": "snellen_room(base SOURCES error.cc LINK fmt::fmt)\n",
            "snellen/base/error.h": "class Error {\n  void tell();  // not gone()\n};\n",
            "snellen/metrics/CMakeLists.txt": "snellen_room(metrics SOURCES a.cc LINK snellen_base)\n",
            "snellen/metrics/a.cc": '#include "snellen/base/error.h"\nint mean(int x) { return x; }\n',
            "snellen/models/CMakeLists.txt": "snellen_room(models LINK snellen_base PRIVATE_LINK snellen_metrics)\n",
            "apps/cli/CMakeLists.txt": "target_link_libraries(snellen PRIVATE snellen_models CLI11::CLI11)\n",
        }.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def claims(self, page):
        return structure.wrong_claims(page, structure.Tree(self.root))

    def test_names_files_and_functions_that_are_not_there(self):
        self.assertEqual(self.claims("`metrics/a.cc: mean` calls `snellen/base/error.h: Error::tell`, see `error.h` and `Error::tell`"), [])
        self.assertEqual(len(self.claims("`metrics/b.cc`")), 1)
        self.assertEqual(len(self.claims("`metrics/a.cc: median`")), 1)
        self.assertEqual(len(self.claims("`base/error.h: gone`")), 1)
        self.assertEqual(len(self.claims("`Error::lie`")), 1)

    def test_names_rooms_whose_links_the_table_has_wrong(self):
        table = "| room | holds | links |\n|---|---|---|\n| `base` | x | fmt |\n| `metrics` | x | base |\n| `models` | x | base, metrics |\n| `apps/cli` | x | models |\n"
        self.assertEqual(structure.wrong_links(table, self.root), [])
        self.assertEqual(len(structure.wrong_links(table.replace("base, metrics", "base"), self.root)), 1)
        self.assertEqual(len(structure.wrong_links(table.replace("| `metrics` | x | base |\n", ""), self.root)), 1)
        self.assertEqual(len(structure.wrong_links("no table", self.root)), 1)

    def test_finds_a_metric_that_looks_at_models_and_a_room_that_speaks_sql(self):
        self.assertEqual(structure.wrong_includes(self.root), [])
        (self.root / "snellen/metrics/a.cc").write_text('#include "snellen/models/model.h"\n#include <sqlite3.h>\n')
        self.assertEqual(len(structure.wrong_includes(self.root)), 2)

    def test_finds_a_parser_without_a_depth_limit(self):
        (self.root / "snellen/metrics/a.cc").write_text("auto json = nlohmann::json::parse(text);\n")
        self.assertEqual(len(structure.bare_json_parses(self.root)), 1)

    def test_finds_a_verb_that_knows_a_task(self):
        for name, header in (("run/score.cc", "tasks/file/task.h"), ("demo/demo.cc", "tasks/file/task.h"), ("run/run.cc", "tasks/task.h")):
            path = self.root / "apps/cli" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f'#include "snellen/{header}"\n')
        faults = structure.tasks_known_by_verbs(self.root)
        self.assertEqual(len(faults), 1)
        self.assertIn("run/score.cc", faults[0])

    def test_counts_hops(self):
        self.assertEqual(structure.num_hops("# The hops of a run\n\n1. one\n2. two\n   more\n\n# Next\n\n1. x\n"), 2)
        self.assertIsNone(structure.num_hops("# Nothing\n1. x\n"))
