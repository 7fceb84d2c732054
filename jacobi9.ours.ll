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
  %.75.us = phi i64 [ %.81.us, %for1.head.for1.end_crit_edge.us ], [ 1, %entry ]
  %.15.us = mul nuw nsw i64 %.75.us, %"size n"
  %.16.us = getelementptr inbounds nuw double, ptr %"array 0", i64 %.15.us
  %.32.us = sub nsw i64 %.15.us, %"size n"
  %.33.us = getelementptr inbounds double, ptr %"array 0", i64 %.32.us
  %.39.us = getelementptr double, ptr %.16.us, i64 %"size n"
  %.76.us = getelementptr inbounds nuw double, ptr %"array 1", i64 %.15.us
  %.17.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.16.us, i64 8
  %.18.us.pre = load double, ptr %.17.us.phi.trans.insert, align 8
  %.34.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.33.us, i64 8
  %.35.us.pre = load double, ptr %.34.us.phi.trans.insert, align 8
  %.40.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.39.us, i64 8
  %.41.us.pre = load double, ptr %.40.us.phi.trans.insert, align 8
  br label %for1.us

for1.us:                                          ; preds = %for1.head.preheader.us, %for1.us
  %.41.us = phi double [ %.41.us.pre, %for1.head.preheader.us ], [ %.72.us, %for1.us ]
  %.35.us = phi double [ %.35.us.pre, %for1.head.preheader.us ], [ %.58.us, %for1.us ]
  %.18.us = phi double [ %.18.us.pre, %for1.head.preheader.us ], [ %.28.us, %for1.us ]
  %.122.us = phi i64 [ 1, %for1.head.preheader.us ], [ %.26.us, %for1.us ]
  %.21.us = add nsw i64 %.122.us, -1
  %.22.us = getelementptr inbounds double, ptr %.16.us, i64 %.21.us
  %.23.us = load double, ptr %.22.us, align 8
  %.26.us = add nuw nsw i64 %.122.us, 1
  %.27.us = getelementptr inbounds nuw double, ptr %.16.us, i64 %.26.us
  %.28.us = load double, ptr %.27.us, align 8
  %.29.us = fadd double %.23.us, %.28.us
  %.36.us = fadd double %.29.us, %.35.us
  %.42.us = fadd double %.36.us, %.41.us
  %.43.us = fmul double %.42.us, 1.500000e-01
  %.44.us = tail call double @llvm.fmuladd.f64(double %.18.us, double 2.000000e-01, double %.43.us)
  %.50.us = getelementptr inbounds double, ptr %.33.us, i64 %.21.us
  %.51.us = load double, ptr %.50.us, align 8
  %.57.us = getelementptr inbounds nuw double, ptr %.33.us, i64 %.26.us
  %.58.us = load double, ptr %.57.us, align 8
  %.59.us = fadd double %.51.us, %.58.us
  %.64.us = getelementptr inbounds double, ptr %.39.us, i64 %.21.us
  %.65.us = load double, ptr %.64.us, align 8
  %.66.us = fadd double %.59.us, %.65.us
  %.71.us = getelementptr inbounds nuw double, ptr %.39.us, i64 %.26.us
  %.72.us = load double, ptr %.71.us, align 8
  %.73.us = fadd double %.66.us, %.72.us
  %.74.us = tail call double @llvm.fmuladd.f64(double %.73.us, double 5.000000e-02, double %.44.us)
  %.77.us = getelementptr inbounds nuw double, ptr %.76.us, i64 %.122.us
  store double %.74.us, ptr %.77.us, align 8
  %exitcond.not = icmp eq i64 %.26.us, %.5
  br i1 %exitcond.not, label %for1.head.for1.end_crit_edge.us, label %for1.us, !llvm.loop !0

for1.head.for1.end_crit_edge.us:                  ; preds = %for1.us
  %.81.us = add nuw nsw i64 %.75.us, 1
  %exitcond6.not = icmp eq i64 %.81.us, %.5
  br i1 %exitcond6.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.us, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
