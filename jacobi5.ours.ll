; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias writeonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.5 = add i64 %"size n", -1
  %.83 = icmp sgt i64 %"size n", 2
  br i1 %.83, label %for1.head.preheader.us, label %for0.end

for1.head.preheader.us:                           ; preds = %entry, %for1.head.for1.end_crit_edge.us
  %.74.us = phi i64 [ %.46.us, %for1.head.for1.end_crit_edge.us ], [ 1, %entry ]
  %.15.us = mul nuw nsw i64 %.74.us, %"size n"
  %.16.us = getelementptr inbounds nuw double, ptr %"array 0", i64 %.15.us
  %.28.us = sub nsw i64 %.15.us, %"size n"
  %.29.us = getelementptr inbounds double, ptr %"array 0", i64 %.28.us
  %.35.us = getelementptr double, ptr %.16.us, i64 %"size n"
  %.41.us = getelementptr inbounds nuw double, ptr %"array 1", i64 %.15.us
  br label %for1.us

for1.us:                                          ; preds = %for1.head.preheader.us, %for1.us
  %.122.us = phi i64 [ 1, %for1.head.preheader.us ], [ %.22.us, %for1.us ]
  %0 = getelementptr double, ptr %.16.us, i64 %.122.us
  %.18.us = getelementptr i8, ptr %0, i64 -8
  %.19.us = load double, ptr %.18.us, align 8
  %.22.us = add nuw nsw i64 %.122.us, 1
  %.23.us = getelementptr inbounds nuw double, ptr %.16.us, i64 %.22.us
  %.24.us = load double, ptr %.23.us, align 8
  %.25.us = fadd double %.19.us, %.24.us
  %.30.us = getelementptr inbounds nuw double, ptr %.29.us, i64 %.122.us
  %.31.us = load double, ptr %.30.us, align 8
  %.32.us = fadd double %.25.us, %.31.us
  %.36.us = getelementptr inbounds nuw double, ptr %.35.us, i64 %.122.us
  %.37.us = load double, ptr %.36.us, align 8
  %.38.us = fadd double %.32.us, %.37.us
  %.39.us = fmul double %.38.us, 2.500000e-01
  %.42.us = getelementptr inbounds nuw double, ptr %.41.us, i64 %.122.us
  store double %.39.us, ptr %.42.us, align 8
  %exitcond.not = icmp eq i64 %.22.us, %.5
  br i1 %exitcond.not, label %for1.head.for1.end_crit_edge.us, label %for1.us, !llvm.loop !0

for1.head.for1.end_crit_edge.us:                  ; preds = %for1.us
  %.46.us = add nuw nsw i64 %.74.us, 1
  %exitcond5.not = icmp eq i64 %.46.us, %.5
  br i1 %exitcond5.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.us, %entry
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

!0 = distinct !{!0}
