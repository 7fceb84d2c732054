; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias writeonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.5 = add i64 %"size n", -2
  %.85 = icmp sgt i64 %"size n", 4
  br i1 %.85, label %for1.head.preheader.us, label %for0.end

for1.head.preheader.us:                           ; preds = %entry, %for1.head.for1.end_crit_edge.us
  %.76.us = phi i64 [ %.79.us, %for1.head.for1.end_crit_edge.us ], [ 2, %entry ]
  %.15.us = mul nuw nsw i64 %.76.us, %"size n"
  %.16.us = getelementptr inbounds nuw double, ptr %"array 0", i64 %.15.us
  %.28.us = sub nsw i64 %.15.us, %"size n"
  %.29.us = getelementptr inbounds double, ptr %"array 0", i64 %.28.us
  %.35.us = getelementptr double, ptr %.16.us, i64 %"size n"
  %.151.us = add nsw i64 %.76.us, -2
  %.52.us = mul i64 %.151.us, %"size n"
  %.53.us = getelementptr inbounds double, ptr %"array 0", i64 %.52.us
  %.152.us = add nuw i64 %.76.us, 2
  %.59.us = mul i64 %.152.us, %"size n"
  %.60.us = getelementptr inbounds double, ptr %"array 0", i64 %.59.us
  %.74.us = getelementptr inbounds nuw double, ptr %"array 1", i64 %.15.us
  %.phi.trans.insert = getelementptr i8, ptr %.16.us, i64 16
  %.70.us.pre = load double, ptr %.phi.trans.insert, align 8
  br label %for1.us

for1.us:                                          ; preds = %for1.head.preheader.us, %for1.us
  %.70.us = phi double [ %.70.us.pre, %for1.head.preheader.us ], [ %.24.us, %for1.us ]
  %.124.us = phi i64 [ 2, %for1.head.preheader.us ], [ %.22.us, %for1.us ]
  %0 = getelementptr double, ptr %.16.us, i64 %.124.us
  %.18.us = getelementptr i8, ptr %0, i64 -8
  %.19.us = load double, ptr %.18.us, align 8
  %.22.us = add nuw nsw i64 %.124.us, 1
  %.23.us = getelementptr inbounds nuw double, ptr %.16.us, i64 %.22.us
  %.24.us = load double, ptr %.23.us, align 8
  %.25.us = fadd double %.19.us, %.24.us
  %.30.us = getelementptr inbounds nuw double, ptr %.29.us, i64 %.124.us
  %.31.us = load double, ptr %.30.us, align 8
  %.32.us = fadd double %.25.us, %.31.us
  %.36.us = getelementptr inbounds nuw double, ptr %.35.us, i64 %.124.us
  %.37.us = load double, ptr %.36.us, align 8
  %.38.us = fadd double %.32.us, %.37.us
  %.42.us = getelementptr i8, ptr %0, i64 -16
  %.43.us = load double, ptr %.42.us, align 8
  %.47.us = getelementptr inbounds nuw i8, ptr %0, i64 16
  %.48.us = load double, ptr %.47.us, align 8
  %.49.us = fadd double %.43.us, %.48.us
  %.54.us = getelementptr inbounds nuw double, ptr %.53.us, i64 %.124.us
  %.55.us = load double, ptr %.54.us, align 8
  %.56.us = fadd double %.49.us, %.55.us
  %.61.us = getelementptr inbounds nuw double, ptr %.60.us, i64 %.124.us
  %.62.us = load double, ptr %.61.us, align 8
  %.63.us = fadd double %.56.us, %.62.us
  %.65.us = fmul double %.63.us, -8.300000e-02
  %.66.us = tail call double @llvm.fmuladd.f64(double %.38.us, double 1.330000e+00, double %.65.us)
  %.72.us = tail call double @llvm.fmuladd.f64(double %.70.us, double -5.000000e+00, double %.66.us)
  %.75.us = getelementptr inbounds nuw double, ptr %.74.us, i64 %.124.us
  store double %.72.us, ptr %.75.us, align 8
  %exitcond.not = icmp eq i64 %.22.us, %.5
  br i1 %exitcond.not, label %for1.head.for1.end_crit_edge.us, label %for1.us, !llvm.loop !0

for1.head.for1.end_crit_edge.us:                  ; preds = %for1.us
  %.79.us = add nuw nsw i64 %.76.us, 1
  %exitcond7.not = icmp eq i64 %.79.us, %.5
  br i1 %exitcond7.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.us, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
