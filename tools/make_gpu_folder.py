#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A folder with which a GPU machine that has only g++, nvcc and a CUDA build of torch runs this program.

    ./dev build && tools/make_gpu_folder.py --build build/release --out build/gpu [program...]
It gets the programs, the system libraries they need, the headers the module needs, and a Makefile that compiles the module
against that machine's torch. Of libraries that training never calls (STUBS) it gets empty ones of the same name, so that the
program of any build starts there. There, in the root of the checkout: `sh build/gpu/run.sh COMMAND...` makes the module once and
runs the command with the libraries found, e.g. `sh build/gpu/run.sh tools/train_shipped.sh build/gpu/snellen $OUT/models`.
"""
import argparse
import json
import pathlib
import re
import shlex
import shutil
import subprocess

TARGETS = ("snellen_base", "snellen_formats", "snellen_models", "snellen_networks", "snellen_learners", "snellen_networks_module")
# Models that are no networks: nothing in the module calls them, and they need rooms that it lacks.
ADAPTERS = re.compile(r"models/(cca|exec|fake|file|given|openai|replies)/|built_in_models\.cc$")
# What every Linux has, and what must be that machine's own.
OWN = re.compile(r"^(ld-linux|libc\.|libm\.|libdl|libpthread|librt|libgcc_s|libstdc\+\+|linux-vdso|libtorch|libc10|libcuda)")
# Video, MPI and the network: large, and nothing calls them there. Functions are looked up at their first call.
STUBS = re.compile(r"^lib(av|sw|mpi|open-|curl)")
KERNELS = ("kernels", "pictures")
HEADERS = ("fmt", "nlohmann", "openssl", "simdjson.h", "tsl", "xxhash.h", "zlib.h")
# Torch's headers name handles of libraries whose headers that machine may lack; its own come first.
STAND_INS = {
    "cublas_v2.h": "typedef struct cublasContext* cublasHandle_t;\ntypedef enum { CUBLAS_STATUS_SUCCESS = 0 } cublasStatus_t;\n",
    "cublasLt.h": "#include <cublas_v2.h>\ntypedef struct cublasLtContext* cublasLtHandle_t;\n",
    "cusparse.h": "typedef struct cusparseContext* cusparseHandle_t;\ntypedef enum { CUSPARSE_STATUS_SUCCESS = 0 } cusparseStatus_t;\n",
    "cusolver_common.h": "typedef enum { CUSOLVER_STATUS_SUCCESS = 0 } cusolverStatus_t;\n",
    "cusolverDn.h": "#include <cusolver_common.h>\ntypedef struct cusolverDnContext* cusolverDnHandle_t;\n",
}
RUN = """#!/bin/sh
# Makes the module for this machine's torch, then runs the command.
set -e
root=$PWD
export T=$(python3 -c "import os, torch; print(os.path.dirname(torch.__file__))")
export CUDART=$(dirname "$(find "$T/../nvidia" /usr/local/cuda -name 'libcudart.so*' 2>/dev/null | head -1)")
nvidia=$(ls -d "$T"/../nvidia/*/lib 2>/dev/null | tr '\\n' ':')
export LD_LIBRARY_PATH=$root/build/gpu/lib:$T/lib:$nvidia$CUDART
make -s -j"$(nproc)" -f build/gpu/Makefile
chmod +x build/gpu/snellen
exec "$@"
"""


def sources(build, root, out):
    """(source as seen from the root, definitions) of everything in the module."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        command = shlex.split(entry["command"])
        output = command[command.index("-o") + 1]
        if not any(f"{target}.dir/" in output for target in TARGETS) or entry["file"].endswith("no_kernels.cc"):
            continue
        file = pathlib.Path(entry["file"])
        if ADAPTERS.search(str(file)):
            continue
        if file.is_relative_to(build):
            (out / "gen").mkdir(exist_ok=True)
            shutil.copy(file, out / "gen" / file.name)
            file = out / "gen" / file.name
        if file.suffix == ".cc":
            yield file.relative_to(root), [word for word in command if word.startswith("-D")]
    for file in sorted((root / "snellen/models/nn/cuda").glob("*.cc")):
        if file.name != "no_kernels.cc":
            yield file.relative_to(root), ["-DFMT_SHARED"]


def makefile(files):
    lines = ["FLAGS = -O2 -std=c++20 -fPIC -w -I. -isystem build/gpu/include -isystem $(T)/include -isystem $(T)/include/torch/csrc/api/include "
             "-isystem /usr/local/cuda/include -idirafter build/gpu/stand-ins", "ARCH ?= sm_90", "all: build/gpu/libsnellen_networks.so", ""]
    objects = []
    for file, definitions in files:
        object_file = f"build/gpu/obj/{'_'.join(file.parts)}.o"
        if object_file in objects:
            continue
        objects.append(object_file)
        flags = " ".join(word.replace('"', '\\"') for word in definitions)
        lines += [f"{object_file}: {file}", "\t@mkdir -p build/gpu/obj", f"\tg++ $(FLAGS) {flags} -DSNELLEN_CUDA_ARCH=\\\"$(ARCH)\\\" -c {file} -o {object_file}"]
    for name in KERNELS:
        objects.append(f"build/gpu/obj/{name}.o")
        lines += [f"{objects[-1]}: snellen/models/nn/cuda/{name}.cu", "\t@mkdir -p build/gpu/obj",
                  "\tnvcc -O3 -std=c++17 -arch=$(ARCH) -Xcompiler -fPIC -I. -c $< -o $@", ""]
    lines += [f"build/gpu/libsnellen_networks.so: {' '.join(objects)}",
              "\tg++ -shared -o $@ $^ -Lbuild/gpu/lib -L$(T)/lib -L$(CUDART) -Wl,--no-as-needed -ltorch -ltorch_cpu -ltorch_cuda -lc10 -lc10_cuda "
              "-l:$(notdir $(firstword $(wildcard $(CUDART)/libcudart.so*))) -Wl,--as-needed -l:libfmt.so.9 -l:libsimdjson.so.14 -l:libz.so.1 -l:libcrypto.so.3 "
              "-Wl,--allow-shlib-undefined", ""]
    return "\n".join(lines)


def needed(file):
    found = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^\s*NEEDED\s+(\S+)", found, re.M)


def add_libraries(program, out):
    """Copies of what the program needs, directly or not; a stub has no needs of its own."""
    found = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    paths = dict(re.findall(r"^\s*(\S+) => (/\S+)", found, re.M))
    # The data of MPI are found when the program starts; whatever is called is not.
    symbols = subprocess.run(["nm", "-D", program], capture_output=True, text=True, check=True).stdout
    data = "".join(f"char {name}[1024];\n" for name in sorted(set(re.findall(r"\b(ompi_\w+)", symbols))))
    waiting, seen = needed(program), set()
    while waiting:
        name = waiting.pop()
        if name in seen or OWN.match(name):
            continue
        seen.add(name)
        if STUBS.match(name):
            subprocess.run(["gcc", "-shared", "-nostdlib", f"-Wl,-soname,{name}", "-x", "c", "-", "-o", out / name],
                           input=data if name.startswith("libmpi") else "", text=True, check=True)
        else:
            shutil.copy(paths[name], out / name)
            waiting += needed(paths[name])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/gpu"))
    parser.add_argument("programs", nargs="*", default=["snellen"])
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[1]
    out, build = options.out.resolve(), options.build.resolve()
    for folder in ("lib", "include"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    (out / "stand-ins").mkdir(exist_ok=True)
    for name, text in STAND_INS.items():
        (out / "stand-ins" / name).write_text("#pragma once\n" + text)
    for header in HEADERS:
        source = pathlib.Path("/usr/include") / header
        if source.is_dir():
            shutil.copytree(source, out / "include" / header, dirs_exist_ok=True)
        else:
            shutil.copy(source, out / "include" / header)
    # Debian keeps what depends on the architecture in a folder of its own.
    include = pathlib.Path("/usr/include")
    shutil.copy(next(file for file in [include / "zconf.h", *include.glob("*-linux-gnu/zconf.h")] if file.exists()), out / "include" / "zconf.h")
    for folder in include.glob("*-linux-gnu/openssl"):
        shutil.copytree(folder, out / "include" / "openssl", dirs_exist_ok=True)
    for program in options.programs:
        source = build / program
        add_libraries(source, out / "lib")
        subprocess.run(["strip", "-o", out / source.name, source], check=True)
    (out / "Makefile").write_text(makefile(sources(build, root, out)))
    (out / "run.sh").write_text(RUN)
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    print(f"{out}: {size / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
