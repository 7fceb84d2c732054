; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", ptr noalias captures(none) %"array 2", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.84 = icmp sgt i64 %"size n", 0
  br i1 %.84, label %for1.head.preheader.us, label %for0.end

for1.head.preheader.us:                           ; preds = %entry, %for1.head.for1.end_crit_edge.us
  %.75.us = phi i64 [ %.34.us, %for1.head.for1.end_crit_edge.us ], [ 0, %entry ]
  %.14.us = mul nuw nsw i64 %.75.us, %"size n"
  %.15.us = getelementptr inbounds nuw double, ptr %"array 0", i64 %.14.us
  %.21.us = getelementptr inbounds nuw double, ptr %"array 2", i64 %.75.us
  %.21.promoted.us = load double, ptr %.21.us, align 8
  br label %for1.us

for1.us:                                          ; preds = %for1.head.preheader.us, %for1.us
  %.293.us = phi double [ %.21.promoted.us, %for1.head.preheader.us ], [ %.29.us, %for1.us ]
  %.112.us = phi i64 [ 0, %for1.head.preheader.us ], [ %.32.us, %for1.us ]
  %.16.us = getelementptr inbounds nuw double, ptr %.15.us, i64 %.112.us
  %.17.us = load double, ptr %.16.us, align 8
  %.18.us = getelementptr inbounds nuw double, ptr %"array 1", i64 %.112.us
  %.19.us = load double, ptr %.18.us, align 8
  %.29.us = tail call double @llvm.fmuladd.f64(double %.17.us, double %.19.us, double %.293.us)
  %.32.us = add nuw nsw i64 %.112.us, 1
  %exitcond.not = icmp eq i64 %.32.us, %"size n"
  br i1 %exitcond.not, label %for1.head.for1.end_crit_edge.us, label %for1.us, !llvm.loop !0

for1.head.for1.end_crit_edge.us:                  ; preds = %for1.us
  store double %.29.us, ptr %.21.us, align 8
  %.34.us = add nuw nsw i64 %.75.us, 1
  %exitcond6.not = icmp eq i64 %.34.us, %"size n"
  br i1 %exitcond6.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.us, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
