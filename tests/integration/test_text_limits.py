# SPDX-License-Identifier: Apache-2.0
"""Which texts of models whose checkpoints read further are cut, told by the scores."""
import json
import random
import shutil
import sqlite3
import unittest

from checkpoints import with_more_rows
from cli import Case, call
from test_run_models import FIXTURES, HAS_NETWORKS, png


@unittest.skipUnless(HAS_NETWORKS, "this build has no torch")
class TextLimits(Case):
    """Texts are cut where the published processors cut them (docs/spec/models.md 2.2), however long the model's position table is."""

    def lengthen(self, folder, rows=120):
        """The table of positions of the fixture's texts, with as many rows as the real models' and more."""
        with_more_rows(self.folder / folder / "model.safetensors", lambda name: "text_" in name and name.endswith("position_embeddings.weight"), rows)
        config = json.loads((self.folder / folder / "config.json").read_text())
        texts = config.get("text_config", config)
        texts["max_position_embeddings"] = rows
        self.write(f"{folder}/config.json", config)
        (self.folder / folder / "fixture.json").unlink()

    def check(self, fixture, limit, word, other, num_before):
        """Of `word` said often, one changed: only among the first `limit` tokens does that change the score."""
        shutil.copytree(FIXTURES / fixture, self.folder / fixture)
        self.lengthen(fixture)
        (self.folder / "0.png").write_bytes(png(33, 30, random.Random(3)))

        def said(*changed):
            return " ".join(other if i in changed else word for i in range(110))
        last = limit - 2 - num_before - 1  # beside the tokens at both ends
        lines = [{"metric": "pairwise"}, *({"id": f"{i}", "visuals": ["0.png"], "texts": [said(), said(i)], "right": 0} for i in (last, last + 1, last + 40))]
        items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        result = call("run", "--model", self.folder / fixture, "--tasks", f"file:{items}", "--output", self.folder / "out", "--no-cache")
        self.assertEqual(result.returncode, 0, result.stderr)
        with sqlite3.connect(f"file:{next((self.folder / 'out').rglob('samples.db'))}?immutable=1", uri=True) as store:
            scores = dict(store.execute("SELECT item, scores FROM items").fetchall())
        tells_apart = {int(item): len(set(found.split(" | "))) == 2 for item, found in scores.items()}
        self.assertEqual(tells_apart, {last: True, last + 1: False, last + 40: False}, scores)

    def test_flava(self):
        self.check("flava", 77, "cat", "dog", 0)

    def test_align(self):
        self.check("align", 64, "cat", "dog", 0)

    def test_vilt(self):
        self.check("vilt", 40, "cat", "dog", 0)

    def test_bridge_tower(self):
        # "the" without a space before it is two tokens.
        self.check("bridgetower_itc", 40, "the", "of", 1)
