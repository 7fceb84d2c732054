"""LLVM IR helpers of instrumented code: small inlined functions, and declarations of the runtime.

Names and layouts are those of `cpp/trace/runtime.hpp`.
"""

from __future__ import annotations

#: 64-bit words before the counters of an instance
INSTANCE_HEADER = 3
#: room for the levels of arguments, in words
MOST_ARGUMENTS = 1024

_DECLARED = """
@ft_now = external dso_local global i32
@ft_bounds = external dso_local global [0 x i32]
@ft_level_limit = external dso_local global i32
@ft_level_shift = external dso_local global i32
@ft_chunks = external dso_local global ptr
@ft_cursor = external dso_local global ptr
@ft_end = external dso_local global ptr
@ft_context = external dso_local global ptr
@ft_frame = external dso_local global ptr
@ft_arguments = external dso_local global [1024 x i64]
@ft_result = external dso_local global [128 x i64]
declare void @ft_begin()
declare void @ft_finish()
declare ptr @ft_function(ptr) cold
declare ptr @ft_enter(ptr)
declare void @ft_leave(ptr, i64)
declare void @ft_unwind(ptr)
declare preserve_mostcc void @ft_rebase() cold
declare preserve_mostcc i64 @ft_allocate(i64) cold
declare preserve_mostcc i32 @ft_load(i64, i64, ptr, i32)
declare preserve_mostcc i32 @ft_load_update(i64, i64, ptr, i32)
declare void @ft_store(i64, i64, i32, i32)
declare void @ft_load_all(i64, i64)
declare void @ft_store_all(i64, i64, i32)
declare preserve_mostcc void @ft_flush() cold
declare void @ft_touch(i64, i64)
declare preserve_mostcc void @ft_sampled(i64) cold
declare void @ft_copy(i64, i64, i64, i32)
declare void @ft_fill(i64, i64)
declare void @ft_assign(ptr, ptr, i32)
declare void @ft_fresh(i64, i64)
declare void @ft_moved(i64, i64, i64)
declare preserve_mostcc void @ft_coarsen(i32) cold
declare ptr @ft_traced(ptr)
"""

_HELPERS = """
define internal ptr @ft.function(ptr %f) alwaysinline {
  %now = load ptr, ptr @ft_context
  %known = load ptr, ptr %f
  %same = icmp eq ptr %now, %known
  br i1 %same, label %old, label %new
new:
  %made = call ptr @ft_function(ptr %f)
  br label %end
old:
  %at = getelementptr ptr, ptr %f, i64 1
  %kept = load ptr, ptr %at
  br label %end
end:
  %found = phi ptr [ %made, %new ], [ %kept, %old ]
  ret ptr %found
}
define internal void @ft.count(ptr %counters, i64 %block, i64 %times) alwaysinline {
  %at = getelementptr i64, ptr %counters, i64 %block
  %before = load i64, ptr %at
  %after = add i64 %before, %times
  store i64 %after, ptr %at
  ret void
}
define internal void @ft.step(ptr %iteration) alwaysinline {
  %before = load i32, ptr @ft_now
  %after = add i32 %before, 2
  store i32 %after, ptr @ft_now
  store i32 %after, ptr %iteration
  %far = icmp ugt i32 %after, 4026531840
  br i1 %far, label %full, label %end
full:
  call preserve_mostcc void @ft_rebase()
  br label %end
end:
  ret void
}
define internal i32 @ft.operation(ptr %levels, i32 %ready, i32 %shift) alwaysinline {
  %level = add i32 %ready, 1
  %group = lshr i32 %level, %shift
  %index = zext i32 %group to i64
  %at = getelementptr i64, ptr %levels, i64 %index
  %before = load i64, ptr %at
  %after = add i64 %before, 1
  store i64 %after, ptr %at
  ret i32 %level
}
define internal void @ft.reached(i32 %level) alwaysinline {
  %limit = load i32, ptr @ft_level_limit
  %fits = icmp ult i32 %level, %limit
  br i1 %fits, label %end, label %grow
grow:
  call preserve_mostcc void @ft_coarsen(i32 %level)
  br label %end
end:
  ret void
}
define internal i32 @ft.tree(i32 %ready, i32 %terms) alwaysinline {
  %zeros = call i32 @llvm.ctlz.i32(i32 %terms, i1 false)
  %rounds = sub i32 32, %zeros
  %level = add i32 %ready, %rounds
  ret i32 %level
}
define internal i32 @ft.leaf(ptr %levels, i32 %ready, i32 %number, i32 %shift) alwaysinline {
  %round = call i32 @llvm.cttz.i32(i32 %number, i1 false)
  %below = add i32 %ready, %round
  %level = call i32 @ft.operation(ptr %levels, i32 %below, i32 %shift)
  ret i32 %level
}
define internal ptr @ft.reserve(i64 %count) alwaysinline {
  %cursor = load ptr, ptr @ft_cursor
  %next = getelementptr i64, ptr %cursor, i64 %count
  %end = load ptr, ptr @ft_end
  %full = icmp ugt ptr %next, %end
  br i1 %full, label %flush, label %have
flush:
  call preserve_mostcc void @ft_flush()
  %fresh = load ptr, ptr @ft_cursor
  br label %have
have:
  %first = phi ptr [ %fresh, %flush ], [ %cursor, %0 ]
  %last = getelementptr i64, ptr %first, i64 %count
  store ptr %last, ptr @ft_cursor
  ret ptr %first
}
define internal void @ft.sample(ptr %p, i64 %shift, i64 %limit) alwaysinline {
  %address = ptrtoint ptr %p to i64
  %line = lshr i64 %address, %shift
  %hash = mul i64 %line, -7046029254386353131
  %in = icmp ult i64 %hash, %limit
  br i1 %in, label %take, label %end
take:
  call preserve_mostcc void @ft_sampled(i64 %address)
  br label %end
end:
  ret void
}
"""

_CHUNK = """
  %a = ptrtoint ptr %p to i64
  %n = lshr i64 %a, 20
  %table = load ptr, ptr @ft_chunks, !invariant.load !{}
  %entry = getelementptr i64, ptr %table, i64 %n
  %bias = load i64, ptr %entry
  %none = icmp eq i64 %bias, 0
"""

_INSIDE = """
  %interval = load ptr, ptr %site
  %from = load i32, ptr %interval
  %upper = getelementptr i32, ptr %interval, i64 1
  %to = load i32, ptr %upper
  %since = sub i32 %written, %from
  %width = sub i32 %to, %from
  %inside = icmp ult i32 %since, %width
"""


def _load(size: int, update: bool) -> str:
    """A load of 8 bytes, or of up to 4 bytes of one cell.

    The runtime handles loads whose 8-byte cells differ, and those whose write time is outside of the interval of the
    last load: the write time of a cell whose bytes differ is in no interval.
    """
    name = f"@ft.load{size}{'u' if update else ''}"
    whole = "%a" if size >= 4 else "%whole"  # 4 or 8 bytes are aligned
    same = (
        """
  %second = getelementptr i64, ptr %cell, i64 1
  %y = load i64, ptr %second
  %same = icmp eq i64 %x, %y
  br i1 %same, label %plain, label %look
plain:
"""
        if size == 8
        else ""
    )
    # The read of an update is known already only if an update wrote the value.
    known = (
        "  %low = trunc i32 %written to i1\n  %quiet = and i1 %inside, %low\n"
        if update
        else "  %quiet = or i1 %inside, false\n"
    )
    return f"""
define internal i32 {name}(ptr %p, ptr %site, i32 %line) alwaysinline {{
{_CHUNK}
  br i1 %none, label %end, label %some
some:
  %whole = and i64 %a, -4
  %twice = shl i64 {whole}, 1
  %place = add i64 %bias, %twice
  %cell = inttoptr i64 %place to ptr
  %x = load i64, ptr %cell
{same}
  %level = trunc i64 %x to i32
  %high = lshr i64 %x, 32
  %written = trunc i64 %high to i32
{_INSIDE}
{known}
  br i1 %quiet, label %end, label %look
look:
  %found = call preserve_mostcc i32 @ft_load{"_update" if update else ""}(i64 %a, i64 {size}, ptr %site, i32 %line)
  br label %end
end:
  %result = phi i32 [ 0, %0 ], [ %level, %{"plain" if size == 8 else "some"} ], [ %found, %look ]
  ret i32 %result
}}
"""


def _store(size: int) -> str:
    """A store of 8 or 4 bytes, aligned."""
    second = "  %second = getelementptr i64, ptr %cell, i64 1\n  store i64 %value, ptr %second\n" if size == 8 else ""
    return f"""
define internal void @ft.store{size}(ptr %p, i32 %level, i32 %update) alwaysinline {{
{_CHUNK}
  br i1 %none, label %new, label %have
new:
  %made = call preserve_mostcc i64 @ft_allocate(i64 %a)
  br label %have
have:
  %base = phi i64 [ %made, %new ], [ %bias, %0 ]
  %twice = shl i64 %a, 1
  %place = add i64 %base, %twice
  %cell = inttoptr i64 %place to ptr
  %now = load i32, ptr @ft_now
  %marked = or i32 %now, %update
  %wide = zext i32 %marked to i64
  %high = shl i64 %wide, 32
  %low = zext i32 %level to i64
  %value = or i64 %high, %low
  store i64 %value, ptr %cell
{second}
  ret void
}}
"""


def helpers() -> str:
    """All helper definitions that an instrumented module needs in addition to its own code."""
    loads = "".join(_load(size, update) for size in (1, 2, 4, 8) for update in (False, True))
    return _DECLARED + _HELPERS + loads + _store(4) + _store(8)
