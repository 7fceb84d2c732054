; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias writeonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.73 = icmp sgt i64 %"size n", 0
  br i1 %.73, label %for1.head.preheader.us, label %for0.end

for1.head.preheader.us:                           ; preds = %entry, %for1.head.for1.end_crit_edge.us
  %.64.us = phi i64 [ %.23.us, %for1.head.for1.end_crit_edge.us ], [ 0, %entry ]
  %invariant.gep.us = getelementptr double, ptr %"array 1", i64 %.64.us
  %.13.us = mul nuw nsw i64 %.64.us, %"size n"
  %.14.us = getelementptr inbounds nuw double, ptr %"array 0", i64 %.13.us
  br label %for1.us

for1.us:                                          ; preds = %for1.head.preheader.us, %for1.us
  %.102.us = phi i64 [ 0, %for1.head.preheader.us ], [ %.21.us, %for1.us ]
  %.15.us = getelementptr inbounds nuw double, ptr %.14.us, i64 %.102.us
  %.16.us = load double, ptr %.15.us, align 8
  %.17.us = mul nuw nsw i64 %.102.us, %"size n"
  %gep.us = getelementptr double, ptr %invariant.gep.us, i64 %.17.us
  store double %.16.us, ptr %gep.us, align 8
  %.21.us = add nuw nsw i64 %.102.us, 1
  %exitcond.not = icmp eq i64 %.21.us, %"size n"
  br i1 %exitcond.not, label %for1.head.for1.end_crit_edge.us, label %for1.us, !llvm.loop !0

for1.head.for1.end_crit_edge.us:                  ; preds = %for1.us
  %.23.us = add nuw nsw i64 %.64.us, 1
  %exitcond5.not = icmp eq i64 %.23.us, %"size n"
  br i1 %exitcond5.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.us, %entry
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

!0 = distinct !{!0}
