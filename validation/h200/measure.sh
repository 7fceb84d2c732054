#!/bin/sh
# Measures every case of recorded/SET/cases.toml on the GPU that is here:  OUT=folder sh measure.sh [SET]
# SET is gpu (kernels/), gpu-held-out (held-out/), or gpu-NAME (NAME/: tuning, wider, opcodes, sweeps, blind, uneven, tensor, steered, pipelines, everyday, layers, styles, loops, suites, further, waits, kinds, collected), with their
# cases here.
# Leaves in OUT: times.jsonl (events), ncu-warm.csv and ncu-cold.csv (counters), cubins.tgz (what ran), about.txt.
# Clocks are not locked: asked for its highest clock, 1980 MHz, an H200 went down to 1830 MHz. The clock right after each
# case is in times.jsonl. COUNTERS=no leaves the counters out, STATES=warm those of cold caches.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/results}
set=${1:-gpu}
[ "$set" = gpu ] && kernels=$here/kernels || kernels=$here/${set#gpu-}
case $set in gpu-tensor | gpu-pipelines | gpu-layers | gpu-styles) arch=sm_90a ;; *) arch=sm_90 ;; esac  # wgmma is of sm_90a alone
parts=4  # in which the counters are read
cases=$here/../../src/foretell/uses/recorded/$set/cases.toml
[ -e "$cases" ] || cases=$here/$set/cases.toml
build=$(mktemp -d)
seconds=${NCU_SECONDS:-45}  # for each of them
mkdir -p "$out"

echo "== compile"
cd "$kernels"
ls *.cu | xargs -P "$(nproc)" -I{} sh -c 'nvcc -cubin -O3 -lineinfo -arch='"$arch"' -o "$0/${1%.cu}.cubin" "$1"' "$build" {} &
nvcc -O2 -std=c++17 -arch=sm_90 -o "$build/run" "$here/run.cu"
wait $!
if [ -e compile_triton.py ]; then
    python3 compile_triton.py "$build"
    cp "$cases" "$build/cases.toml"
    cat "$build/triton.toml" >>"$build/cases.toml"
    cases=$build/cases.toml
    cp "$cases" "$out/cases.toml"
fi
tar -C "$build" -czf "$out/cubins.tgz" $(cd "$build" && ls *.cubin)
{
    nvcc --version | tail -2
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,clocks.mem,power.limit,temperature.gpu --format=csv
    (cd "$build" && sha256sum *.cubin)
} >"$out/about.txt" 2>&1 || true

[ "$set" != gpu-steered ] || python3 "$here/uneven/contents.py" "$build"
[ ! -e contents.py ] || python3 contents.py "$build"

echo "== times"
cd "$build"
timeout 200 ./run "$cases" *.cubin >"$out/times.jsonl" || echo "run failed: $?"
nvidia-smi --query-gpu=clocks.sm,temperature.gpu,power.draw,clocks_event_reasons.active --format=csv >>"$out/about.txt" 2>&1 || true
wc -l "$out/times.jsonl"

echo "== counters"
[ "${COUNTERS:-yes}" = yes ] || exit 0
command -v ncu >/dev/null || { echo "no ncu"; exit 0; }
ncu --version | tail -2 >>"$out/about.txt"
ncu --query-metrics --chips gh100 >names.txt 2>&1 || true
metrics=
for metric in \
    gpu__time_duration.sum sm__cycles_elapsed.max sm__cycles_active.avg smsp__cycles_active.avg \
    smsp__inst_executed.sum smsp__thread_inst_executed.sum smsp__inst_issued.sum \
    sm__warps_active.avg.pct_of_peak_sustained_active \
    sm__inst_executed_pipe_alu.sum sm__inst_executed_pipe_fma.sum sm__inst_executed_pipe_fmaheavy.sum \
    sm__inst_executed_pipe_fp16.sum sm__inst_executed_pipe_fp64.sum sm__inst_executed_pipe_xu.sum \
    sm__inst_executed_pipe_lsu.sum sm__inst_executed_pipe_tensor.sum sm__inst_executed_pipe_uniform.sum \
    l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum \
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum \
    l1tex__t_requests_pipe_lsu_mem_global_op_st.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum \
    l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum \
    l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum \
    l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum \
    l1tex__data_pipe_lsu_wavefronts.sum l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum \
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum l1tex__data_pipe_lsu_wavefronts_mem_shared.sum \
    l1tex__data_bank_conflicts_pipe_lsu.sum \
    lts__t_sectors.sum lts__t_requests.sum lts__t_sectors_op_read.sum lts__t_sectors_op_write.sum lts__t_sectors_op_red.sum \
    lts__t_sectors_op_atom.sum lts__t_sectors_lookup_hit.sum lts__t_sectors_lookup_miss.sum \
    lts__t_sectors_srcunit_tex.sum lts__t_sectors_srcunit_tex_lookup_hit.sum lts__t_sectors_srcunit_ltcfabric.sum \
    lts__t_tag_requests.sum lts__d_sectors.sum l1tex__m_xbar2l1tex_read_sectors.sum l1tex__m_l1tex2xbar_write_sectors.sum \
    l1tex__m_l1tex2xbar_req_cycles_active.sum l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum \
    l1tex__data_bank_reads.sum l1tex__data_bank_writes.sum l1tex__f_wavefronts.sum l1tex__lsuin_requests.sum \
    dram__bytes_read.sum dram__bytes_write.sum \
    smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio \
    smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio \
    smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio \
    smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio \
    smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio \
    smsp__average_warps_issue_stalled_wait_per_issue_active.ratio \
    smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio \
    smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio \
    smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio \
    smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio \
    smsp__average_warps_issue_stalled_drain_per_issue_active.ratio \
    smsp__average_warps_issue_stalled_branch_resolve_per_issue_active.ratio \
    smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio; do
    if ! grep -q "^lts__t_sectors" names.txt || grep -q "^${metric%%.*} " names.txt; then
        metrics="$metrics,$metric"
    else
        echo "no metric $metric" | tee -a "$out/about.txt"
    fi
done
for state in ${STATES:-warm cold}; do
    [ $state = warm ] && control=none || control=all
    : >"$out/ncu-$state.csv"
    for part in $(seq $parts); do
        timeout "$seconds" ncu --csv --page raw --profile-from-start off --cache-control $control --clock-control none \
            --log-file part.csv --metrics "${metrics#,}" ./run "$cases" *.cubin --profile "$part/$parts" >ncu.out 2>&1 ||
            echo "ncu $state $part/$parts: $?" | tee -a "$out/about.txt"
        cat part.csv >>"$out/ncu-$state.csv"
        tail -3 ncu.out
    done
    grep -c '^"[0-9]' "$out/ncu-$state.csv" || true
done
rm -rf "$build"
