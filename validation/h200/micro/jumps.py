"""Writes the launches of jumps.cu:  python jumps.py >jumps.toml"""

SHAPES = {"1": (132, 32), "4": (132, 128), "16": (132, 512), "64": (528, 512)}  # warps of a multiprocessor


def launch(kernel: str, name: str, warps: str, element: str, *values: object) -> str:
    """One launch, with an array for the results of all threads."""
    grid, block = SHAPES[warps]
    args = [f'"{element}[{grid * block}]"', *map(str, values)] + (['"f32:0.5"'] if element == "f32" else [])
    head = f'[[launch]]\nname = "{kernel}/{name}-{warps}"\nkernel = "{kernel}"\n'
    return head + f"grid = [{grid}]\nblock = [{block}]\nargs = [{', '.join(args)}]\n"


for warps in ("1", "4", "16"):
    for addresses in (1, 2, 4, 8, 16, 32):
        print(launch("m_chain", f"{addresses}", warps, "u32", addresses, 1, 128))
    print(launch("m_chain", "32x16", warps, "u32", 32, 16, 128))
for warps in ("4", "16", "64"):
    for words in (256, 512, 1024, 2048, 4096, 16384):
        for addresses in (1, 4, 32):
            print(launch("m_apart", f"{words}-{addresses}", warps, "u32", addresses, words - 1, 64))
for warps in SHAPES:
    for name, shift, mask in (("alike", 5, 7), ("2", 0, 1), ("4", 0, 3), ("8", 0, 7)):
        print(launch("m_forks", name, warps, "f32", shift, mask, 256))
    for name, shift, mask in (("none", 0, 0), ("half", 0, 1)):
        print(launch("m_aside", name, warps, "f32", shift, mask, 256))
    for most in (1, 2, 8, 32):
        print(launch("m_ends", f"{most}", warps, "f32", most, 64))
