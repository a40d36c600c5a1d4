"""Reads what ARCHITECTURE.md claims and what the tree is: files, functions, the links of rooms, what rooms include."""
import re
from pathlib import Path

SOURCE = r"[\w./-]+\.(?:cc|h|cu|py|cmake|txt|md|json|sh)"
CLAIM = re.compile(rf"^(?P<path>{SOURCE})(?:: *(?P<symbols>.+))?$")
SYMBOL = re.compile(r"^~?[A-Za-z_]\w*(?:::~?[A-Za-z_]\w*)*$")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
# Headers of others that only some rooms may speak.
RESERVED = {"sqlite3.h": ("store", "apps/cli"), "mpi.h": ("dist",), "CLI/": ("apps/cli",), "torch/": ("models", "training"),
            "ATen/": ("models", "training"), "c10/": ("models", "training"), "libav": ("media",), "libsw": ("media",),
            "jpeglib.h": ("media",), "png.h": ("media",), "webp/": ("media",), "gif_lib.h": ("media",), "curl/": ("http",), "httplib.h": ("http",)}


def backticked(text):
    """The `...` of a page outside fenced blocks."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))


class Tree:
    """The files of a repository, found by path, by path below snellen/, or by the end of their path."""

    def __init__(self, root):
        self.root = Path(root)
        self.files = sorted(path.relative_to(self.root).as_posix()
                            for folder in ("apps", "snellen", "tests", "tools", "cmake", "bench", "fuzz", "docs", "configs", "examples", "models")
                            for path in (self.root / folder).rglob("*") if path.is_file())

    def find(self, path):
        for place in (path, f"snellen/{path}"):
            if (self.root / place).is_file():
                return [place]
        return [file for file in self.files if file.endswith("/" + path)]

    def code(self, file):
        """A source and the header beside it, without comments."""
        texts = []
        for ending in (".h", ".cc", ".cu", Path(file).suffix):
            place = (self.root / file).with_suffix(ending)
            if place.is_file() and ending not in texts:
                texts.append(COMMENT.sub("", place.read_text()))
        return "\n".join(texts)


def has_symbol(code, symbol):
    """Whether the code declares or defines every part of `A::b`."""
    *owners, name = symbol.split("::")
    is_there = re.search(rf"(?:\b(?:class|struct|enum|enum class|using|namespace|concept)\s+(?:\[\[\w+\]\]\s*)?{re.escape(name)}\b)|"
                         rf"(?<![.\w>]){re.escape(name)}\s*[({{=;<,}}]", code)
    return bool(is_there) and all(re.search(rf"\b{re.escape(owner)}\b", code) for owner in owners)


def wrong_claims(page, tree):
    """One sentence for every file or function that the page names and the tree does not have."""
    wrong = []
    everything = None
    for text in backticked(page):
        claim = CLAIM.match(text)
        if claim:
            found = tree.find(claim["path"])
            if not found:
                wrong.append(f"`{text}`: there is no such file")
                continue
            for symbol in re.split(r",\s*", claim["symbols"] or ""):
                symbol = symbol.strip().removesuffix("()")
                if symbol and not SYMBOL.match(symbol):
                    wrong.append(f"`{text}`: '{symbol}' is no name")
                elif symbol and not any(has_symbol(tree.code(file), symbol) for file in found):
                    wrong.append(f"`{text}`: {found[0]} has no {symbol}")
        elif "::" in text and SYMBOL.match(text.removesuffix("()")):
            if everything is None:
                everything = "\n".join(tree.code(file) for file in tree.files if re.match(r"(apps|snellen)/.*\.(cc|h|cu)$", file))
            name = text.removesuffix("()")
            if not has_symbol(everything, name):
                wrong.append(f"`{text}`: nothing is called so")
    return wrong


def wrong_sources(page, tree):
    """The same for the sources and functions alone: guides also name files of users and of data sets."""
    return [fault for fault in wrong_claims(page, tree) if re.match(r"`[^`]*\.(cc|h|cu)\b|`[^`.]*`", fault)]


def num_hops(page):
    """Entries of the numbered list below the heading that speaks of hops; None without such a heading."""
    section = re.search(r"^#+ [^\n]*\bhops?\b[^\n]*\n(.*?)(?=^#|\Z)", page, re.S | re.M | re.I)
    return len(re.findall(r"^\d+\. ", section[1], re.M)) if section else None


def claimed_links(page):
    """room -> rooms (and torch) that the table with the columns room, holds, links says it links."""
    table = re.search(r"^\| *room *\| *holds *\| *links *\|\n\|[-| ]+\|\n((?:\|.*\n?)+)", page, re.M)
    if not table:
        return {}
    claimed = {}
    for line in table[1].strip().splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        claimed[cells[0].strip("`")] = set(re.findall(r"[\w/]+", cells[-1]))
    return claimed


def link_lines(root):
    """room -> (rooms it links for its users too, rooms it links for itself), from the CMake files."""
    links = {}

    def note(room, words, is_public):
        for word in words:
            name = re.fullmatch(r"snellen_(\w+)", word)
            if word in ("PUBLIC", "PRIVATE", "INTERFACE"):
                is_public = word != "PRIVATE"
            elif name and name[1] not in ("warnings", "sanitizers", "cli"):
                links.setdefault(room, (set(), set()))[0 if is_public else 1].add(name[1])

    for path in sorted([*Path(root).glob("snellen/**/CMakeLists.txt"), *Path(root).glob("apps/cli/CMakeLists.txt")]):
        text = re.sub(r"#[^\n]*", "", path.read_text())
        for call, arguments in re.findall(r"\b(\w+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)", text):
            words = arguments.split()
            if call == "snellen_room":
                links.setdefault(words[0], (set(), set()))
                for keyword, is_public in (("LINK", True), ("PRIVATE_LINK", False)):
                    if keyword in words:
                        rest = words[words.index(keyword) + 1:]
                        stop = next((i for i, word in enumerate(rest) if re.fullmatch(r"[A-Z_]+", word)), len(rest))
                        note(words[0], rest[:stop], is_public)
            elif call == "target_link_libraries" and re.fullmatch(r"snellen(_\w+)?", words[0]):
                note("apps/cli" if words[0] in ("snellen", "snellen_cli") else words[0].removeprefix("snellen_"), words[1:], True)
    return {room: rooms for room, rooms in links.items() if room == "apps/cli" or not room.endswith("_module")}


def wrong_links(page, root):
    claimed, lines = claimed_links(page), link_lines(root)
    if not claimed:
        return ["there is no table with the columns room | holds | links"]
    wrong = [f"{room}: in the table, but no target snellen_{room}" for room in claimed if room not in lines]
    wrong += [f"{room}: a room that is not in the table" for room in lines if room not in claimed]
    for room in sorted(set(claimed) & set(lines)):
        said = {name for name in claimed[room] if name in lines or name == "torch"}
        linked = set.union(*lines[room])
        if said != linked:
            wrong.append(f"{room}: the table says {', '.join(sorted(said)) or 'nothing'}; the link line {', '.join(sorted(linked)) or 'nothing'}")
    return wrong


def reachable(room, lines):
    """Every room whose headers the room may include: its own links, and what those hand on."""
    found, waiting = set(), [*set.union(*lines.get(room, (set(), set())))]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += lines.get(name, (set(), set()))[0]
    return found


# Targets whose sources lie in another room's folder.
PARTS = {"models": ("models", "networks"), "training": ("training", "learners")}


def wrong_includes(root):
    """One sentence for every include that goes past the link lines, and for every reserved header in another room."""
    root = Path(root)
    lines = link_lines(root)
    wrong = []
    for path in sorted([*root.glob("snellen/**/*"), *root.glob("apps/cli/**/*")]):
        parts = path.relative_to(root).parts
        if path.suffix not in (".h", ".cc", ".cu") or path.name.endswith("_test.cc") or parts[1] == "testing":
            continue
        room = "apps/cli" if parts[0] == "apps" else parts[1]
        targets = PARTS.get(room, (room,))
        allowed = {room, *targets}.union(*(reachable(target, lines) for target in targets))
        folders = {name for name in allowed} | {folder for folder, parts_of in PARTS.items() if allowed & set(parts_of)}
        for quote, header in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)', path.read_text(), re.M):
            where = path.relative_to(root).as_posix()
            included = re.match(r"snellen/(\w+)/", header)
            if quote == '"' and included and included[1] not in folders:
                wrong.append(f"{where}: includes {header}, but {room} does not link {included[1]}")
            for start, rooms in RESERVED.items():
                if quote == "<" and header.startswith(start) and room not in rooms:
                    wrong.append(f"{where}: includes <{header}>, which only {', '.join(rooms)} may")
    return wrong


# Where nlohmann's own parser reads what this program wrote itself, or a text whose depth was looked at first.
PARSES_OUR_OWN = {
    "snellen/training/fresh/fresh_model.cc", "snellen/training/data/clip_captions.cc", "snellen/viewer/viewer.cc", "snellen/store/samples/detail.cc",
    "snellen/models/checkpoint/otter_layout.cc", "snellen/run/ranks/ranks.cc", "apps/cli/media/file_batch.cc", "apps/cli/build/build_output.cc",
    "apps/cli/import/imported.cc", "snellen/tasks/visdial_gen/result_file.cc",
}


def bare_json_parses(root):
    """Files that parse JSON without the depth limit of snellen/formats: nested brackets would overflow the stack."""
    faults = []
    for folder in ("snellen", "apps"):
        for path in sorted((root / folder).rglob("*.[ch]*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in (".cc", ".h") or name.endswith("_test.cc") or name.startswith(("snellen/formats/", "snellen/testing/")):
                continue
            if name not in PARSES_OUR_OWN and re.search(r"\b[Jj]son::(parse|accept)\(", path.read_text()):
                faults.append(f"{name} parses JSON without the depth limit; use formats::parse_json")
    return faults


# `zeroshot` is the short form of the task of that name.
VERB_OF_A_TASK = ("apps/cli/train/zeroshot.cc",)
# What makes and reads data sets, and what shows every benchmark once.
KNOW_TASKS = ("apps/cli/demo/", "apps/cli/build/", "apps/cli/import/")


def tasks_known_by_verbs(root):
    """One sentence for every include of a single task's folder in a verb: verbs know tasks through the catalogue."""
    faults = []
    for path in sorted((root / "apps/cli").rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in (".cc", ".h") or name.startswith(KNOW_TASKS) or name in VERB_OF_A_TASK:
            continue
        faults += [f"{name}: includes {header}; put what it needs into the task's facts or into a room"
                   for header in re.findall(r'^\s*#\s*include\s*"(snellen/tasks/\w+/[^"]+)"', path.read_text(), re.M)]
    return faults
