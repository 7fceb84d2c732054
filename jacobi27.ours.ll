; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias writeonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.5 = add i64 %"size n", -1
  %.88 = icmp sgt i64 %"size n", 2
  br i1 %.88, label %for1.head.preheader.lr.ph, label %for0.end

for1.head.preheader.lr.ph:                        ; preds = %entry
  %factor.op.mul4 = mul i64 %"size n", %"size n"
  br label %for1.head.preheader.us

for1.head.preheader.us:                           ; preds = %for1.head.for1.end_crit_edge.split.us.us, %for1.head.preheader.lr.ph
  %.79.us = phi i64 [ 1, %for1.head.preheader.lr.ph ], [ %.337.us, %for1.head.for1.end_crit_edge.split.us.us ]
  %factor.op.mul.reass.us = mul i64 %factor.op.mul4, %.79.us
  %.22.us = getelementptr inbounds double, ptr %"array 0", i64 %factor.op.mul.reass.us
  %.67.us = sub nsw i64 %factor.op.mul.reass.us, %factor.op.mul4
  %.68.us = getelementptr inbounds double, ptr %"array 0", i64 %.67.us
  %.78.us = getelementptr double, ptr %.22.us, i64 %factor.op.mul4
  %.328.us = getelementptr inbounds double, ptr %"array 1", i64 %factor.op.mul.reass.us
  br label %for2.head.preheader.us.us

for2.head.preheader.us.us:                        ; preds = %for2.head.for2.end_crit_edge.us.us, %for1.head.preheader.us
  %.127.us.us = phi i64 [ 1, %for1.head.preheader.us ], [ %.335.us.us, %for2.head.for2.end_crit_edge.us.us ]
  %.23.us.us = mul nuw nsw i64 %.127.us.us, %"size n"
  %.24.us.us = getelementptr inbounds nuw double, ptr %.22.us, i64 %.23.us.us
  %.49.us.us = sub nsw i64 %.23.us.us, %"size n"
  %.50.us.us = getelementptr inbounds double, ptr %.22.us, i64 %.49.us.us
  %.58.us.us = add nuw nsw i64 %.23.us.us, %"size n"
  %.59.us.us = getelementptr inbounds nuw double, ptr %.22.us, i64 %.58.us.us
  %.70.us.us = getelementptr inbounds nuw double, ptr %.68.us, i64 %.23.us.us
  %.80.us.us = getelementptr inbounds nuw double, ptr %.78.us, i64 %.23.us.us
  %.182.us.us = getelementptr inbounds double, ptr %.68.us, i64 %.49.us.us
  %.194.us.us = getelementptr inbounds nuw double, ptr %.68.us, i64 %.58.us.us
  %.206.us.us = getelementptr inbounds double, ptr %.78.us, i64 %.49.us.us
  %.217.us.us = getelementptr inbounds nuw double, ptr %.78.us, i64 %.58.us.us
  %.330.us.us = getelementptr inbounds nuw double, ptr %.328.us, i64 %.23.us.us
  %.25.us.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.24.us.us, i64 8
  %.26.us.us.pre = load double, ptr %.25.us.us.phi.trans.insert, align 8
  %.51.us.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.50.us.us, i64 8
  %.52.us.us.pre = load double, ptr %.51.us.us.phi.trans.insert, align 8
  %.60.us.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.59.us.us, i64 8
  %.61.us.us.pre = load double, ptr %.60.us.us.phi.trans.insert, align 8
  %.71.us.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.70.us.us, i64 8
  %.72.us.us.pre = load double, ptr %.71.us.us.phi.trans.insert, align 8
  %.81.us.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.80.us.us, i64 8
  %.82.us.us.pre = load double, ptr %.81.us.us.phi.trans.insert, align 8
  %.183.us.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.182.us.us, i64 8
  %.184.us.us.pre = load double, ptr %.183.us.us.phi.trans.insert, align 8
  %.195.us.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.194.us.us, i64 8
  %.196.us.us.pre = load double, ptr %.195.us.us.phi.trans.insert, align 8
  %.207.us.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.206.us.us, i64 8
  %.208.us.us.pre = load double, ptr %.207.us.us.phi.trans.insert, align 8
  %.218.us.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.217.us.us, i64 8
  %.219.us.us.pre = load double, ptr %.218.us.us.phi.trans.insert, align 8
  br label %for2.us.us

for2.us.us:                                       ; preds = %for2.us.us, %for2.head.preheader.us.us
  %.219.us.us = phi double [ %.219.us.us.pre, %for2.head.preheader.us.us ], [ %.323.us.us, %for2.us.us ]
  %.208.us.us = phi double [ %.208.us.us.pre, %for2.head.preheader.us.us ], [ %.299.us.us, %for2.us.us ]
  %.196.us.us = phi double [ %.196.us.us.pre, %for2.head.preheader.us.us ], [ %.273.us.us, %for2.us.us ]
  %.184.us.us = phi double [ %.184.us.us.pre, %for2.head.preheader.us.us ], [ %.247.us.us, %for2.us.us ]
  %.82.us.us = phi double [ %.82.us.us.pre, %for2.head.preheader.us.us ], [ %.171.us.us, %for2.us.us ]
  %.72.us.us = phi double [ %.72.us.us.pre, %for2.head.preheader.us.us ], [ %.149.us.us, %for2.us.us ]
  %.61.us.us = phi double [ %.61.us.us.pre, %for2.head.preheader.us.us ], [ %.125.us.us, %for2.us.us ]
  %.52.us.us = phi double [ %.52.us.us.pre, %for2.head.preheader.us.us ], [ %.105.us.us, %for2.us.us ]
  %.26.us.us = phi double [ %.26.us.us.pre, %for2.head.preheader.us.us ], [ %.42.us.us, %for2.us.us ]
  %.173.us.us = phi i64 [ 1, %for2.head.preheader.us.us ], [ %.40.us.us, %for2.us.us ]
  %.32.us.us = add nsw i64 %.173.us.us, -1
  %.33.us.us = getelementptr inbounds double, ptr %.24.us.us, i64 %.32.us.us
  %.34.us.us = load double, ptr %.33.us.us, align 8
  %.40.us.us = add nuw nsw i64 %.173.us.us, 1
  %.41.us.us = getelementptr inbounds nuw double, ptr %.24.us.us, i64 %.40.us.us
  %.42.us.us = load double, ptr %.41.us.us, align 8
  %.43.us.us = fadd double %.34.us.us, %.42.us.us
  %.53.us.us = fadd double %.43.us.us, %.52.us.us
  %.62.us.us = fadd double %.53.us.us, %.61.us.us
  %.73.us.us = fadd double %.62.us.us, %.72.us.us
  %.83.us.us = fadd double %.73.us.us, %.82.us.us
  %.84.us.us = fmul double %.83.us.us, 4.000000e-02
  %.85.us.us = tail call double @llvm.fmuladd.f64(double %.26.us.us, double 3.000000e-01, double %.84.us.us)
  %.94.us.us = getelementptr inbounds double, ptr %.50.us.us, i64 %.32.us.us
  %.95.us.us = load double, ptr %.94.us.us, align 8
  %.104.us.us = getelementptr inbounds nuw double, ptr %.50.us.us, i64 %.40.us.us
  %.105.us.us = load double, ptr %.104.us.us, align 8
  %.106.us.us = fadd double %.95.us.us, %.105.us.us
  %.114.us.us = getelementptr inbounds double, ptr %.59.us.us, i64 %.32.us.us
  %.115.us.us = load double, ptr %.114.us.us, align 8
  %.116.us.us = fadd double %.106.us.us, %.115.us.us
  %.124.us.us = getelementptr inbounds nuw double, ptr %.59.us.us, i64 %.40.us.us
  %.125.us.us = load double, ptr %.124.us.us, align 8
  %.126.us.us = fadd double %.116.us.us, %.125.us.us
  %.136.us.us = getelementptr inbounds double, ptr %.70.us.us, i64 %.32.us.us
  %.137.us.us = load double, ptr %.136.us.us, align 8
  %.138.us.us = fadd double %.126.us.us, %.137.us.us
  %.148.us.us = getelementptr inbounds nuw double, ptr %.70.us.us, i64 %.40.us.us
  %.149.us.us = load double, ptr %.148.us.us, align 8
  %.150.us.us = fadd double %.138.us.us, %.149.us.us
  %.159.us.us = getelementptr inbounds double, ptr %.80.us.us, i64 %.32.us.us
  %.160.us.us = load double, ptr %.159.us.us, align 8
  %.161.us.us = fadd double %.150.us.us, %.160.us.us
  %.170.us.us = getelementptr inbounds nuw double, ptr %.80.us.us, i64 %.40.us.us
  %.171.us.us = load double, ptr %.170.us.us, align 8
  %.172.us.us = fadd double %.161.us.us, %.171.us.us
  %.185.us.us = fadd double %.172.us.us, %.184.us.us
  %.197.us.us = fadd double %.185.us.us, %.196.us.us
  %.209.us.us = fadd double %.197.us.us, %.208.us.us
  %.220.us.us = fadd double %.209.us.us, %.219.us.us
  %.221.us.us = tail call double @llvm.fmuladd.f64(double %.220.us.us, double 2.000000e-02, double %.85.us.us)
  %.233.us.us = getelementptr inbounds double, ptr %.182.us.us, i64 %.32.us.us
  %.234.us.us = load double, ptr %.233.us.us, align 8
  %.246.us.us = getelementptr inbounds nuw double, ptr %.182.us.us, i64 %.40.us.us
  %.247.us.us = load double, ptr %.246.us.us, align 8
  %.248.us.us = fadd double %.234.us.us, %.247.us.us
  %.259.us.us = getelementptr inbounds double, ptr %.194.us.us, i64 %.32.us.us
  %.260.us.us = load double, ptr %.259.us.us, align 8
  %.261.us.us = fadd double %.248.us.us, %.260.us.us
  %.272.us.us = getelementptr inbounds nuw double, ptr %.194.us.us, i64 %.40.us.us
  %.273.us.us = load double, ptr %.272.us.us, align 8
  %.274.us.us = fadd double %.261.us.us, %.273.us.us
  %.285.us.us = getelementptr inbounds double, ptr %.206.us.us, i64 %.32.us.us
  %.286.us.us = load double, ptr %.285.us.us, align 8
  %.287.us.us = fadd double %.274.us.us, %.286.us.us
  %.298.us.us = getelementptr inbounds nuw double, ptr %.206.us.us, i64 %.40.us.us
  %.299.us.us = load double, ptr %.298.us.us, align 8
  %.300.us.us = fadd double %.287.us.us, %.299.us.us
  %.310.us.us = getelementptr inbounds double, ptr %.217.us.us, i64 %.32.us.us
  %.311.us.us = load double, ptr %.310.us.us, align 8
  %.312.us.us = fadd double %.300.us.us, %.311.us.us
  %.322.us.us = getelementptr inbounds nuw double, ptr %.217.us.us, i64 %.40.us.us
  %.323.us.us = load double, ptr %.322.us.us, align 8
  %.324.us.us = fadd double %.312.us.us, %.323.us.us
  %.325.us.us = tail call double @llvm.fmuladd.f64(double %.324.us.us, double 1.000000e-02, double %.221.us.us)
  %.331.us.us = getelementptr inbounds nuw double, ptr %.330.us.us, i64 %.173.us.us
  store double %.325.us.us, ptr %.331.us.us, align 8
  %exitcond.not = icmp eq i64 %.40.us.us, %.5
  br i1 %exitcond.not, label %for2.head.for2.end_crit_edge.us.us, label %for2.us.us, !llvm.loop !0

for2.head.for2.end_crit_edge.us.us:               ; preds = %for2.us.us
  %.335.us.us = add nuw nsw i64 %.127.us.us, 1
  %exitcond10.not = icmp eq i64 %.335.us.us, %.5
  br i1 %exitcond10.not, label %for1.head.for1.end_crit_edge.split.us.us, label %for2.head.preheader.us.us

for1.head.for1.end_crit_edge.split.us.us:         ; preds = %for2.head.for2.end_crit_edge.us.us
  %.337.us = add nuw nsw i64 %.79.us, 1
  %exitcond11.not = icmp eq i64 %.337.us, %.5
  br i1 %exitcond11.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.split.us.us, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
