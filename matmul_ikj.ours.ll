; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", ptr noalias captures(none) %"array 2", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.87 = icmp sgt i64 %"size n", 0
  br i1 %.87, label %for1.head.preheader.us, label %for0.end

for1.head.preheader.us:                           ; preds = %entry, %for1.head.for1.end_crit_edge.split.us.us
  %.78.us = phi i64 [ %.48.us, %for1.head.for1.end_crit_edge.split.us.us ], [ 0, %entry ]
  %.18.us = mul nuw nsw i64 %.78.us, %"size n"
  %invariant.gep5.us = getelementptr double, ptr %"array 0", i64 %.18.us
  %.28.us = getelementptr inbounds nuw double, ptr %"array 2", i64 %.18.us
  br label %for2.head.preheader.us.us

for2.head.preheader.us.us:                        ; preds = %for2.head.for2.end_crit_edge.us.us, %for1.head.preheader.us
  %.114.us.us = phi i64 [ 0, %for1.head.preheader.us ], [ %.46.us.us, %for2.head.for2.end_crit_edge.us.us ]
  %gep6.us.us = getelementptr double, ptr %invariant.gep5.us, i64 %.114.us.us
  %.21.us.us = load double, ptr %gep6.us.us, align 8
  %.22.us.us = mul nuw nsw i64 %.114.us.us, %"size n"
  %.23.us.us = getelementptr inbounds nuw double, ptr %"array 1", i64 %.22.us.us
  br label %for2.us.us

for2.us.us:                                       ; preds = %for2.us.us, %for2.head.preheader.us.us
  %.152.us.us = phi i64 [ 0, %for2.head.preheader.us.us ], [ %.44.us.us, %for2.us.us ]
  %.24.us.us = getelementptr inbounds nuw double, ptr %.23.us.us, i64 %.152.us.us
  %.25.us.us = load double, ptr %.24.us.us, align 8
  %.29.us.us = getelementptr inbounds nuw double, ptr %.28.us, i64 %.152.us.us
  %.30.us.us = load double, ptr %.29.us.us, align 8
  %.39.us.us = tail call double @llvm.fmuladd.f64(double %.21.us.us, double %.25.us.us, double %.30.us.us)
  store double %.39.us.us, ptr %.29.us.us, align 8
  %.44.us.us = add nuw nsw i64 %.152.us.us, 1
  %exitcond.not = icmp eq i64 %.44.us.us, %"size n"
  br i1 %exitcond.not, label %for2.head.for2.end_crit_edge.us.us, label %for2.us.us, !llvm.loop !0

for2.head.for2.end_crit_edge.us.us:               ; preds = %for2.us.us
  %.46.us.us = add nuw nsw i64 %.114.us.us, 1
  %exitcond9.not = icmp eq i64 %.46.us.us, %"size n"
  br i1 %exitcond9.not, label %for1.head.for1.end_crit_edge.split.us.us, label %for2.head.preheader.us.us

for1.head.for1.end_crit_edge.split.us.us:         ; preds = %for2.head.for2.end_crit_edge.us.us
  %.48.us = add nuw nsw i64 %.78.us, 1
  %exitcond10.not = icmp eq i64 %.48.us, %"size n"
  br i1 %exitcond10.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.split.us.us, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
