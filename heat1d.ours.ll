; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias writeonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.81 = icmp sgt i64 %"size n", 2
  br i1 %.81, label %for0.preheader, label %for0.end

for0.preheader:                                   ; preds = %entry
  %.phi.trans.insert = getelementptr i8, ptr %"array 0", i64 8
  %.14.pre = load double, ptr %.phi.trans.insert, align 8
  %0 = add nsw i64 %"size n", -2
  br label %for0

for0:                                             ; preds = %for0.preheader, %for0
  %.14 = phi double [ %.19, %for0 ], [ %.14.pre, %for0.preheader ]
  %.72 = phi i64 [ %.17, %for0 ], [ 1, %for0.preheader ]
  %1 = getelementptr double, ptr %"array 0", i64 %.72
  %.11 = getelementptr i8, ptr %1, i64 -8
  %.12 = load double, ptr %.11, align 8
  %.15 = fmul double %.14, 5.000000e-01
  %.16 = tail call double @llvm.fmuladd.f64(double %.12, double 2.500000e-01, double %.15)
  %.17 = add nuw nsw i64 %.72, 1
  %.18 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.17
  %.19 = load double, ptr %.18, align 8
  %.20 = tail call double @llvm.fmuladd.f64(double %.19, double 2.500000e-01, double %.16)
  %.21 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.72
  store double %.20, ptr %.21, align 8
  %exitcond.not = icmp eq i64 %.72, %0
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
