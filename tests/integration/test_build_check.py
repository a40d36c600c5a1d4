"""build check finds what is wrong with a built set: one planted violation a test."""
import json

import build_sources
from test_build import BuildCase
from test_media import png


class PlantedInProbeR(BuildCase):
    def setUp(self):
        super().setUp()
        build_sources.visual_genome(self.folder / "vg")
        self.assertEqual(self.probe_r("out").returncode, 0)
        self.path = self.folder / "out" / "relation_eval_subject.json"
        self.groups = json.loads(self.path.read_text())
        self.images = {row["image_id"]: row for row in json.loads((self.folder / "vg" / "relationships.json").read_text())}
        self.names = {}
        for row in json.loads((self.folder / "vg" / "objects.json").read_text()):
            self.names.setdefault(row["image_id"], set()).update(thing.get("name") or thing["names"][0] for thing in row["objects"])
        for image, row in self.images.items():
            for one in row["relationships"]:
                for role in ("subject", "object"):
                    self.names[image].add(one[role].get("name") or one[role]["names"][0])
        self.anchor, self.group = next(iter(self.groups.items()))

    def expect_found(self, *rules):
        self.path.write_text(json.dumps(self.groups))
        result = self.check("out", "--json")
        self.assertEqual(result.returncode, 1, result.stdout)
        report = json.loads(result.stdout)
        self.assertEqual({row["rule"] for row in report["violations"]}, set(rules))
        for row in report["violations"]:
            self.assertIn(f"'{self.anchor}'", row["group"])

    def other_image(self, wanted):
        return next(image for image in sorted(self.names) if str(image) != self.anchor and image not in self.group["positive_image_ids"] and
                    image not in self.group["negative_image_ids"] and wanted(image) and not reserved(image))

    def test_a_positive_that_shares_another_object(self):
        subject, anchor = self.group["positive_object"], self.names[int(self.anchor)]
        # Any other name of the anchor that occurs elsewhere will do; the subject may be missing there too.
        image = self.other_image(lambda image: len(self.names[image] & (anchor - {subject})) > 0)
        rules = {"positive-shares-object"} | (set() if subject in self.names[image] else {"positive-lacks-subject"})
        self.group["positive_image_ids"][0] = image
        self.expect_found(*rules)

    def test_a_positive_without_the_subject(self):
        self.group["positive_image_ids"][0] = self.other_image(lambda image: not self.names[image] & self.names[int(self.anchor)])
        self.expect_found("positive-lacks-subject")

    def test_a_negative_with_the_subject(self):
        self.group["negative_image_ids"][1] = self.group["positive_image_ids"][0]
        has_foil = self.group["negative_object"] in self.names[self.group["positive_image_ids"][0]]
        self.expect_found("negative-has-subject", *([] if has_foil else ["negative-lacks-subject"]))

    def test_the_same_positive_twice(self):
        self.group["positive_image_ids"][0] = self.group["positive_image_ids"][1]
        self.expect_found("positive-count")

    def test_a_triple_that_the_anchor_does_not_have(self):
        for key in ("positive_prompt", "negative_prompt", "negative_predicate_prompt"):
            self.group[key] = self.group[key].replace(".", " zzz.")
        self.expect_found("triple-unknown")

    def test_a_foil_predicate_that_is_true(self):
        self.group["negative_predicate_prompt"] = self.group["positive_prompt"]
        self.expect_found("foil-predicate-seen")

    def test_a_foil_subject_that_is_true(self):
        self.group["negative_prompt"] = self.group["positive_prompt"]
        self.group["negative_object"] = self.group["positive_object"]
        self.group["negative_image_ids"] = []
        # Reading the file needs a list with something in it.
        self.group["negative_image_ids"] = self.group["positive_image_ids"]
        self.expect_found("foil-subject-seen", "foil-subject-in-anchor", "negative-has-subject")

    def test_an_image_that_is_kept_for_relcomp(self):
        subject, anchor = self.group["positive_object"], self.names[int(self.anchor)]
        image = next(image for image in sorted(self.names) if reserved(image))
        self.group["positive_image_ids"][0] = image
        rules = {"relcomp-image"}
        if subject not in self.names[image]:
            rules.add("positive-lacks-subject")
        if self.names[image] & (anchor - {subject}):
            rules.add("positive-shares-object")
        self.expect_found(*rules)


class PlantedInProbeC(BuildCase):
    def setUp(self):
        super().setUp()
        build_sources.captions(self.folder / "captions.json")
        self.assertEqual(self.probe_c("out", "--nouns", self.nouns()).returncode, 0)

    def expect_found(self, name, change, *rules):
        path = self.folder / "out" / name
        groups = json.loads(path.read_text())
        change(groups[0])
        path.write_text(json.dumps(groups))
        result = self.check("out", "--json")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertEqual({row["rule"] for row in json.loads(result.stdout)["violations"]}, set(rules))

    def test_attributes_that_are_no_antonyms(self):
        def change(group):
            group.update(img2_id=int(group["img1_id"]), img2_composition=group["img1_composition"], img2_prompt=group["img1_prompt"])
        self.expect_found("data_compositional_switch.json", change, "no-antonym", "same-image", "foil-fits-image1", "foil-fits-image2")

    def test_a_pair_that_no_caption_says(self):
        def change(group):
            group.update(img1_object="bus", img2_object="bus", img1_composition="plaid", img2_composition="plain",
                         img1_prompt="A photo of a plaid bus.", img2_prompt="A photo of a plain bus.")
        self.expect_found("data_compositional_switch.json", change, "pair-absent")

    def test_a_prompt_that_says_something_else(self):
        self.expect_found("data_object_switch.json", lambda group: group.update(img1_prompt="A photo of an apple."), "prompt")

    def test_a_noun_that_both_images_mention(self):
        def change(group):
            group.update(img2_id=int(group["img1_id"]), img2_object=group["img1_object"], img2_prompt=group["img1_prompt"])
        self.expect_found("data_object_switch.json", change, "same-image", "noun-kept", "noun-in-image1", "noun-in-image2")


class PlantedInProbeB(BuildCase):
    def setUp(self):
        super().setUp()
        build_sources.coco(self.folder / "coco")
        self.assertEqual(self.probe_b("out").returncode, 0)
        self.out = self.folder / "out"

    def expect_found(self, *rules):
        result = self.check("out", "--json")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertEqual({row["rule"] for row in json.loads(result.stdout)["violations"]}, set(rules))

    def edit(self, name, change):
        data = json.loads((self.out / name).read_text())
        change(data)
        (self.out / name).write_text(json.dumps(data))

    def test_a_patch_on_an_object(self):
        self.edit("patch_rectangles.json", lambda data: data.update({"1": [4, 4, 12, 9]}))
        self.expect_found("patch-on-object")

    def test_a_class_the_image_does_not_have(self):
        def change(data):
            data[0]["annotations"]["person"] = []
        self.edit("background_context_dataset.json", change)
        self.expect_found("classes")

    def test_an_object_with_too_little_area(self):
        # The source shrank since: the dog of image 1 now covers 4 pixels of 3072.
        data = json.loads((self.folder / "coco" / "instances.json").read_text())
        data["annotations"][0] = build_sources.rectangle(2, 1, 18, 4, 4, 2, 2)
        build_sources.write_instances(self.folder / "coco", data)
        self.expect_found("object-area", "picture-pixels")

    def test_boxes_that_overlap(self):
        data = json.loads((self.folder / "coco" / "instances.json").read_text())
        data["annotations"][0]["bbox"] = [4, 4, 60, 30]
        build_sources.write_instances(self.folder / "coco", data)
        self.expect_found("boxes-overlap")

    def test_a_picture_of_another_image(self):
        folder = self.out / "val2014_background_removed_dataset" / "segmentation_mask" / "noise"
        names = sorted(folder.iterdir())
        names[0].write_bytes(names[1].read_bytes())
        self.expect_found("picture-pixels")

    def test_a_picture_that_is_missing(self):
        next((self.out / "val2014_random_patch_dataset" / "gray").iterdir()).unlink()
        self.expect_found("picture-missing")

    def test_a_picture_in_another_format(self):
        path = sorted((self.out / "val2014_random_patch_dataset" / "scene").iterdir())[0]
        path.write_bytes(png(64, 48, seed=1))
        self.expect_found("picture-missing")


def reserved(image):
    value = 14695981039346656037
    for byte in f"relcomp|{image}".encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    return value % 1000 < 75
