; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: write)
define void @nest(ptr noalias writeonly captures(none) %"array 0", i64 %"size n", double %"scalar s") local_unnamed_addr #0 {
entry:
  %.91 = icmp sgt i64 %"size n", 0
  br i1 %.91, label %for0, label %for0.end

for0:                                             ; preds = %entry, %for0
  %.82 = phi i64 [ %.14, %for0 ], [ 0, %entry ]
  %.12 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.82
  store double %"scalar s", ptr %.12, align 8
  %.14 = add nuw nsw i64 %.82, 1
  %exitcond.not = icmp eq i64 %.14, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: write) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

!0 = distinct !{!0}
