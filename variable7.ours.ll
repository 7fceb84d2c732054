; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", ptr noalias writeonly captures(none) %"array 2", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.6 = add i64 %"size n", -1
  %.96 = icmp sgt i64 %"size n", 2
  br i1 %.96, label %for1.head.preheader.lr.ph, label %for0.end

for1.head.preheader.lr.ph:                        ; preds = %entry
  %factor.op.mul3 = mul i64 %"size n", %"size n"
  br label %for1.head.preheader.us

for1.head.preheader.us:                           ; preds = %for1.head.for1.end_crit_edge.split.us.us, %for1.head.preheader.lr.ph
  %.87.us = phi i64 [ 1, %for1.head.preheader.lr.ph ], [ %.113.us, %for1.head.for1.end_crit_edge.split.us.us ]
  %factor.op.mul.reass.us = mul i64 %factor.op.mul3, %.87.us
  %.23.us = getelementptr inbounds double, ptr %"array 1", i64 %factor.op.mul.reass.us
  %.30.us = getelementptr inbounds double, ptr %"array 0", i64 %factor.op.mul.reass.us
  %.75.us = sub nsw i64 %factor.op.mul.reass.us, %factor.op.mul3
  %.76.us = getelementptr inbounds double, ptr %"array 1", i64 %.75.us
  %.86.us = getelementptr double, ptr %.23.us, i64 %factor.op.mul3
  %.104.us = getelementptr inbounds double, ptr %"array 2", i64 %factor.op.mul.reass.us
  br label %for2.head.preheader.us.us

for2.head.preheader.us.us:                        ; preds = %for2.head.for2.end_crit_edge.us.us, %for1.head.preheader.us
  %.135.us.us = phi i64 [ 1, %for1.head.preheader.us ], [ %.111.us.us, %for2.head.for2.end_crit_edge.us.us ]
  %.24.us.us = mul nuw nsw i64 %.135.us.us, %"size n"
  %.25.us.us = getelementptr inbounds nuw double, ptr %.23.us, i64 %.24.us.us
  %.32.us.us = getelementptr inbounds nuw double, ptr %.30.us, i64 %.24.us.us
  %.57.us.us = sub nsw i64 %.24.us.us, %"size n"
  %.58.us.us = getelementptr inbounds double, ptr %.23.us, i64 %.57.us.us
  %.67.us.us = getelementptr double, ptr %.25.us.us, i64 %"size n"
  %.78.us.us = getelementptr inbounds nuw double, ptr %.76.us, i64 %.24.us.us
  %.88.us.us = getelementptr inbounds nuw double, ptr %.86.us, i64 %.24.us.us
  %.106.us.us = getelementptr inbounds nuw double, ptr %.104.us, i64 %.24.us.us
  %.26.us.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.25.us.us, i64 8
  %.27.us.us.pre = load double, ptr %.26.us.us.phi.trans.insert, align 8
  br label %for2.us.us

for2.us.us:                                       ; preds = %for2.us.us, %for2.head.preheader.us.us
  %.27.us.us = phi double [ %.27.us.us.pre, %for2.head.preheader.us.us ], [ %.50.us.us, %for2.us.us ]
  %.182.us.us = phi i64 [ 1, %for2.head.preheader.us.us ], [ %.48.us.us, %for2.us.us ]
  %.26.us.us = getelementptr inbounds nuw double, ptr %.25.us.us, i64 %.182.us.us
  %.33.us.us = getelementptr inbounds nuw double, ptr %.32.us.us, i64 %.182.us.us
  %.34.us.us = load double, ptr %.33.us.us, align 8
  %.41.us.us = getelementptr i8, ptr %.26.us.us, i64 -8
  %.42.us.us = load double, ptr %.41.us.us, align 8
  %.48.us.us = add nuw nsw i64 %.182.us.us, 1
  %.49.us.us = getelementptr inbounds nuw double, ptr %.25.us.us, i64 %.48.us.us
  %.50.us.us = load double, ptr %.49.us.us, align 8
  %.51.us.us = fadd double %.42.us.us, %.50.us.us
  %.59.us.us = getelementptr inbounds nuw double, ptr %.58.us.us, i64 %.182.us.us
  %.60.us.us = load double, ptr %.59.us.us, align 8
  %.61.us.us = fadd double %.51.us.us, %.60.us.us
  %.68.us.us = getelementptr inbounds nuw double, ptr %.67.us.us, i64 %.182.us.us
  %.69.us.us = load double, ptr %.68.us.us, align 8
  %.70.us.us = fadd double %.61.us.us, %.69.us.us
  %.79.us.us = getelementptr inbounds nuw double, ptr %.78.us.us, i64 %.182.us.us
  %.80.us.us = load double, ptr %.79.us.us, align 8
  %.81.us.us = fadd double %.70.us.us, %.80.us.us
  %.89.us.us = getelementptr inbounds nuw double, ptr %.88.us.us, i64 %.182.us.us
  %.90.us.us = load double, ptr %.89.us.us, align 8
  %.91.us.us = fadd double %.81.us.us, %.90.us.us
  %.100.us.us = tail call double @llvm.fmuladd.f64(double %.27.us.us, double -6.000000e+00, double %.91.us.us)
  %.101.us.us = tail call double @llvm.fmuladd.f64(double %.34.us.us, double %.100.us.us, double %.27.us.us)
  %.107.us.us = getelementptr inbounds nuw double, ptr %.106.us.us, i64 %.182.us.us
  store double %.101.us.us, ptr %.107.us.us, align 8
  %exitcond.not = icmp eq i64 %.48.us.us, %.6
  br i1 %exitcond.not, label %for2.head.for2.end_crit_edge.us.us, label %for2.us.us, !llvm.loop !0

for2.head.for2.end_crit_edge.us.us:               ; preds = %for2.us.us
  %.111.us.us = add nuw nsw i64 %.135.us.us, 1
  %exitcond8.not = icmp eq i64 %.111.us.us, %.6
  br i1 %exitcond8.not, label %for1.head.for1.end_crit_edge.split.us.us, label %for2.head.preheader.us.us

for1.head.for1.end_crit_edge.split.us.us:         ; preds = %for2.head.for2.end_crit_edge.us.us
  %.113.us = add nuw nsw i64 %.87.us, 1
  %exitcond9.not = icmp eq i64 %.113.us, %.6
  br i1 %exitcond9.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.split.us.us, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
