; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias captures(none) %"array 1", i64 %"size n", float %"scalar s") local_unnamed_addr #0 {
entry:
  %.101 = icmp sgt i64 %"size n", 0
  br i1 %.101, label %for0, label %for0.end

for0:                                             ; preds = %entry, %for0
  %.92 = phi i64 [ %.24, %for0 ], [ 0, %entry ]
  %.13 = getelementptr inbounds nuw float, ptr %"array 0", i64 %.92
  %.14 = load float, ptr %.13, align 4
  %.16 = getelementptr inbounds nuw float, ptr %"array 1", i64 %.92
  %.17 = load float, ptr %.16, align 4
  %.21 = tail call float @llvm.fmuladd.f32(float %"scalar s", float %.14, float %.17)
  store float %.21, ptr %.16, align 4
  %.24 = add nuw nsw i64 %.92, 1
  %exitcond.not = icmp eq i64 %.24, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
