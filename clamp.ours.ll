; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias writeonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", i64 %"size n", double %"scalar lo") local_unnamed_addr #0 {
entry:
  %.101 = icmp sgt i64 %"size n", 0
  br i1 %.101, label %for0, label %for0.end

for0:                                             ; preds = %entry, %for0
  %.92 = phi i64 [ %.25, %for0 ], [ 0, %entry ]
  %.12 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.92
  %.13 = load double, ptr %.12, align 8
  %.15 = fcmp ogt double %.13, %"scalar lo"
  %".13.scalar lo" = select i1 %.15, double %.13, double %"scalar lo"
  %.23 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.92
  store double %".13.scalar lo", ptr %.23, align 8
  %.25 = add nuw nsw i64 %.92, 1
  %exitcond.not = icmp eq i64 %.25, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

!0 = distinct !{!0}
