; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias writeonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.71 = icmp sgt i64 %"size n", 0
  br i1 %.71, label %for0, label %for0.end

for0:                                             ; preds = %entry, %for0
  %.62 = phi i64 [ %.35, %for0 ], [ 0, %entry ]
  %.9 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.62
  %.10 = load double, ptr %.9, align 8
  %.11 = tail call double @llvm.fmuladd.f64(double %.10, double 1.000000e-01, double 2.000000e-01)
  %.14 = tail call double @llvm.fmuladd.f64(double %.11, double %.10, double 3.000000e-01)
  %.17 = tail call double @llvm.fmuladd.f64(double %.14, double %.10, double 4.000000e-01)
  %.20 = tail call double @llvm.fmuladd.f64(double %.17, double %.10, double 5.000000e-01)
  %.23 = tail call double @llvm.fmuladd.f64(double %.20, double %.10, double 6.000000e-01)
  %.26 = tail call double @llvm.fmuladd.f64(double %.23, double %.10, double 0x3FE6666666666666)
  %.29 = tail call double @llvm.fmuladd.f64(double %.26, double %.10, double 8.000000e-01)
  %.32 = tail call double @llvm.fmuladd.f64(double %.29, double %.10, double 9.000000e-01)
  %.33 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.62
  store double %.32, ptr %.33, align 8
  %.35 = add nuw nsw i64 %.62, 1
  %exitcond.not = icmp eq i64 %.35, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
