; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", ptr noalias captures(none) %"array 2", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.6 = add i64 %"size n", -1
  %.93 = icmp sgt i64 %"size n", 2
  br i1 %.93, label %for1.head.preheader.us, label %for0.end

for1.head.preheader.us:                           ; preds = %entry, %for1.head.for1.end_crit_edge.us
  %.84.us = phi i64 [ %.67.us, %for1.head.for1.end_crit_edge.us ], [ 1, %entry ]
  %.16.us = mul nuw nsw i64 %.84.us, %"size n"
  %.17.us = getelementptr inbounds nuw double, ptr %"array 1", i64 %.16.us
  %.21.us = getelementptr inbounds nuw double, ptr %"array 2", i64 %.16.us
  %.27.us = getelementptr inbounds nuw double, ptr %"array 0", i64 %.16.us
  %.43.us = sub nsw i64 %.16.us, %"size n"
  %.44.us = getelementptr inbounds double, ptr %"array 1", i64 %.43.us
  %.50.us = getelementptr double, ptr %.17.us, i64 %"size n"
  %.18.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.17.us, i64 8
  %.19.us.pre = load double, ptr %.18.us.phi.trans.insert, align 8
  br label %for1.us

for1.us:                                          ; preds = %for1.head.preheader.us, %for1.us
  %.19.us = phi double [ %.19.us.pre, %for1.head.preheader.us ], [ %.39.us, %for1.us ]
  %.132.us = phi i64 [ 1, %for1.head.preheader.us ], [ %.37.us, %for1.us ]
  %.18.us = getelementptr inbounds nuw double, ptr %.17.us, i64 %.132.us
  %.22.us = getelementptr inbounds nuw double, ptr %.21.us, i64 %.132.us
  %.23.us = load double, ptr %.22.us, align 8
  %.24.us = fneg double %.23.us
  %.25.us = tail call double @llvm.fmuladd.f64(double %.19.us, double 2.000000e+00, double %.24.us)
  %.28.us = getelementptr inbounds nuw double, ptr %.27.us, i64 %.132.us
  %.29.us = load double, ptr %.28.us, align 8
  %.33.us = getelementptr i8, ptr %.18.us, i64 -8
  %.34.us = load double, ptr %.33.us, align 8
  %.37.us = add nuw nsw i64 %.132.us, 1
  %.38.us = getelementptr inbounds nuw double, ptr %.17.us, i64 %.37.us
  %.39.us = load double, ptr %.38.us, align 8
  %.40.us = fadd double %.34.us, %.39.us
  %.45.us = getelementptr inbounds nuw double, ptr %.44.us, i64 %.132.us
  %.46.us = load double, ptr %.45.us, align 8
  %.47.us = fadd double %.40.us, %.46.us
  %.51.us = getelementptr inbounds nuw double, ptr %.50.us, i64 %.132.us
  %.52.us = load double, ptr %.51.us, align 8
  %.53.us = fadd double %.47.us, %.52.us
  %.59.us = tail call double @llvm.fmuladd.f64(double %.19.us, double -4.000000e+00, double %.53.us)
  %.60.us = tail call double @llvm.fmuladd.f64(double %.29.us, double %.59.us, double %.25.us)
  store double %.60.us, ptr %.22.us, align 8
  %exitcond.not = icmp eq i64 %.37.us, %.6
  br i1 %exitcond.not, label %for1.head.for1.end_crit_edge.us, label %for1.us, !llvm.loop !0

for1.head.for1.end_crit_edge.us:                  ; preds = %for1.us
  %.67.us = add nuw nsw i64 %.84.us, 1
  %exitcond5.not = icmp eq i64 %.67.us, %.6
  br i1 %exitcond5.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.us, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
