; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", ptr noalias captures(none) %"array 2", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.810 = icmp sgt i64 %"size n", 0
  br i1 %.810, label %for1.head.preheader.us, label %for0.end

for1.head.preheader.us:                           ; preds = %entry, %for1.head.for1.end_crit_edge.split.us.us
  %.711.us = phi i64 [ %.48.us, %for1.head.for1.end_crit_edge.split.us.us ], [ 0, %entry ]
  %.18.us = mul nuw nsw i64 %.711.us, %"size n"
  %.19.us = getelementptr inbounds nuw double, ptr %"array 0", i64 %.18.us
  %invariant.gep8.us = getelementptr double, ptr %"array 2", i64 %.18.us
  br label %for2.head.preheader.us.us

for2.head.preheader.us.us:                        ; preds = %for2.head.for2.end_crit_edge.us.us, %for1.head.preheader.us
  %.117.us.us = phi i64 [ 0, %for1.head.preheader.us ], [ %.46.us.us, %for2.head.for2.end_crit_edge.us.us ]
  %invariant.gep.us.us = getelementptr double, ptr %"array 1", i64 %.117.us.us
  %gep9.us.us = getelementptr double, ptr %invariant.gep8.us, i64 %.117.us.us
  %gep2.promoted.us.us = load double, ptr %gep9.us.us, align 8
  br label %for2.us.us

for2.us.us:                                       ; preds = %for2.us.us, %for2.head.preheader.us.us
  %.305.us.us = phi double [ %gep2.promoted.us.us, %for2.head.preheader.us.us ], [ %.39.us.us, %for2.us.us ]
  %.154.us.us = phi i64 [ 0, %for2.head.preheader.us.us ], [ %.44.us.us, %for2.us.us ]
  %.20.us.us = getelementptr inbounds nuw double, ptr %.19.us, i64 %.154.us.us
  %.21.us.us = load double, ptr %.20.us.us, align 8
  %.22.us.us = mul nuw nsw i64 %.154.us.us, %"size n"
  %gep.us.us = getelementptr double, ptr %invariant.gep.us.us, i64 %.22.us.us
  %.25.us.us = load double, ptr %gep.us.us, align 8
  %.39.us.us = tail call double @llvm.fmuladd.f64(double %.21.us.us, double %.25.us.us, double %.305.us.us)
  %.44.us.us = add nuw nsw i64 %.154.us.us, 1
  %exitcond.not = icmp eq i64 %.44.us.us, %"size n"
  br i1 %exitcond.not, label %for2.head.for2.end_crit_edge.us.us, label %for2.us.us, !llvm.loop !0

for2.head.for2.end_crit_edge.us.us:               ; preds = %for2.us.us
  store double %.39.us.us, ptr %gep9.us.us, align 8
  %.46.us.us = add nuw nsw i64 %.117.us.us, 1
  %exitcond12.not = icmp eq i64 %.46.us.us, %"size n"
  br i1 %exitcond12.not, label %for1.head.for1.end_crit_edge.split.us.us, label %for2.head.preheader.us.us

for1.head.for1.end_crit_edge.split.us.us:         ; preds = %for2.head.for2.end_crit_edge.us.us
  %.48.us = add nuw nsw i64 %.711.us, 1
  %exitcond13.not = icmp eq i64 %.48.us, %"size n"
  br i1 %exitcond13.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.split.us.us, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
