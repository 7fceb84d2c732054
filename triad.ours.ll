; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias writeonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", ptr noalias readonly captures(none) %"array 2", i64 %"size n", double %"scalar s") local_unnamed_addr #0 {
entry:
  %.111 = icmp sgt i64 %"size n", 0
  br i1 %.111, label %for0, label %for0.end

for0:                                             ; preds = %entry, %for0
  %.102 = phi i64 [ %.21, %for0 ], [ 0, %entry ]
  %.13 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.102
  %.14 = load double, ptr %.13, align 8
  %.16 = getelementptr inbounds nuw double, ptr %"array 2", i64 %.102
  %.17 = load double, ptr %.16, align 8
  %.18 = tail call double @llvm.fmuladd.f64(double %"scalar s", double %.17, double %.14)
  %.19 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.102
  store double %.18, ptr %.19, align 8
  %.21 = add nuw nsw i64 %.102, 1
  %exitcond.not = icmp eq i64 %.21, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
