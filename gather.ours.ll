; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", ptr noalias writeonly captures(none) %"array 2", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.81 = icmp sgt i64 %"size n", 0
  br i1 %.81, label %for0, label %for0.end

for0:                                             ; preds = %entry, %for0
  %.72 = phi i64 [ %.17, %for0 ], [ 0, %entry ]
  %.10 = getelementptr inbounds nuw i32, ptr %"array 0", i64 %.72
  %.11 = load i32, ptr %.10, align 4
  %.12 = sext i32 %.11 to i64
  %.13 = getelementptr inbounds double, ptr %"array 1", i64 %.12
  %.14 = load double, ptr %.13, align 8
  %.15 = getelementptr inbounds nuw double, ptr %"array 2", i64 %.72
  store double %.14, ptr %.15, align 8
  %.17 = add nuw nsw i64 %.72, 1
  %exitcond.not = icmp eq i64 %.17, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

!0 = distinct !{!0}
