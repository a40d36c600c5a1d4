#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Trains the models that ship with the program: the recipe of models/README.md.
#   tools/train_shipped.sh PROGRAM OUT [device [scale [model...]]]
# PROGRAM is the snellen binary with its module beside it; OUT gets one folder a model. `scale` is a share of the full
# number of scenes and steps, to try the recipe in a minute (0.001 on a CPU). Models: clip clip-tuned clip-patched
# blip-captions blip xclip gpt2. Those that need no other model (clip, xclip, gpt2) are trained side by side: one of them
# alone leaves half of a GPU idle.
set -euo pipefail
program=$1 out=$2 device=${3:-cuda} scale=${4:-1}
shift $(($# < 4 ? $# : 4))
models=${*:-clip clip-tuned clip-patched blip-captions blip xclip gpt2}
dtype=bf16
[ "$device" = cpu ] && dtype=fp32
mkdir -p "$out"

part() { python3 -c "import sys; print(max(int(sys.argv[2]), round(float(sys.argv[1]) * $scale)))" "$1" "$2"; }

# Trains one model: name, verb, and its flags. A model that is there is kept; an interrupted one goes on.
learn() {
    local name=$1 verb=$2
    shift 2
    [ -f "$out/$name/model.safetensors" ] && return 0
    echo "== $name" >&2
    local begin=$SECONDS
    "$program" "$verb" --output "$out/$name" --device "$device" --dtype "$dtype" --save-dtype fp16 --seed 0 --cache-gb 40 \
        --probe-scenes "$(part 192 12)" "$@"
    echo "== $name took $((SECONDS - begin)) s" >&2
    (cd "$out/$name" && sha256sum model.safetensors config.json) >"$out/$name.sha256"
}

# Chosen on the scenes of world 900,000: models/README.md.
alpha=0.36
batch=1024 small=256
[ "$scale" = 1 ] || { batch=16; small=16; }
make() {
    case "$1" in
    # Captions say what is there, and seldom how it stands to each other.
    clip) learn clip train --arch clip --scenes "$(part 160000 64)" --steps "$(part 5000 4)" --batch-size "$batch" --lr 1e-3 \
        --relation-percent 10 --evaluate-every "$(part 2500 2)" ;;
    # Selective negatives, and plain captions among them against drift.
    clip-tuned) learn clip-tuned finetune --model "$out/clip" --world 2 --scenes "$(part 50000 64)" --plain-scenes "$(part 40000 64)" \
        --steps "$(part 2000 4)" --batch-size "$small" --lr 1e-3 --itm-weight 20 --clip-norm 1 --evaluate-every "$(part 1000 2)" ;;
    clip-patched) [ -f "$out/clip-patched/model.safetensors" ] || "$program" patch "$out/clip" "$out/clip-tuned" --alpha "$alpha" --output "$out/clip-patched" ;;
    # First what things are called, then how they stand to each other.
    blip-captions) learn blip-captions train --arch blip --scenes "$(part 100000 64)" --steps "$(part 7000 4)" --batch-size "$((batch / 2))" --lr 1e-3 \
        --evaluate-every "$(part 3500 2)" ;;
    blip) learn blip train --arch blip --init "$out/blip-captions" --contrasts --scenes "$(part 90000 64)" --plain-scenes "$(part 50000 64)" \
        --steps "$(part 2800 4)" --batch-size "$((batch / 2))" --lr 7e-4 --clip-norm 1 --evaluate-every "$(part 1400 2)" ;;
    xclip) learn xclip train --arch xclip --scenes "$(part 24000 64)" --steps "$(part 1200 4)" --batch-size "$((batch / 8 > 8 ? batch / 8 : 8))" --lr 7e-4 \
        --evaluate-every "$(part 600 2)" ;;
    gpt2) learn gpt2 train --arch gpt2 --scenes "$(part 100000 64)" --steps "$(part 1800 4)" --batch-size "$batch" --lr 1e-3 \
        --evaluate-every "$(part 900 2)" ;;
    *) echo "unknown model $1" >&2; exit 2 ;;
    esac
}

side_by_side=() one_by_one=()
for model in $models; do
    case "$model" in
    clip | xclip | gpt2) side_by_side+=("$model") ;;
    *) one_by_one+=("$model") ;;
    esac
done
begin=$SECONDS
processes=()
for model in "${side_by_side[@]}"; do
    make "$model" &
    processes+=($!)
done
for process in "${processes[@]}"; do wait "$process"; done
for model in "${one_by_one[@]}"; do make "$model"; done
echo "== all models took $((SECONDS - begin)) s" >&2
