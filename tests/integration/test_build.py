"""Data sets from published files: snellen build."""
import fcntl
import json
import signal
import subprocess
import time

import build_sources
from cli import SNELLEN, Case, call


def tree(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class BuildCase(Case):
    def probe_r(self, out, *flags):
        return call("build", "probe-r", "--visual-genome", self.folder / "vg", "--out", self.folder / out, "--min-object-images", 3,
                    "--num-images", 3, *flags)

    def probe_c(self, out, *flags):
        return call("build", "probe-c", "--captions", self.folder / "captions.json", "--out", self.folder / out, *flags)

    def probe_b(self, out, *flags):
        coco = self.folder / "coco"
        return call("build", "probe-b", "--instances", coco / "instances.json", "--images", coco / "images", "--scenes", coco / "scenes", "--out",
                    self.folder / out, *flags)

    def nouns(self):
        return self.write("nouns.txt", "dog\ncat\nbus\nroad\n")

    def check(self, out, *flags):
        return call("build", "check", self.folder / out, *flags)


class BuildTest(BuildCase):
    def test_probe_r_is_the_same_for_any_threads_and_passes_its_check(self):
        build_sources.visual_genome(self.folder / "vg")
        result = self.probe_r("one", "--threads", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("99,960", result.stdout)
        self.assertEqual(self.probe_r("two", "--threads", 3).returncode, 0)
        self.assertEqual(tree(self.folder / "one"), tree(self.folder / "two"))
        before = tree(self.folder / "one")
        self.assertEqual(self.probe_r("one").returncode, 0)
        self.assertEqual(before, tree(self.folder / "one"))
        self.assertEqual(self.probe_r("seed", "--seed", 1).returncode, 0)
        self.assertNotEqual(before["relation_eval_subject.json"], tree(self.folder / "seed")["relation_eval_subject.json"])
        groups = json.loads(before["relation_eval_subject.json"])
        self.assertGreater(len(groups), 100)
        self.assertTrue(all(len(group["positive_image_ids"]) == 3 for group in groups.values()))
        result = self.check("one")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn(f"{len(groups)} groups checked, 0 violations", result.stdout)

    def test_probe_c_is_the_same_for_any_threads_and_passes_its_check(self):
        build_sources.captions(self.folder / "captions.json")
        nouns = self.nouns()
        result = self.probe_c("one", "--nouns", nouns, "--threads", 1, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        counts = {(row["set"], row["what"]): row for row in json.loads(result.stdout)["counts"]}
        groups = json.loads((self.folder / "one" / "data_object_switch.json").read_text())
        self.assertEqual(counts["Probe-C object", "groups"]["ours"], len(groups))
        self.assertEqual(counts["Probe-C composition", "groups"]["paper"], "79,925")
        self.assertEqual(self.probe_c("two", "--nouns", nouns, "--threads", 4).returncode, 0)
        self.assertEqual(tree(self.folder / "one"), tree(self.folder / "two"))
        self.assertEqual(self.probe_c("seed", "--nouns", nouns, "--seed", 9).returncode, 0)
        self.assertNotEqual(tree(self.folder / "one"), tree(self.folder / "seed"))
        self.assertEqual(self.check("one").returncode, 0, self.check("one").stdout)

    def test_probe_b_is_the_same_for_any_threads_and_passes_its_check(self):
        build_sources.coco(self.folder / "coco")
        for format in ("jpg", "png"):
            result = self.probe_b(f"one-{format}", "--threads", 1, "--format", format)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(self.probe_b(f"two-{format}", "--threads", 3, "--format", format).returncode, 0)
            self.assertEqual(tree(self.folder / f"one-{format}"), tree(self.folder / f"two-{format}"))
            result = self.check(f"one-{format}")
            self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual(len(list((self.folder / "one-jpg").rglob("*.jpg"))), 4 * (6 + 6 + 12))

    def test_a_killed_build_goes_on_to_the_same_bytes(self):
        build_sources.coco(self.folder / "coco", images=40, width=320, height=240)
        self.assertEqual(self.probe_b("whole").returncode, 0)
        coco = self.folder / "coco"
        process = subprocess.Popen([SNELLEN, "build", "probe-b", "--instances", coco / "instances.json", "--images", coco / "images", "--scenes",
                                    coco / "scenes", "--out", self.folder / "killed"], stdout=subprocess.DEVNULL)
        deadline = time.time() + 60
        while process.poll() is None and time.time() < deadline and len(list((self.folder / "killed").rglob("*.jpg"))) < 20:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        result = self.check("killed")
        self.expect_error(result, 3, "was not finished")
        self.assertEqual(self.probe_b("killed").returncode, 0)
        self.assertEqual(tree(self.folder / "whole"), tree(self.folder / "killed"))

    def test_relcomp_shares_no_image_with_the_probes(self):
        build_sources.visual_genome(self.folder / "vg", images=1500)
        images = json.loads((self.folder / "vg" / "image_data.json").read_text())
        # Half of the captions' photos are in Visual Genome too: their COCO ids say so.
        of_photo = {}
        for i, image in enumerate(images):
            image["coco_id"] = 100_000 + i if i < 60 else 500_000 + i
            of_photo[image["image_id"]] = image["coco_id"]
        (self.folder / "vg" / "image_data.json").write_text(json.dumps(images))
        build_sources.captions(self.folder / "captions.json", first_id=100_000)
        build_sources.captions(self.folder / "val.json", images=5)
        result = call("build", "relcomp", "--captions", self.folder / "captions.json", "--coco-val", self.folder / "val.json", "--visual-genome",
                      self.folder / "vg", "--nouns", self.nouns(), "--min-object-images", 3, "--out", self.folder / "relcomp")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.probe_r("probe").returncode, 0)
        groups = json.loads((self.folder / "probe" / "relation_eval_subject.json").read_text())
        probed = {int(image) for image in groups}
        for group in groups.values():
            probed.update(group["positive_image_ids"], group["negative_image_ids"])
        trained = set()
        photos = {True: set(), False: set()}  # COCO ids, of relational samples and of the others
        for name in ("relcomp_train.jsonl", "relcomp_val.jsonl"):
            for line in (self.folder / "relcomp" / name).read_text().splitlines():
                row = json.loads(line)
                if row["task"] == "rel":
                    trained.add(row["image_id"])
                    photos[True].add(of_photo[row["image_id"]])
                else:
                    photos[False].update((row["img1_id"], row["img2_id"]))
        self.assertGreater(len(trained), 50)
        self.assertGreater(len(photos[False]), 30)
        self.assertFalse(trained & probed)
        probed_photos = {of_photo[image] for image in probed}
        self.assertTrue(probed_photos & set(range(100_000, 100_060)))
        self.assertFalse((photos[True] | photos[False]) & probed_photos)
        self.assertFalse(photos[True] & photos[False])
        notice = (self.folder / "relcomp" / "NOTICE.txt").read_text()
        self.assertIn("creativecommons.org/licenses/by/4.0", notice)
        result = call("run", "--model", "fake", "--tasks", "relcomp,relcomp-relation", "--data", self.folder / "relcomp", "--output",
                      self.folder / "runs", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("relcomp/image", result.stdout)
        self.assertIn("relcomp-relation/acc", result.stdout)
        result = self.check("relcomp")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_folder_of_other_settings_is_refused(self):
        build_sources.coco(self.folder / "coco")
        self.assertEqual(self.probe_b("out", "--fill-type", "gray").returncode, 0)
        self.expect_error(self.probe_b("out", "--fill-type", "black"), 2, "fill-type", "--overwrite")
        self.assertEqual(self.probe_b("out", "--fill-type", "black", "--overwrite").returncode, 0)
        self.assertFalse(list((self.folder / "out").rglob("gray/*.jpg")))


    def test_pictures_of_others_stay_when_a_set_is_built_again(self):
        build_sources.coco(self.folder / "coco")
        self.assertEqual(self.probe_b("out", "--fill-type", "gray").returncode, 0)
        picture = next((self.folder / "out").rglob("*.jpg")).parent / "COCO_holiday.jpg"
        notes = self.folder / "out" / "val2014_random_patch_dataset" / "notes.txt"
        for path in (picture, notes):
            path.write_text("mine")
        self.assertEqual(self.probe_b("out", "--fill-type", "black", "--overwrite").returncode, 0)
        self.assertEqual([path.read_text() for path in (picture, notes)], ["mine", "mine"])
        self.assertEqual([path for path in (self.folder / "out").rglob("gray/*.jpg") if path != picture], [])

    def test_files_that_no_build_made_are_not_replaced(self):
        build_sources.captions(self.folder / "captions.json", images=40)
        self.write("nouns.txt", "dog\ncat\nbus\nroad\n")
        build = ["build", "probe-c", "--captions", self.folder / "captions.json", "--nouns", self.folder / "nouns.txt", "--out", self.folder / "out"]
        published = self.write("out/data_compositional_switch.json", "published")
        self.expect_error(call(*build), 2, "data_compositional_switch.json", "no build made it")
        self.assertEqual(published.read_text(), "published")
        published.unlink()
        self.assertEqual(call(*build).returncode, 0)
        self.assertEqual(call(*build).returncode, 0)

    def test_the_pictures_of_a_published_set_are_not_taken_for_ours(self):
        build_sources.coco(self.folder / "coco")
        self.write("out/val2014_random_patch_dataset/gray/COCO_val2014_000000000001.jpg", "published")
        self.expect_error(self.probe_b("out"), 2, "val2014_random_patch_dataset", "no build made it")

    def test_polygons_that_moved_are_noticed(self):
        data = build_sources.coco(self.folder / "coco")
        self.assertEqual(self.probe_b("out", "--fill-type", "gray").returncode, 0)
        for annotation in data["annotations"]:
            annotation["segmentation"] = [[number + 2 for number in annotation["segmentation"][0]]]
        build_sources.write_instances(self.folder / "coco", data)
        self.expect_error(self.probe_b("out", "--fill-type", "gray"), 2, "instances", "--overwrite")
        self.assertEqual(self.probe_b("out", "--fill-type", "gray", "--overwrite").returncode, 0)
        self.assertEqual(self.probe_b("fresh", "--fill-type", "gray").returncode, 0)
        pictures = lambda name: {path: data for path, data in tree(self.folder / name).items() if path.endswith(".jpg")}
        self.assertEqual(pictures("out"), pictures("fresh"))

    def test_two_builds_do_not_share_a_folder(self):
        build_sources.coco(self.folder / "coco")
        self.write("out/build.lock", "")
        with open(self.folder / "out" / "build.lock") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.expect_error(self.probe_b("out"), 1, "another process is writing here")


class BadSourceTest(BuildCase):
    """A file that cannot be used ends with 3; a bad record is left out, named and counted: 4."""

    def coco(self, change):
        data = build_sources.coco(self.folder / "coco")
        change(data)
        build_sources.write_instances(self.folder / "coco", data)
        return self.probe_b("out", "--fill-type", "gray")

    def captions(self, text):
        path = build_sources.captions(self.folder / "captions.json")
        data = json.loads(path.read_text())
        data["annotations"][5]["caption"] = text
        path.write_text(json.dumps(data))
        return self.probe_c("out", "--nouns", self.nouns())

    def test_missing_file(self):
        self.expect_error(self.probe_c("out", "--nouns", self.nouns()), 3, "captions.json")
        self.expect_error(self.probe_r("out"), 3, "relationships.json")
        self.expect_error(self.probe_b("out"), 3, "instances.json")

    def test_truncated_json(self):
        vg = build_sources.visual_genome(self.folder / "vg")
        objects = vg / "objects.json"
        objects.write_bytes(objects.read_bytes()[:-100])
        self.expect_error(self.probe_r("out"), 3, "objects.json", "the file ends")
        self.assertFalse((self.folder / "out" / "relation_eval_subject.json").exists())
        captions = build_sources.captions(self.folder / "captions.json")
        captions.write_bytes(captions.read_bytes()[:-3])
        self.expect_error(self.probe_c("out", "--nouns", self.nouns()), 3, "captions.json")

    def test_no_nouns(self):
        build_sources.captions(self.folder / "captions.json")
        self.expect_error(self.probe_c("out"), 3, "--objects", "--nouns")

    def test_image_listed_but_absent(self):
        def remove(data):
            (self.folder / "coco" / "images" / data["images"][2]["file_name"]).unlink()
        self.expect(self.coco(remove), 4, "COCO_val2014_000000000003.jpg", "1 bad records")
        self.assertEqual(len(json.loads((self.folder / "out" / "background_context_dataset.json").read_text())), 5)
        self.assertEqual(self.check("out").returncode, 0)

    def test_polygon_outside_the_image_is_clipped(self):
        def move(data):
            data["annotations"][0]["segmentation"] = [[50, 10, 90, 10, 90, 30, 50, 30]]
            data["annotations"][2]["segmentation"] = [[500, 10, 510, 10, 510, 30]]
        self.assertEqual(self.coco(move).returncode, 0)

    def test_self_crossing_polygon_is_filled(self):
        def cross(data):
            data["annotations"][0]["segmentation"] = [[4, 4, 20, 20, 20, 4, 4, 20]]
        self.assertEqual(self.coco(cross).returncode, 0)

    def test_empty_rle(self):
        def empty(data):
            data["annotations"][0].update(iscrowd=1, segmentation={"size": [48, 64], "counts": []})
            data["annotations"][2].update(iscrowd=1, segmentation={"size": [48, 64], "counts": [48 * 64]})
        self.expect(self.coco(empty), 4, "annotation 2", "annotation 4", "2 bad records")

    def test_zero_area_box(self):
        self.expect(self.coco(lambda data: data["annotations"][0].update(bbox=[4, 4, 0, 16])), 4, "annotation 2", "no area")

    def test_unknown_category(self):
        self.expect(self.coco(lambda data: data["annotations"][0].update(category_id=77)), 4, "unknown category 77")

    def test_duplicate_ids(self):
        def double(data):
            data["annotations"][1]["id"] = data["annotations"][0]["id"]
            data["images"].append(dict(data["images"][0]))
        self.expect(self.coco(double), 4, "annotation id 2 occurs twice", "image id 1 occurs twice", "2 bad records")
        vg = build_sources.visual_genome(self.folder / "vg")
        rows = json.loads((vg / "objects.json").read_text())
        (vg / "objects.json").write_text(json.dumps(rows + rows[:1]))
        self.expect(self.probe_r("r"), 4, "image id 1 occurs twice")

    def test_caption_of_100_kilobytes(self):
        self.expect(self.captions("a red dog " * 10_000), 4, "100000 bytes", "record 5")

    def test_text_that_is_not_utf8(self):
        path = build_sources.captions(self.folder / "captions.json")
        path.write_bytes(path.read_bytes().replace(b"by the sea", b"by \xff\xfe sea", 1))
        self.expect(self.probe_c("out", "--nouns", self.nouns()), 4, "1 bad records")

    def test_nothing_comes_out(self):
        self.write("vg/relationships.json", [])
        self.write("vg/objects.json", [])
        self.assertEqual(self.probe_r("out").returncode, 1)

    def test_a_path_that_leaves_its_folder(self):
        self.expect(self.coco(lambda data: data["images"][0].update(file_name="../../secret.jpg")), 4, "leaves its folder")


