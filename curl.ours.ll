; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", ptr noalias captures(none) %"array 2", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.6 = add i64 %"size n", -1
  %.96 = icmp sgt i64 %"size n", 1
  br i1 %.96, label %for1.head.preheader.lr.ph, label %for0.end

for1.head.preheader.lr.ph:                        ; preds = %entry
  %factor.op.mul3 = mul i64 %"size n", %"size n"
  br label %for1.head.preheader.us

for1.head.preheader.us:                           ; preds = %for1.head.for1.end_crit_edge.split.us.us, %for1.head.preheader.lr.ph
  %.87.us = phi i64 [ 0, %for1.head.preheader.lr.ph ], [ %.110.us, %for1.head.for1.end_crit_edge.split.us.us ]
  %factor.op.mul.reass.us = mul i64 %factor.op.mul3, %.87.us
  %.23.us = getelementptr inbounds double, ptr %"array 0", i64 %factor.op.mul.reass.us
  %.39.us = getelementptr inbounds double, ptr %"array 1", i64 %factor.op.mul.reass.us
  %.58.us = getelementptr inbounds double, ptr %"array 2", i64 %factor.op.mul.reass.us
  br label %for2.head.preheader.us.us

for2.head.preheader.us.us:                        ; preds = %for2.head.for2.end_crit_edge.us.us, %for1.head.preheader.us
  %.135.us.us = phi i64 [ 0, %for1.head.preheader.us ], [ %.108.us.us, %for2.head.for2.end_crit_edge.us.us ]
  %.24.us.us = mul nuw nsw i64 %.135.us.us, %"size n"
  %0 = getelementptr double, ptr %.23.us, i64 %.24.us.us
  %.26.us.us = getelementptr double, ptr %0, i64 %"size n"
  %.41.us.us = getelementptr inbounds nuw double, ptr %.39.us, i64 %.24.us.us
  %.60.us.us = getelementptr inbounds nuw double, ptr %.58.us, i64 %.24.us.us
  %.51.us.us.pre = load double, ptr %.41.us.us, align 8
  br label %for2.us.us

for2.us.us:                                       ; preds = %for2.us.us, %for2.head.preheader.us.us
  %.51.us.us = phi double [ %.51.us.us.pre, %for2.head.preheader.us.us ], [ %.44.us.us, %for2.us.us ]
  %.182.us.us = phi i64 [ 0, %for2.head.preheader.us.us ], [ %.42.us.us, %for2.us.us ]
  %.27.us.us = getelementptr inbounds nuw double, ptr %.26.us.us, i64 %.182.us.us
  %.28.us.us = load double, ptr %.27.us.us, align 8
  %.34.us.us = getelementptr inbounds nuw double, ptr %0, i64 %.182.us.us
  %.35.us.us = load double, ptr %.34.us.us, align 8
  %.36.us.us = fsub double %.28.us.us, %.35.us.us
  %.42.us.us = add nuw nsw i64 %.182.us.us, 1
  %.43.us.us = getelementptr inbounds nuw double, ptr %.41.us.us, i64 %.42.us.us
  %.44.us.us = load double, ptr %.43.us.us, align 8
  %.52.us.us = fsub double %.44.us.us, %.51.us.us
  %.54.us.us = fmul double %.52.us.us, -5.000000e-01
  %.61.us.us = getelementptr inbounds nuw double, ptr %.60.us.us, i64 %.182.us.us
  %.62.us.us = load double, ptr %.61.us.us, align 8
  %.97.us.us = tail call double @llvm.fmuladd.f64(double %.36.us.us, double 5.000000e-01, double %.54.us.us)
  %.98.us.us = fadd double %.62.us.us, %.97.us.us
  store double %.98.us.us, ptr %.61.us.us, align 8
  %exitcond.not = icmp eq i64 %.42.us.us, %.6
  br i1 %exitcond.not, label %for2.head.for2.end_crit_edge.us.us, label %for2.us.us, !llvm.loop !0

for2.head.for2.end_crit_edge.us.us:               ; preds = %for2.us.us
  %.108.us.us = add nuw nsw i64 %.135.us.us, 1
  %exitcond8.not = icmp eq i64 %.108.us.us, %.6
  br i1 %exitcond8.not, label %for1.head.for1.end_crit_edge.split.us.us, label %for2.head.preheader.us.us

for1.head.for1.end_crit_edge.split.us.us:         ; preds = %for2.head.for2.end_crit_edge.us.us
  %.110.us = add nuw nsw i64 %.87.us, 1
  %exitcond9.not = icmp eq i64 %.110.us, %.6
  br i1 %exitcond9.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.split.us.us, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
