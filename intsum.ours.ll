; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", i64 %"size n", i32 %"scalar sum", ptr noalias writeonly captures(none) %"result sum") local_unnamed_addr #0 {
entry:
  %.102 = icmp sgt i64 %"size n", 0
  br i1 %.102, label %for0, label %for0.end

for0:                                             ; preds = %entry, %for0
  %.94 = phi i64 [ %.17, %for0 ], [ 0, %entry ]
  %.6.03 = phi i32 [ %.15, %for0 ], [ %"scalar sum", %entry ]
  %.13 = getelementptr inbounds nuw i32, ptr %"array 0", i64 %.94
  %.14 = load i32, ptr %.13, align 4
  %.15 = add nsw i32 %.14, %.6.03
  %.17 = add nuw nsw i64 %.94, 1
  %exitcond.not = icmp eq i64 %.17, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  %.6.0.lcssa = phi i32 [ %"scalar sum", %entry ], [ %.15, %for0 ]
  store i32 %.6.0.lcssa, ptr %"result sum", align 4
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

!0 = distinct !{!0}
