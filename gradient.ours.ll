; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias writeonly captures(none) %"array 0", ptr noalias writeonly captures(none) %"array 1", ptr noalias readonly captures(none) %"array 2", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.6 = add i64 %"size n", -1
  %.93 = icmp sgt i64 %"size n", 2
  br i1 %.93, label %for1.head.preheader.us, label %for0.end

for1.head.preheader.us:                           ; preds = %entry, %for1.head.for1.end_crit_edge.us
  %.84.us = phi i64 [ %.51.us, %for1.head.for1.end_crit_edge.us ], [ 1, %entry ]
  %.16.us = mul nuw nsw i64 %.84.us, %"size n"
  %.17.us = getelementptr inbounds nuw double, ptr %"array 2", i64 %.16.us
  %.29.us = getelementptr inbounds nuw double, ptr %"array 0", i64 %.16.us
  %.34.us = getelementptr double, ptr %.17.us, i64 %"size n"
  %.39.us = sub nsw i64 %.16.us, %"size n"
  %.40.us = getelementptr inbounds double, ptr %"array 2", i64 %.39.us
  %.46.us = getelementptr inbounds nuw double, ptr %"array 1", i64 %.16.us
  br label %for1.us

for1.us:                                          ; preds = %for1.head.preheader.us, %for1.us
  %.132.us = phi i64 [ 1, %for1.head.preheader.us ], [ %.18.us, %for1.us ]
  %.18.us = add nuw nsw i64 %.132.us, 1
  %.19.us = getelementptr inbounds nuw double, ptr %.17.us, i64 %.18.us
  %.20.us = load double, ptr %.19.us, align 8
  %0 = getelementptr double, ptr %.17.us, i64 %.132.us
  %.24.us = getelementptr i8, ptr %0, i64 -8
  %.25.us = load double, ptr %.24.us, align 8
  %.26.us = fsub double %.20.us, %.25.us
  %.27.us = fmul double %.26.us, 5.000000e-01
  %.30.us = getelementptr inbounds nuw double, ptr %.29.us, i64 %.132.us
  store double %.27.us, ptr %.30.us, align 8
  %.35.us = getelementptr inbounds nuw double, ptr %.34.us, i64 %.132.us
  %.36.us = load double, ptr %.35.us, align 8
  %.41.us = getelementptr inbounds nuw double, ptr %.40.us, i64 %.132.us
  %.42.us = load double, ptr %.41.us, align 8
  %.43.us = fsub double %.36.us, %.42.us
  %.44.us = fmul double %.43.us, 5.000000e-01
  %.47.us = getelementptr inbounds nuw double, ptr %.46.us, i64 %.132.us
  store double %.44.us, ptr %.47.us, align 8
  %exitcond.not = icmp eq i64 %.18.us, %.6
  br i1 %exitcond.not, label %for1.head.for1.end_crit_edge.us, label %for1.us, !llvm.loop !0

for1.head.for1.end_crit_edge.us:                  ; preds = %for1.us
  %.51.us = add nuw nsw i64 %.84.us, 1
  %exitcond5.not = icmp eq i64 %.51.us, %.6
  br i1 %exitcond5.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.us, %entry
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

!0 = distinct !{!0}
