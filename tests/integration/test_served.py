# SPDX-License-Identifier: Apache-2.0
"""Models behind an endpoint: scores, faults, resuming, sharing a cache, and what must never leak."""
import json
import os
import random
import signal
import subprocess
import time
import unittest

from cli import SNELLEN, call, contents
from pictures import write_png
from served import Scripted, Served, caption_of, completion, first_pixel_of, mock_server, pictures_of, size_of, stats, text_of


class Scores(Served):
    def test_yes_is_a_share_of_both_words_with_its_mass_beside_it(self):
        chances = {"cat 0": {"Yes": 0.5, " yes": 0.1, "No": 0.2, "Maybe": 0.1}, "dog 0": {"yes": 0.1, "NO": 0.3, "The": 0.5}}
        items = self.items(1)
        with Scripted(lambda body: completion("Yes", chances[caption_of(body)], model="m-2026-11-18")) as server:
            result = self.run_served(items, server.url)
            self.expect(result, 0, "forecast: at most 2 requests", "2 requests in 2 attempts", "20 prompt and 2 answer tokens")
            again = self.run_served(items, server.url, "--name", "again")
            self.expect(again, 0, "asked 0 requests", "2 answers came from the cache")
        self.assertEqual(len(server.requests), 2)
        body = server.requests[0][1]
        self.assertEqual((body["max_tokens"], body["top_logprobs"], body["temperature"], body["stream"]), (1, 20, 0, False))
        self.assertNotIn("stop", body)
        self.assertEqual([part["type"] for part in body["messages"][0]["content"]], ["image_url", "text"])
        self.assertTrue(body["messages"][0]["content"][0]["image_url"]["url"].startswith("data:image/png;base64,"))
        scores = [row[0] for row in self.rows("SELECT score FROM scores ORDER BY place")]
        self.assertAlmostEqual(scores[0], 0.6 / 0.8, delta=1e-12)
        self.assertAlmostEqual(scores[1], 0.1 / 0.4, delta=1e-12)
        masses = [row[0] for row in self.rows("SELECT number FROM details WHERE name = 'mass' ORDER BY place")]
        self.assertAlmostEqual(masses[0], 0.8, delta=1e-12)
        self.assertAlmostEqual(masses[1], 0.4, delta=1e-12)
        stamp = json.loads((self.folder / "out" / "m-mine" / "run.json").read_text())
        self.assertEqual(stamp["identity"]["model"]["yes_template"], 'Does this figure show "{}"? Please answer yes or no.')
        self.assertTrue(any("prompt and" in note for note in stamp["notes"]))

    def test_neither_word_fails_the_item_with_that_reason(self):
        items = self.items(2)
        answers = {"cat 0": {"Perhaps": 0.9}}
        with Scripted(lambda body: completion("Yes", answers.get(caption_of(body), {"Yes": 0.9}))) as server:
            result = self.run_served(items, server.url)
        self.expect(result, 4, "1 of 2 items failed", "neither yes nor no is among the likeliest first tokens")
        self.assertEqual(self.rows("SELECT count(*) FROM samples WHERE status = 'scored'"), [(1,)])

    def test_a_server_without_log_probabilities_is_read_by_its_words(self):
        items = self.items(3)

        def reply(body):
            text = "Yes." if caption_of(body).startswith("cat") else "No, it does not."
            return completion(text)
        with Scripted(reply) as server:
            result = self.run_served(items, server.url)
        self.expect(result, 0, "no log-probabilities for 6 of 6 scores")
        self.assertEqual(self.metrics()["mine/acc"]["value"], 1)
        self.assertEqual(result.stderr.count("log-probabilities"), 1)

    def test_words_are_read_behind_the_reasoning(self):
        items = self.items(2)

        def reply(body):
            return completion("<think>\nYes? No, wait.\n</think>\n" + ("Yes" if caption_of(body).startswith("cat") else "No"))
        with Scripted(reply) as server:
            self.expect(self.run_served(items, server.url, "--max-tokens", 64), 0, "no log-probabilities for 4 of 4 scores")
        self.assertEqual(self.metrics()["mine/acc"]["value"], 1)
        with mock_server("--mode", "think", "--no-logprobs") as url:
            self.expect(self.run_served(items, url, output="mock", cache=None), 0, "no log-probabilities for 4 of 4 scores")
        with Scripted(lambda body: completion("<think>\nYes, because it")) as server:
            result = self.run_served(items, server.url, output="cut", cache=None)
        self.expect(result, 1, "none of 2 items was scored", "the model reasoned aloud and gave no answer")

    def test_four_cells_of_winoground_are_asked_one_by_one(self):
        pictures = self.folder / "pictures"
        pictures.mkdir()
        lines = [{"name": "mine", "metric": "winoground"}]
        for i in range(3):
            for place in range(2):
                write_png(pictures / f"{i}{place}.png", 6, 4, (i, place, 90))
            lines.append({"id": f"i{i}", "visuals": [f"{i}0.png", f"{i}1.png"], "texts": [f"caption 0 of {i}", f"caption 1 of {i}"]})
        items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

        def reply(body):  # right but for the second picture of item 2, which it takes for the first
            _, place, _ = first_pixel_of(pictures_of(body)[0])
            seen = 0 if caption_of(body).endswith("2") else place
            fits = caption_of(body).startswith(f"caption {seen}")
            return completion("Yes", {"Yes": 0.8, "No": 0.1} if fits else {"Yes": 0.1, "No": 0.8})
        with Scripted(reply) as server:
            self.expect(self.run_served(items, server.url), 0, "12 requests in")
        self.assertEqual(len({(text_of(body), *pictures_of(body)) for _, body in server.requests}), 12)
        found = self.metrics()
        for name in ("text", "image", "group"):
            self.assertAlmostEqual(found[f"mine/{name}"]["value"], 2 / 3, msg=name)

    @unittest.skipUnless("libavcodec" in call("doctor").stdout, "this build has no FFmpeg")
    def test_captions_and_foils_of_vilma_are_asked_with_eight_frames(self):
        made = call("build", "eyechart", "--out", self.folder / "world", "--size", "tiny", "--seed", "3")
        self.assertEqual(made.returncode, 0, made.stderr)
        with Scripted(lambda body: completion("Yes", {"Yes": 0.6, "No": 0.2})) as server:
            result = call("run", "--model", "openai:m", "--base-url", server.url, "--tasks", "vilma/relations", "--data", self.folder / "world",
                          "--output", self.folder / "out", "--cache", self.folder / "cache", "--chat-frames", 8)
            self.expect(result, 0)
        asked = {caption_of(body) for _, body in server.requests}
        annotated = json.loads((self.folder / "world" / "vilma" / "relations.json").read_text()).values()
        for item in annotated:
            for texts in (item, item["proficiency"]):
                self.assertIn(texts["caption"], asked)
                self.assertLessEqual(set(texts["foils"]), asked)
        self.assertEqual({len(pictures_of(body)) for _, body in server.requests}, {8})
        metrics = {one["id"]: one for one in json.loads((self.folder / "out" / "m-vilma_relations" / "results.json").read_text())["metrics"]}
        self.assertEqual(metrics["vilma/relations/T"]["ties"], metrics["vilma/relations/T"]["n"])

    def test_half_a_word_is_asked_for_again_with_more_tokens(self):
        items = self.items(1)

        def reply(body):
            answer = completion("Y" if body["max_tokens"] == 1 else "Yes")
            answer["choices"][0]["finish_reason"] = "length" if body["max_tokens"] == 1 else "stop"
            return answer
        with Scripted(reply) as server:
            self.expect(self.run_served(items, server.url), 0, "no log-probabilities for 2 of 2")
        self.assertEqual(sorted(body["max_tokens"] for _, body in server.requests), [1, 1, 16, 16])

    def test_letters_rotate_and_leave_image_and_group_scores_undefined(self):
        write_png(self.write("pictures/a.png", ""), 6, 4, (1, 2, 3))
        write_png(self.folder / "pictures" / "b.png", 6, 4, (9, 2, 3))
        items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in [
            {"name": "mine", "metric": "winoground"}, {"id": "i", "visuals": ["a.png", "b.png"], "texts": ["a cat", "a dog"]}]))

        def reply(body):  # "a cat" gets 0.6 wherever it stands, and the first letter 0.2 more
            cat_is_first = "A) a cat" in text_of(body)
            return completion("A", {"A": 0.8, "B": 0.2} if cat_is_first else {"A": 0.6, "(B": 0.4})
        with Scripted(reply) as server:
            self.expect(self.run_served(items, server.url, "--score", "letter"), 0)
        prompts = sorted(text_of(body) for _, body in server.requests)
        self.assertEqual(len(prompts), 4)
        self.assertEqual(prompts[0], prompts[1])
        self.assertEqual(prompts[0], "Which of these texts describes the figure?\nA) a cat\nB) a dog\nReply with one letter only (A or B):")
        found = self.metrics()
        self.assertEqual(found["mine/text"]["value"], 0)
        self.assertAlmostEqual(found["mine/image1/prompt1/conf"]["value"], (0.8 + 0.4) / 2)
        for name in ("mine/image", "mine/group"):
            self.assertIsNone(found[name]["value"])
            self.assertTrue(found[name]["reason"])

    def test_texts_alone_are_asked_without_a_picture(self):
        items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in [
            {"name": "mine", "metric": "pairwise"}, {"id": "i", "texts": ["one", "two"], "right": 0}]))
        with Scripted(lambda body: completion("Yes", {"Yes": 0.9 if caption_of(body) == "one" else 0.2, "No": 0.1})) as server:
            self.expect(self.run_served(items, server.url), 0)
        self.assertEqual([part["type"] for part in server.requests[0][1]["messages"][0]["content"]], ["text"])
        self.assertEqual(self.metrics()["mine/acc"]["value"], 1)

    def test_what_a_server_does_not_take_is_left_out(self):
        items = self.items(4)

        def reply(body):
            if "seed" in body:
                return 422, {}, json.dumps({"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}).encode()
            if "top_logprobs" in body:
                return 400, {}, json.dumps({"detail": "unknown field: top_logprobs"}).encode()
            if "max_tokens" in body:
                return 400, {}, json.dumps({"error": {"message": "use 'max_completion_tokens' instead"}}).encode()
            return completion("Yes", {"Yes": 0.9})
        with Scripted(reply) as server:
            result = self.run_served(items, server.url, "--concurrency", 1)
        self.expect(result, 0, "does not take 'seed'", "does not take 'top_logprobs'", "wants max_completion_tokens")
        self.assertLessEqual(len(server.requests), 8 + 6)

    def test_answers_to_another_form_are_not_those_of_this_one(self):
        items = self.items(1)
        forms = [[], ["--image-last"], ["--drop-field", "temperature"], ["--drop-field", "logprobs", "--drop-field", "top_logprobs"]]
        with Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as server:
            for number, form in enumerate(forms):
                for again in (False, True):
                    name = f"run{number}{'again' if again else ''}"
                    self.expect(self.run_served(items, server.url, "--name", name, *form), 0, f"asked {0 if again else 2} requests")
                    stamp = json.loads((self.folder / "out" / f"{name}-mine" / "run.json").read_text())["identity"]["model"]
                    self.assertEqual("image_last" in stamp, "--image-last" in form)
                    self.assertEqual(stamp.get("drop_field"), ",".join(form[1::2]) if "--drop-field" in form else None)
        self.assertEqual(len(server.requests), 8)

    def test_the_cache_knows_a_server_by_its_host_without_the_port_or_by_the_name_it_is_given(self):
        items = self.items(2)
        with Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as one, Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as two:
            elsewhere = one.url.replace("127.0.0.1", "localhost")
            for number, (url, asked, *more) in enumerate((
                    (one.url, 4), (two.url, 0), (elsewhere, 4), (two.url, 4, "--cache-namespace", "lab"), (elsewhere, 0, "--cache-namespace", "lab"))):
                self.expect(self.run_served(items, url, "--name", f"run{number}", *more), 0, f"asked {asked} requests", f"{4 - asked} answers came from the cache")
            self.assertEqual((len(one.requests), len(two.requests)), (8, 4))

    def test_what_a_server_refuses_is_remembered_with_its_answers(self):
        items = self.items(3)

        def reply(body):
            if "logprobs" in body:
                return 422, {}, json.dumps({"detail": "Unsupported fields in the request: {'logprobs'}"}).encode()
            return completion("Yes.")
        with Scripted(reply) as server:
            self.expect(self.run_served(items, server.url), 0, "does not take 'logprobs'")
            asked = len(server.requests)
            again = self.run_served(items, server.url, "--name", "again")
        self.expect(again, 0, "asked 0 requests", "6 answers came from the cache", "does not take 'logprobs'")
        self.assertEqual(len(server.requests), asked)

    def test_requests_go_to_all_servers_and_on_to_the_next(self):
        items = self.items(40)
        with Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as one, Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as two:
            self.expect(self.run_served(items, one.url, "--base-url", two.url), 0, "80 requests in 80 attempts")
            self.assertEqual(len(one.requests) + len(two.requests), 80)
            self.assertGreater(min(len(one.requests), len(two.requests)), 10)
            with Scripted(lambda body: (503, {"Retry-After": "0"}, b"busy")) as busy:
                self.expect(self.run_served(items, busy.url, "--base-url", two.url, "--concurrency", 8, output="other", cache="other"), 0, "0 failed")
            self.assertGreater(len(busy.requests), 10)

    def test_pictures_are_made_to_fit_the_server(self):
        items = self.items(3)
        write_png(self.folder / "pictures" / "1.png", 120, 60)
        with Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as server:
            sizes = {}
            for name, more in (("whole", ()), ("small", ("--max-side", 30)), ("jpg", ("--image-format", "jpg", "--max-side", 60)),
                               ("poor", ("--image-format", "jpg", "--max-side", 60, "--jpeg-quality", 20))):
                server.requests.clear()
                self.expect(self.run_served(items, server.url, *more, output=name, cache=None), 0, "asked 6 requests")
                urls = {caption_of(body): pictures_of(body)[0] for _, body in server.requests}
                kind = "jpeg" if "jpg" in more else "png"
                self.assertTrue(all(url.startswith(f"data:image/{kind};base64,") for url in urls.values()), name)
                self.assertEqual((size_of(urls["cat 0"]), urls["cat 1"]), ((6, 4), urls["dog 1"]))
                sizes[name] = (*size_of(urls["cat 1"]), len(urls["cat 1"]))
        self.assertEqual([sizes[name][:2] for name in ("whole", "small", "jpg", "poor")], [(120, 60), (30, 15), (60, 30), (60, 30)])
        self.assertLess(sizes["poor"][2], sizes["jpg"][2])

    def test_a_request_that_is_too_large_is_not_sent(self):
        items = self.items(3)
        write_png(self.folder / "pictures" / "1.png", 120, 60)  # about 29 kB as base64
        with Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as server:
            result = self.run_served(items, server.url, "--max-request-mb", 0.01)
            self.expect(result, 4, "1 of 3 items failed", "at most 10000 are sent", "--max-side")
            self.assertEqual({caption_of(body) for _, body in server.requests}, {"cat 0", "dog 0", "cat 2", "dog 2"})
            self.expect(self.run_served(items, server.url, "--max-request-mb", 0.01, "--max-side", 30, "--name", "small"), 0, "0 failed")

    def test_no_more_is_sent_in_a_minute_than_was_said(self):
        items = self.items(5)
        # Ten requests, the first at once: nine more take 1.8 s at five a second; each takes 11 tokens, 10 of them to be waited for.
        for flag, per_minute, least in (("--rpm", 300, 1.7), ("--tpm", 3300, 0.8)):
            with Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as server:
                begin = time.monotonic()
                concurrency = 16 if flag == "--rpm" else 1
                self.expect(self.run_served(items, server.url, flag, per_minute, "--concurrency", concurrency, output=flag[2:], cache=None), 0, "10 requests in 10")
            self.assertGreater(time.monotonic() - begin, least, flag)
            self.assertLess(time.monotonic() - begin, 20, flag)

    def test_further_members_and_a_system_message_are_sent_and_stamped(self):
        items = self.items(1)
        extra = {"top_k": 1, "chat_template_kwargs": {"enable_thinking": False}}
        with Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as server:
            plain = self.run_served(items, server.url)
            self.expect(plain, 0, "asked 2 requests")
            more = ["--extra", json.dumps(extra), "--system", "Look closely.", "--stop", "."]
            self.expect(self.run_served(items, server.url, "--name", "more", *more), 0, "asked 2 requests")
        self.assertEqual([len(body["messages"]) for _, body in server.requests], [1, 1, 2, 2])
        body = server.requests[-1][1]
        self.assertEqual(body["messages"][0], {"role": "system", "content": "Look closely."})
        self.assertEqual({key: body[key] for key in ("stop", *extra)}, {"stop": ["."], **extra})
        stamp = json.loads((self.folder / "out" / "more-mine" / "run.json").read_text())["identity"]["model"]
        self.assertEqual((json.loads(stamp["extra"]), stamp["system"], stamp["stop"]), (extra, "Look closely.", "."))

    def test_prices_make_totals_of_the_tokens_that_the_server_counted(self):
        with Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as server:  # 10 and 1 tokens each
            result = self.run_served(self.items(5), server.url, "--prompt-price", 3, "--answer-price", 200)
        self.expect(result, 0, "100 prompt and 10 answer tokens, which cost 0.0023 at the given prices")
        forecast = next(line for line in result.stderr.splitlines() if "forecast: at most 10 requests" in line)
        self.assertIn("at the given prices", forecast)
        stamp = json.loads((self.folder / "out" / "m-mine" / "run.json").read_text())
        self.assertTrue(any("which cost 0.0023" in note for note in stamp["notes"]))

    def test_a_proxy_is_found_as_curl_finds_it(self):
        items = self.items(2)
        with Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as proxy:
            address = proxy.url.removesuffix("/v1")
            without = {name: "" for name in ("no_proxy", "NO_PROXY")}
            self.expect(self.run_served(items, "http://127.0.0.1:9/v1", env={"http_proxy": address, **without}), 0)
            self.assertEqual(len(proxy.requests), 4)
            result = self.run_served(items, "http://127.0.0.1:9/v1", "--retries", 0, output="other", cache="other",
                                     env={"http_proxy": address, "no_proxy": "127.0.0.1"})
            self.expect_error(result, 1, "is the server running")
            self.assertEqual(len(proxy.requests), 4)

    def test_a_request_that_fails_for_good_is_an_item_that_failed(self):
        items = self.items(5)

        def reply(body):
            if caption_of(body) == "cat 1":
                return 400, {}, b'{"error": {"message": "too \\u001b[31mlong\\u0007"}}'
            return completion("Yes", {"Yes": 0.9})
        with Scripted(reply) as server:
            result = self.run_served(items, server.url)
            self.expect(result, 4, "1 of 5 items failed", "the server answered 400: too  [31mlong")
            self.assertNotIn("\x1b", result.stderr + result.stdout)
            ended = self.run_served(items, server.url, "--max-errors", 0, output="other", cache="none")
            self.expect_error(ended, 1, "--max-errors")

    def test_what_cannot_be_is_refused_at_once(self):
        items = self.items(1)
        for more, words in ((["--score", "itm"], "it has yes, letter, likelihood"), (["--yes-template", "no place"], "--yes-template"),
                            (["--extra", "[]"], "--extra"), (["--max-errors", "few"], "--max-errors")):
            self.expect_error(self.run_served(items, "http://127.0.0.1:9/v1", *more), 2, words)
        self.expect_error(self.run_served(items, "nowhere"), 2, "is no address")
        self.expect_error(self.run_served(items, "http://127.0.0.1:99999/v1"), 2, "ports are 1 to 65535")
        self.expect_error(call("run", "--model", "openai:m", "--tasks", f"file:{items}", "--output", self.folder / "out"), 2, "--base-url")
        listed = json.loads(call("list", "models", "--json").stdout)["models"]
        served = next(one for one in listed if one["model"] == "openai")
        self.assertEqual((served["--score"], served["answers"]), ("yes,letter,likelihood", "yes"))

    def test_a_server_that_is_not_there_ends_the_run(self):
        with Scripted(lambda body: completion("Yes")) as server:
            url = server.url
        begin = time.monotonic()
        self.expect_error(self.run_served(self.items(200), url, "--retries", 1), 1, "no answer after 2 tries", "is the server running")
        self.assertLess(time.monotonic() - begin, 20)

    def test_likelihoods_are_those_of_the_texts_alone(self):
        items = self.items(3)

        def reply(body):
            length = -float(len(body["prompt"]) if "cat" in body["prompt"] else 2 * len(body["prompt"]))
            return {"choices": [{"text": body["prompt"] + " x", "logprobs": {"token_logprobs": [None, length, length, -99.0]}}],
                    "usage": {"prompt_tokens": 3, "completion_tokens": 1}}
        with Scripted(reply) as server:
            self.expect(self.run_served(items, server.url, "--score", "likelihood"), 0, "6 requests in 6 attempts")
        self.assertEqual(sorted(body["prompt"] for _, body in server.requests), sorted(f"{one} {i}" for i in range(3) for one in ("cat", "dog")))
        self.assertEqual([row[0] for row in self.rows("SELECT score FROM scores ORDER BY sample, place")], [-5.0, -10.0] * 3)
        self.assertEqual(self.metrics()["mine/acc"]["value"], 1)
        with Scripted(lambda body: completion("Yes")) as server:
            result = self.run_served(items, server.url, "--score", "likelihood", output="other", cache="other")
        self.expect_error(result, 1, "gives no log-probabilities of a prompt")


class Faults(Served):
    def test_every_answer_arrives_through_all_faults(self):
        items = self.items(150)  # 300 questions
        faults = [word for kind in ("429", "500", "hang", "cut", "garbage", "slow") for word in ("--fault", f"{kind}:0.1")]
        with mock_server() as calm:
            self.expect(self.run_served(items, calm, "--concurrency", 32, output="calm", cache=None), 0)
        begin = time.monotonic()
        with mock_server(*faults) as url:
            result = self.run_served(items, url, "--timeout", 1, "--concurrency", 32)
            counted = stats(url)
        self.expect(result, 0, "300 requests in")
        self.assertLess(time.monotonic() - begin, 120)
        failed = sum(count for kind, count in counted["faults"].items() if kind != "slow")
        self.assertEqual(counted["distinct_answered"], 300)
        self.assertEqual(counted["answers"], 300)
        self.assertEqual(counted["requests"], 300 + failed)
        self.assertIn(f"300 requests in {300 + failed} attempts ({counted['faults']['429']} were told to slow down)", result.stderr)
        self.assertEqual(contents(self.folder / "out" / "m-mine"), contents(self.folder / "calm" / "m-mine"))

    def test_a_killed_run_goes_on_and_asks_nothing_twice(self):
        items = self.items(150)
        rng = random.Random(7)
        concurrency, kills = 8, 0
        faults = ("--fault", "429:0.1", "--fault", "500:0.05", "--retry-after", 0)
        with mock_server("--delay", 20) as url:
            self.expect(self.run_served(items, url, "--concurrency", 64, output="calm", cache=None), 0)
            before = stats(url)["requests"]
        with mock_server("--delay", 20, *faults) as url:
            command = [SNELLEN, *map(str, self.command(items, url, "--concurrency", concurrency))]
            while kills < 4:
                process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                try:
                    process.wait(rng.uniform(0.15, 0.4))
                    break
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    kills += 1
            self.assertGreater(kills, 1)
            self.expect(self.run_served(items, url, "--concurrency", concurrency), 0)
            counted = stats(url)
        self.assertEqual(before, 300)
        self.assertEqual(counted["distinct"], 300)
        self.assertGreater(counted["faults"]["429"], 10)
        # What a fault made necessary is no repeat of a stored answer.
        self.assertLessEqual(counted["requests"] - sum(counted["faults"].values()), 300 + concurrency * kills)
        self.assertEqual(contents(self.folder / "out" / "m-mine"), contents(self.folder / "calm" / "m-mine"))

    def test_two_runs_that_share_a_cache_ask_once(self):
        items = self.items(60)
        with mock_server("--delay", 20) as url:
            runs = [subprocess.Popen([SNELLEN, *map(str, self.command(items, url, "--concurrency", 8, output=output))],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for output in ("one", "two")]
            for run in runs:
                _, told = run.communicate(timeout=120)
                self.assertEqual(run.returncode, 0, told)
            counted = stats(url)
        self.assertEqual((counted["requests"], counted["distinct"]), (120, 120))
        self.assertEqual(contents(self.folder / "one" / "m-mine"), contents(self.folder / "two" / "m-mine"))

    def test_the_other_run_takes_over_from_one_that_is_killed(self):
        items = self.items(1)
        with mock_server("--delay", 1500) as url:
            asker = subprocess.Popen([SNELLEN, *map(str, self.command(items, url, output="one"))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while stats(url)["requests"] < 2:
                time.sleep(0.01)
            other = subprocess.Popen([SNELLEN, *map(str, self.command(items, url, output="two"))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.7)
            self.assertEqual(stats(url)["requests"], 2)  # it waits for the first
            asker.kill()
            killed = time.monotonic()
            asker.wait()
            while stats(url)["requests"] < 4:
                self.assertLess(time.monotonic() - killed, 5)
                time.sleep(0.02)
            self.assertEqual(other.wait(30), 0)


class Security(Served):
    KEY = "sk-very-secret-0123456789"

    def test_the_key_is_in_no_file_and_in_no_line(self):
        items = self.items(3)
        with Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as server:
            result = self.run_served(items, server.url, "--log-level", "debug", env={"OPENAI_API_KEY": self.KEY})
            self.expect(result, 0, "debug: request")
            key = self.write("key.txt", self.KEY + "\n")
            shown = self.run_served(items, server.url, "--log-level", "debug", "--api-key-file", key, output="other", cache="other")
            self.expect(shown, 0)
            refused = self.run_served(items, server.url + "/nowhere", "--log-level", "debug", output="bad", env={"OPENAI_API_KEY": self.KEY + "\u00e9"})
        self.assertEqual({headers["Authorization"] for headers, _ in server.requests}, {"Bearer " + self.KEY})
        self.assertEqual(len(server.requests), 12)
        key.unlink()
        for text in (result.stdout, result.stderr, shown.stdout, shown.stderr, refused.stdout, refused.stderr):
            self.assertNotIn(self.KEY, text)
        for path in self.folder.rglob("*"):
            if path.is_file():
                self.assertNotIn(self.KEY.encode(), path.read_bytes(), path)

    def test_a_server_that_gives_the_key_back_does_not_spread_it(self):
        def reply(headers, body):
            if headers["Authorization"] != "Bearer " + self.KEY:
                return 500, {}, b"no key"
            if caption_of(body) == "cat 1":
                return 400, {}, json.dumps({"error": {"message": f"{'.' * 280} your key is {headers['Authorization']}"}}).encode()
            return completion(f"Yes {self.KEY}", model=self.KEY)
        with Scripted(reply, with_headers=True) as server:
            results = [self.run_served(self.items(2), server.url, "--log-level", "debug", env={"OPENAI_API_KEY": self.KEY})]
            self.expect(results[0], 4, "1 of 2 items failed", "the server answered 400")
            questions = self.write("q.jsonl", json.dumps({"id": "q", "image": "0.png", "context": "", "question": 'Is it "a cat"?', "options": ["Yes", "No", "Unknown"],
                                                          "unknown_index": 2, "label": 2, "category": "c", "condition": "ambig"}) + "\n")
            results.append(call("run", "--model", "openai:m", "--base-url", server.url, "--tasks", "bias-close", "--questions", questions, "--images",
                                self.folder / "pictures", "--output", self.folder / "asked", "--cache", self.folder / "cache",
                                env={**os.environ, "OPENAI_API_KEY": self.KEY}))
            self.expect(results[1], 0)
        with Scripted(lambda headers, body: (401, {}, json.dumps({"error": "wrong key " + headers["Authorization"]}).encode()), with_headers=True) as server:
            results.append(self.run_served(self.items(2), server.url, output="refused", env={"OPENAI_API_KEY": self.KEY}))
            self.expect_error(results[-1], 1, "401: wrong key Bearer [key]")
        answer = json.loads((self.folder / "asked" / "m-bias-close" / "answers.jsonl").read_text())
        self.assertEqual(answer["raw"], "Yes [key]")
        for result in results:
            self.assertNotIn(self.KEY, result.stdout + result.stderr)
        for path in self.folder.rglob("*"):
            if path.is_file():
                self.assertNotIn(self.KEY.encode(), path.read_bytes(), path)

    def test_a_redirect_to_another_host_does_not_carry_the_key(self):
        items = self.items(1)
        with Scripted(lambda body: completion("Yes", {"Yes": 0.9})) as other:
            target = other.url.replace("127.0.0.1", "localhost") + "/chat/completions"
            with Scripted(lambda body: (307, {"Location": target}, b"")) as server:
                result = self.run_served(items, server.url, env={"OPENAI_API_KEY": self.KEY})
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("redirects to another address", result.stderr)
        self.assertEqual(other.requests, [])

    def test_tls_errors_are_fatal_unless_insecure(self):
        certificate, key = self.folder / "cert.pem", self.folder / "key.pem"
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                               "-keyout", key, "-out", certificate], capture_output=True, timeout=60)
        self.assertEqual(made.returncode, 0, made.stderr)
        items = self.items(1)
        with Scripted(lambda body: completion("Yes", {"Yes": 0.9}), certificate=(certificate, key)) as server:
            begin = time.monotonic()
            self.expect_error(self.run_served(items, server.url), 1, "certificate", "--insecure")
            self.assertLess(time.monotonic() - begin, 10)
            self.assertEqual(server.requests, [])
            self.expect(self.run_served(items, server.url, "--insecure"), 0)

    def test_a_base_url_with_credentials_is_refused_and_not_shown(self):
        result = self.run_served(self.items(1), f"http://user:{self.KEY}@127.0.0.1:9/v1")
        self.expect_error(result, 2, "credentials")
        self.assertNotIn(self.KEY, result.stdout + result.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_a_key_that_the_server_refuses_ends_the_run(self):
        with Scripted(lambda body: (401, {}, b'{"error": {"message": "wrong key"}}')) as server:
            self.expect_error(self.run_served(self.items(30), server.url), 1, "401: wrong key", "--api-key-env")
        self.assertLess(len(server.requests), 40)

    def test_long_and_wild_answers_are_kept_harmlessly(self):
        wild = "Yes \x1b[2J\x07<script>alert(1)</script>\x00\u202e " + "x" * 10_000_000
        items = self.items(2)
        with Scripted(lambda body: completion(wild)) as server:
            result = self.run_served(items, server.url)
        self.expect(result, 0)
        self.assertNotIn("\x1b", result.stdout + result.stderr)
        self.assertEqual(self.metrics()["mine/acc"]["value"], 0)
        self.assertEqual(self.metrics()["mine/acc"]["ties"], 2)

    def test_wild_answers_are_stored_word_for_word_and_shown_harmlessly(self):
        wild = ["(C) \x1b[2J\x1b]0;title\x07 \x01\x7f", "(A) <script>alert(1)</script><img src=x onerror=alert(2)>", "(B) \u202e\ufeff \u2028 \"}\n{\"id\": \"q9\"}",
                "C) " + "x" * 10_000_000]
        self.items(len(wild))
        questions = self.write("q.jsonl", "".join(json.dumps(
            {"id": f"q{i}", "image": f"{i}.png", "context": "", "question": f"Question {i}?", "options": ["Yes", "No", "Unknown"], "unknown_index": 2, "label": 2,
             "category": "c", "condition": "ambig"}) + "\n" for i in range(len(wild))))
        with Scripted(lambda body: completion(wild[int(text_of(body).split("?")[0].split()[-1])])) as server:
            result = call("run", "--model", "openai:m", "--base-url", server.url, "--tasks", "bias-close", "--questions", questions, "--images",
                          self.folder / "pictures", "--output", self.folder / "out", "--cache", self.folder / "cache")
        self.expect(result, 0)
        run = self.folder / "out" / "m-bias-close"
        lines = [json.loads(line) for line in (run / "answers.jsonl").read_text().split("\n") if line]
        self.assertEqual({line["id"]: line["raw"] for line in lines}, {f"q{i}": text for i, text in enumerate(wild)})
        self.assertEqual(sorted(row[0] for row in self.rows("SELECT text FROM answers", run="m-bias-close")), sorted(wild))
        shown = self.folder / "shown"
        told = [result, call("verify", run), *(call("report", run, "--output", shown / kind, "--samples", kind) for kind in ("jsonl", "csv"))]
        for one in told:
            self.assertEqual(one.returncode, 0, one.stderr)
            for mark in ("\x1b", "\x07", "\x01", "\u202e"):
                self.assertNotIn(mark, one.stdout + one.stderr, one.args[:2])
        for page in (path for suffix in ("html", "md", "tex", "svg") for path in shown.rglob(f"*.{suffix}")):
            for mark in ("<script>alert(1)", "<img src=x", "\x1b", "\x07"):
                self.assertNotIn(mark, page.read_text(), page)
        self.assertTrue((shown / "csv" / "report.html").exists())
        # One line for each item, whatever its answer holds.
        listed = next((shown / "jsonl" / "samples").glob("*.jsonl")).read_text().split("\n")
        self.assertEqual(len([json.loads(line) for line in listed if line]), len(wild))
        self.assertNotIn("\x1b", "".join(listed))
