; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", i64 %"size n", double %"scalar sum", ptr noalias writeonly captures(none) %"result sum") local_unnamed_addr #0 {
entry:
  %.111 = icmp sgt i64 %"size n", 0
  br i1 %.111, label %for0, label %for0.end

for0:                                             ; preds = %entry, %for0
  %.103 = phi i64 [ %.20, %for0 ], [ 0, %entry ]
  %.7.02 = phi double [ %.18, %for0 ], [ %"scalar sum", %entry ]
  %.14 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.103
  %.15 = load double, ptr %.14, align 8
  %.16 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.103
  %.17 = load double, ptr %.16, align 8
  %.18 = tail call double @llvm.fmuladd.f64(double %.15, double %.17, double %.7.02)
  %.20 = add nuw nsw i64 %.103, 1
  %exitcond.not = icmp eq i64 %.20, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  %.7.0.lcssa = phi double [ %"scalar sum", %entry ], [ %.18, %for0 ]
  store double %.7.0.lcssa, ptr %"result sum", align 8
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
