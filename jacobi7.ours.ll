; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias writeonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.5 = add i64 %"size n", -1
  %.86 = icmp sgt i64 %"size n", 2
  br i1 %.86, label %for1.head.preheader.lr.ph, label %for0.end

for1.head.preheader.lr.ph:                        ; preds = %entry
  %factor.op.mul3 = mul i64 %"size n", %"size n"
  br label %for1.head.preheader.us

for1.head.preheader.us:                           ; preds = %for1.head.for1.end_crit_edge.split.us.us, %for1.head.preheader.lr.ph
  %.77.us = phi i64 [ 1, %for1.head.preheader.lr.ph ], [ %.97.us, %for1.head.for1.end_crit_edge.split.us.us ]
  %factor.op.mul.reass.us = mul i64 %factor.op.mul3, %.77.us
  %.22.us = getelementptr inbounds double, ptr %"array 0", i64 %factor.op.mul.reass.us
  %.67.us = sub nsw i64 %factor.op.mul.reass.us, %factor.op.mul3
  %.68.us = getelementptr inbounds double, ptr %"array 0", i64 %.67.us
  %.78.us = getelementptr double, ptr %.22.us, i64 %factor.op.mul3
  %.88.us = getelementptr inbounds double, ptr %"array 1", i64 %factor.op.mul.reass.us
  br label %for2.head.preheader.us.us

for2.head.preheader.us.us:                        ; preds = %for2.head.for2.end_crit_edge.us.us, %for1.head.preheader.us
  %.125.us.us = phi i64 [ 1, %for1.head.preheader.us ], [ %.95.us.us, %for2.head.for2.end_crit_edge.us.us ]
  %.23.us.us = mul nuw nsw i64 %.125.us.us, %"size n"
  %.24.us.us = getelementptr inbounds nuw double, ptr %.22.us, i64 %.23.us.us
  %.49.us.us = sub nsw i64 %.23.us.us, %"size n"
  %.50.us.us = getelementptr inbounds double, ptr %.22.us, i64 %.49.us.us
  %.59.us.us = getelementptr double, ptr %.24.us.us, i64 %"size n"
  %.70.us.us = getelementptr inbounds nuw double, ptr %.68.us, i64 %.23.us.us
  %.80.us.us = getelementptr inbounds nuw double, ptr %.78.us, i64 %.23.us.us
  %.90.us.us = getelementptr inbounds nuw double, ptr %.88.us, i64 %.23.us.us
  %.25.us.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.24.us.us, i64 8
  %.26.us.us.pre = load double, ptr %.25.us.us.phi.trans.insert, align 8
  br label %for2.us.us

for2.us.us:                                       ; preds = %for2.us.us, %for2.head.preheader.us.us
  %.26.us.us = phi double [ %.26.us.us.pre, %for2.head.preheader.us.us ], [ %.42.us.us, %for2.us.us ]
  %.172.us.us = phi i64 [ 1, %for2.head.preheader.us.us ], [ %.40.us.us, %for2.us.us ]
  %.25.us.us = getelementptr inbounds nuw double, ptr %.24.us.us, i64 %.172.us.us
  %.33.us.us = getelementptr i8, ptr %.25.us.us, i64 -8
  %.34.us.us = load double, ptr %.33.us.us, align 8
  %.40.us.us = add nuw nsw i64 %.172.us.us, 1
  %.41.us.us = getelementptr inbounds nuw double, ptr %.24.us.us, i64 %.40.us.us
  %.42.us.us = load double, ptr %.41.us.us, align 8
  %.43.us.us = fadd double %.34.us.us, %.42.us.us
  %.51.us.us = getelementptr inbounds nuw double, ptr %.50.us.us, i64 %.172.us.us
  %.52.us.us = load double, ptr %.51.us.us, align 8
  %.53.us.us = fadd double %.43.us.us, %.52.us.us
  %.60.us.us = getelementptr inbounds nuw double, ptr %.59.us.us, i64 %.172.us.us
  %.61.us.us = load double, ptr %.60.us.us, align 8
  %.62.us.us = fadd double %.53.us.us, %.61.us.us
  %.71.us.us = getelementptr inbounds nuw double, ptr %.70.us.us, i64 %.172.us.us
  %.72.us.us = load double, ptr %.71.us.us, align 8
  %.73.us.us = fadd double %.62.us.us, %.72.us.us
  %.81.us.us = getelementptr inbounds nuw double, ptr %.80.us.us, i64 %.172.us.us
  %.82.us.us = load double, ptr %.81.us.us, align 8
  %.83.us.us = fadd double %.73.us.us, %.82.us.us
  %.84.us.us = fmul double %.83.us.us, 1.000000e-01
  %.85.us.us = tail call double @llvm.fmuladd.f64(double %.26.us.us, double 4.000000e-01, double %.84.us.us)
  %.91.us.us = getelementptr inbounds nuw double, ptr %.90.us.us, i64 %.172.us.us
  store double %.85.us.us, ptr %.91.us.us, align 8
  %exitcond.not = icmp eq i64 %.40.us.us, %.5
  br i1 %exitcond.not, label %for2.head.for2.end_crit_edge.us.us, label %for2.us.us, !llvm.loop !0

for2.head.for2.end_crit_edge.us.us:               ; preds = %for2.us.us
  %.95.us.us = add nuw nsw i64 %.125.us.us, 1
  %exitcond8.not = icmp eq i64 %.95.us.us, %.5
  br i1 %exitcond8.not, label %for1.head.for1.end_crit_edge.split.us.us, label %for2.head.preheader.us.us

for1.head.for1.end_crit_edge.split.us.us:         ; preds = %for2.head.for2.end_crit_edge.us.us
  %.97.us = add nuw nsw i64 %.77.us, 1
  %exitcond9.not = icmp eq i64 %.97.us, %.5
  br i1 %exitcond9.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.split.us.us, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
