; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias writeonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.5 = add i64 %"size n", -2
  %.810 = icmp sgt i64 %"size n", 4
  br i1 %.810, label %for1.head.preheader.lr.ph, label %for0.end

for1.head.preheader.lr.ph:                        ; preds = %entry
  %factor.op.mul5 = mul i64 %"size n", %"size n"
  %.139.idx = shl i64 %factor.op.mul5, 4
  br label %for1.head.preheader.us

for1.head.preheader.us:                           ; preds = %for1.head.for1.end_crit_edge.split.us.us, %for1.head.preheader.lr.ph
  %.711.us = phi i64 [ 2, %for1.head.preheader.lr.ph ], [ %.157.us, %for1.head.for1.end_crit_edge.split.us.us ]
  %factor.op.mul.reass.us = mul i64 %factor.op.mul5, %.711.us
  %.22.us = getelementptr inbounds double, ptr %"array 0", i64 %factor.op.mul.reass.us
  %.67.us = sub nsw i64 %factor.op.mul.reass.us, %factor.op.mul5
  %.68.us = getelementptr inbounds double, ptr %"array 0", i64 %.67.us
  %.78.us = getelementptr double, ptr %.22.us, i64 %factor.op.mul5
  %0 = add nsw i64 %.711.us, -2
  %.127.us = mul i64 %factor.op.mul5, %0
  %.128.us = getelementptr inbounds double, ptr %"array 0", i64 %.127.us
  %.139.us = getelementptr i8, ptr %.22.us, i64 %.139.idx
  %.148.us = getelementptr inbounds double, ptr %"array 1", i64 %factor.op.mul.reass.us
  br label %for2.head.preheader.us.us

for2.head.preheader.us.us:                        ; preds = %for2.head.for2.end_crit_edge.us.us, %for1.head.preheader.us
  %.129.us.us = phi i64 [ 2, %for1.head.preheader.us ], [ %.155.us.us, %for2.head.for2.end_crit_edge.us.us ]
  %.23.us.us = mul nuw nsw i64 %.129.us.us, %"size n"
  %.24.us.us = getelementptr inbounds nuw double, ptr %.22.us, i64 %.23.us.us
  %.49.us.us = sub nsw i64 %.23.us.us, %"size n"
  %.50.us.us = getelementptr inbounds double, ptr %.22.us, i64 %.49.us.us
  %.59.us.us = getelementptr double, ptr %.24.us.us, i64 %"size n"
  %.70.us.us = getelementptr inbounds nuw double, ptr %.68.us, i64 %.23.us.us
  %.80.us.us = getelementptr inbounds nuw double, ptr %.78.us, i64 %.23.us.us
  %.231.us.us = add nsw i64 %.129.us.us, -2
  %.108.us.us = mul i64 %.231.us.us, %"size n"
  %.109.us.us = getelementptr inbounds double, ptr %.22.us, i64 %.108.us.us
  %.232.us.us = add nuw i64 %.129.us.us, 2
  %.118.us.us = mul i64 %.232.us.us, %"size n"
  %.119.us.us = getelementptr inbounds double, ptr %.22.us, i64 %.118.us.us
  %.130.us.us = getelementptr inbounds nuw double, ptr %.128.us, i64 %.23.us.us
  %.141.us.us = getelementptr inbounds nuw double, ptr %.139.us, i64 %.23.us.us
  %.150.us.us = getelementptr inbounds nuw double, ptr %.148.us, i64 %.23.us.us
  %.25.us.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.24.us.us, i64 16
  %.26.us.us.pre = load double, ptr %.25.us.us.phi.trans.insert, align 8
  br label %for2.us.us

for2.us.us:                                       ; preds = %for2.us.us, %for2.head.preheader.us.us
  %.26.us.us = phi double [ %.26.us.us.pre, %for2.head.preheader.us.us ], [ %.42.us.us, %for2.us.us ]
  %.174.us.us = phi i64 [ 2, %for2.head.preheader.us.us ], [ %.40.us.us, %for2.us.us ]
  %.25.us.us = getelementptr inbounds nuw double, ptr %.24.us.us, i64 %.174.us.us
  %.33.us.us = getelementptr i8, ptr %.25.us.us, i64 -8
  %.34.us.us = load double, ptr %.33.us.us, align 8
  %.40.us.us = add nuw nsw i64 %.174.us.us, 1
  %.41.us.us = getelementptr inbounds nuw double, ptr %.24.us.us, i64 %.40.us.us
  %.42.us.us = load double, ptr %.41.us.us, align 8
  %.43.us.us = fadd double %.34.us.us, %.42.us.us
  %.51.us.us = getelementptr inbounds nuw double, ptr %.50.us.us, i64 %.174.us.us
  %.52.us.us = load double, ptr %.51.us.us, align 8
  %.53.us.us = fadd double %.43.us.us, %.52.us.us
  %.60.us.us = getelementptr inbounds nuw double, ptr %.59.us.us, i64 %.174.us.us
  %.61.us.us = load double, ptr %.60.us.us, align 8
  %.62.us.us = fadd double %.53.us.us, %.61.us.us
  %.71.us.us = getelementptr inbounds nuw double, ptr %.70.us.us, i64 %.174.us.us
  %.72.us.us = load double, ptr %.71.us.us, align 8
  %.73.us.us = fadd double %.62.us.us, %.72.us.us
  %.81.us.us = getelementptr inbounds nuw double, ptr %.80.us.us, i64 %.174.us.us
  %.82.us.us = load double, ptr %.81.us.us, align 8
  %.83.us.us = fadd double %.73.us.us, %.82.us.us
  %.84.us.us = fmul double %.83.us.us, 8.000000e-02
  %.85.us.us = tail call double @llvm.fmuladd.f64(double %.26.us.us, double 4.000000e-01, double %.84.us.us)
  %.92.us.us = getelementptr i8, ptr %.25.us.us, i64 -16
  %.93.us.us = load double, ptr %.92.us.us, align 8
  %.100.us.us = getelementptr inbounds nuw i8, ptr %.25.us.us, i64 16
  %.101.us.us = load double, ptr %.100.us.us, align 8
  %.102.us.us = fadd double %.93.us.us, %.101.us.us
  %.110.us.us = getelementptr inbounds nuw double, ptr %.109.us.us, i64 %.174.us.us
  %.111.us.us = load double, ptr %.110.us.us, align 8
  %.112.us.us = fadd double %.102.us.us, %.111.us.us
  %.120.us.us = getelementptr inbounds nuw double, ptr %.119.us.us, i64 %.174.us.us
  %.121.us.us = load double, ptr %.120.us.us, align 8
  %.122.us.us = fadd double %.112.us.us, %.121.us.us
  %.131.us.us = getelementptr inbounds nuw double, ptr %.130.us.us, i64 %.174.us.us
  %.132.us.us = load double, ptr %.131.us.us, align 8
  %.133.us.us = fadd double %.122.us.us, %.132.us.us
  %.142.us.us = getelementptr inbounds nuw double, ptr %.141.us.us, i64 %.174.us.us
  %.143.us.us = load double, ptr %.142.us.us, align 8
  %.144.us.us = fadd double %.133.us.us, %.143.us.us
  %.145.us.us = tail call double @llvm.fmuladd.f64(double %.144.us.us, double 2.000000e-02, double %.85.us.us)
  %.151.us.us = getelementptr inbounds nuw double, ptr %.150.us.us, i64 %.174.us.us
  store double %.145.us.us, ptr %.151.us.us, align 8
  %exitcond.not = icmp eq i64 %.40.us.us, %.5
  br i1 %exitcond.not, label %for2.head.for2.end_crit_edge.us.us, label %for2.us.us, !llvm.loop !0

for2.head.for2.end_crit_edge.us.us:               ; preds = %for2.us.us
  %.155.us.us = add nuw nsw i64 %.129.us.us, 1
  %exitcond12.not = icmp eq i64 %.155.us.us, %.5
  br i1 %exitcond12.not, label %for1.head.for1.end_crit_edge.split.us.us, label %for2.head.preheader.us.us

for1.head.for1.end_crit_edge.split.us.us:         ; preds = %for2.head.for2.end_crit_edge.us.us
  %.157.us = add nuw nsw i64 %.711.us, 1
  %exitcond13.not = icmp eq i64 %.157.us, %.5
  br i1 %exitcond13.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.split.us.us, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
