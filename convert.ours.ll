; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias writeonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.71 = icmp sgt i64 %"size n", 0
  br i1 %.71, label %for0, label %for0.end

for0:                                             ; preds = %entry, %for0
  %.62 = phi i64 [ %.14, %for0 ], [ 0, %entry ]
  %.9 = getelementptr inbounds nuw float, ptr %"array 1", i64 %.62
  %.10 = load float, ptr %.9, align 4
  %.11 = fpext float %.10 to double
  %.12 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.62
  store double %.11, ptr %.12, align 8
  %.14 = add nuw nsw i64 %.62, 1
  %exitcond.not = icmp eq i64 %.14, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

!0 = distinct !{!0}
