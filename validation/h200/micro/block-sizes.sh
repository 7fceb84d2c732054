#!/bin/sh
# The block-size sweep again: times in turned orders, one-pass counters, timelines. About 90 s on an H200.
#     OUT=folder sh block-sizes.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd); h=$here/..
out=${OUT:?}; build=$(mktemp -d); mkdir -p "$out"; cd "$build"
python3 - <<'P'
def launch(n, threads, name):
    kernel = "matmul_naive" if n == 2048 else "s_product"
    return f'[[launch]]\nname = "{name}"\nkernel = "{kernel}"\ngrid = [{n // threads}, {n}]\nblock = [{threads}]\nargs = ["f32[{n*n}]", "f32[{n*n}]", "f32[{n*n}]", {n}]\n\n'
sizes = [32, 64, 128, 256, 512, 1024]
turned = [sizes, sizes[::-1], sizes[3:] + sizes[:3], [128, 32, 256, 64, 1024, 512], sizes[::-1], sizes]
with open("times.toml", "w") as f:
    for r, order in enumerate(turned):
        for t in order: f.write(launch(2048, t, f"matmul_naive/{t}-turn{r}"))
    for r, order in enumerate(turned[:3]):
        for t in order: f.write(launch(1024, t, f"s_product/{t}-turn{r}"))
with open("counters.toml", "w") as f:
    for r in range(3):
        for t in (sizes if r % 2 == 0 else sizes[::-1]): f.write(launch(2048, t, f"matmul_naive/{t}-turn{r}"))
    for r in range(2):
        for t in sizes: f.write(launch(1024, t, f"s_product/{t}-turn{r}"))
P
nvcc -cubin -O3 -lineinfo -arch=sm_90 -I"$h/kernels" -o matmul.cubin "$h/kernels/matmul.cu" & a=$!
nvcc -cubin -O3 -lineinfo -arch=sm_90 -I"$h/kernels" -o sweeps.cubin "$h/sweeps/sweeps.cu" & b=$!
nvcc -O3 -arch=sm_90 -o marks "$here/marks.cu" & c=$!
nvcc -O2 -std=c++17 -arch=sm_90 -o run "$h/run.cu"
wait $a $b $c
nvidia-smi --query-gpu=clocks.sm,clocks.mem,temperature.gpu,power.draw --format=csv >"$out/about.txt" 2>&1 || true
timeout 60 ./run times.toml matmul.cubin sweeps.cubin >"$out/times.jsonl" || echo "run failed $?"
nvidia-smi --query-gpu=clocks.sm,clocks.mem,temperature.gpu,power.draw,clocks_event_reasons.active --format=csv >>"$out/about.txt" 2>&1 || true
timeout 20 ./marks >marks.bin 2>"$out/marks.jsonl" || echo "marks failed $?"
gzip -c marks.bin >"$out/marks.bin.gz"; ls -l "$out"
k=0
for metrics in gpu__time_duration.sum,lts__t_sectors_srcunit_tex.sum,sm__cycles_active.avg \
    gpu__time_duration.sum,l1tex__m_xbar2l1tex_read_sectors.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum \
    gpu__time_duration.sum,lts__cycles_elapsed.avg.per_second,sm__cycles_elapsed.avg.per_second,l1tex__m_l1tex2xbar_read_requests.sum; do
    k=$((k + 1))
    timeout 30 ncu --csv --page raw --profile-from-start off --cache-control none --clock-control none --log-file "$out/ncu-$k.csv" \
        --metrics $metrics ./run counters.toml matmul.cubin sweeps.cubin --profile 1/1 >ncu.out 2>&1 || { echo "ncu $k: $?"; tail -3 ncu.out; }
done
rm -rf "$build"
