; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", ptr noalias writeonly captures(none) %"array 2", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.81 = icmp sgt i64 %"size n", 0
  br i1 %.81, label %for0, label %for0.end

for0:                                             ; preds = %entry, %for0
  %.72 = phi i64 [ %.50, %for0 ], [ 0, %entry ]
  %.10 = shl nuw nsw i64 %.72, 1
  %.11 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.10
  %.12 = load double, ptr %.11, align 8
  %.14 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.10
  %.15 = load double, ptr %.14, align 8
  %.17 = or disjoint i64 %.10, 1
  %.18 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.17
  %.19 = load double, ptr %.18, align 8
  %.22 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.17
  %.23 = load double, ptr %.22, align 8
  %0 = fneg double %.23
  %.25 = fmul double %.19, %0
  %.26 = tail call double @llvm.fmuladd.f64(double %.12, double %.15, double %.25)
  %.28 = getelementptr inbounds nuw double, ptr %"array 2", i64 %.10
  store double %.26, ptr %.28, align 8
  %.44 = fmul double %.15, %.19
  %.45 = tail call double @llvm.fmuladd.f64(double %.12, double %.23, double %.44)
  %.48 = getelementptr inbounds nuw double, ptr %"array 2", i64 %.17
  store double %.45, ptr %.48, align 8
  %.50 = add nuw nsw i64 %.72, 1
  %exitcond.not = icmp eq i64 %.50, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
