#!/usr/bin/env bash
# The least user time of nine alternating runs: steadier than a mean on a shared machine.
# Arguments go to `cargo build`.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release -q -p callpact-bench "$@"
bin=${CARGO_TARGET_DIR:-target}/release/instructions
for input in nested-200B:400000 string-200kB:6000 string-200kB-escapes:2500 items-2000:250; do
  for round in 1 2 3 4 5 6 7 8 9; do
    for way in serde-derive callpact-lax callpact-exact; do
      seconds=$({ TIMEFORMAT=%U; time "$bin" "${input%:*}" "$way" "${input#*:}"; } 2>&1)
      awk -v s="$seconds" -v n="${input#*:}" -v k="${input%:*} $way" \
        'BEGIN { printf "%s %d\n", k, s * 1e9 / n }'
    done
  done
done | awk '{k=$1" "$2; if(!(k in m)||$3<m[k])m[k]=$3; if(!(k in o)){o[k]=n++; name[n-1]=k}}
  END{for(i=0;i<n;i++){split(name[i],p," "); printf "%-22s %-18s %9d ns  %.2f\n",p[1],p[2],m[name[i]],m[name[i]]/m[p[1]" serde-derive"]}}'
