#!/usr/bin/env bash
# Runs a fuzzer for some seconds, from the seeds in its corpus:  run.sh mesh|frame|checkpoint|... SECONDS
# An input that breaks the reader is left in build/fuzz/READER-*; give it to build/fuzz/READER_fuzz to see it again.
set -euo pipefail
cd "$(dirname "$0")/../.."
reader=$1 seconds=$2
mkdir -p "build/fuzz/${reader}_found"
exec "build/fuzz/${reader}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3000 -max_len=8192 -seed=1 \
  -print_final_stats=1 -verbosity=1 -artifact_prefix="build/fuzz/$reader-" "build/fuzz/${reader}_found" "tests/fuzz/${reader}_corpus"
