; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias captures(none) %"array 0", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.4 = add i64 %"size n", -1
  %.73 = icmp sgt i64 %"size n", 2
  br i1 %.73, label %for1.head.preheader.us.preheader, label %for0.end

for1.head.preheader.us.preheader:                 ; preds = %entry
  %0 = shl i64 %"size n", 3
  %1 = shl i64 %"size n", 3
  %2 = getelementptr i8, ptr %"array 0", i64 %0
  br label %for1.head.preheader.us

for1.head.preheader.us:                           ; preds = %for1.head.preheader.us.preheader, %for1.head.for1.end_crit_edge.us
  %indvar = phi i64 [ 0, %for1.head.preheader.us.preheader ], [ %indvar.next, %for1.head.for1.end_crit_edge.us ]
  %.64.us = phi i64 [ 1, %for1.head.preheader.us.preheader ], [ %.45.us, %for1.head.for1.end_crit_edge.us ]
  %3 = mul i64 %1, %indvar
  %scevgep = getelementptr i8, ptr %2, i64 %3
  %.14.us = mul nuw nsw i64 %.64.us, %"size n"
  %.15.us = getelementptr inbounds nuw double, ptr %"array 0", i64 %.14.us
  %.27.us = sub nsw i64 %.14.us, %"size n"
  %.28.us = getelementptr inbounds double, ptr %"array 0", i64 %.27.us
  %.34.us = getelementptr double, ptr %.15.us, i64 %"size n"
  %load_initial = load double, ptr %scevgep, align 8
  br label %for1.us

for1.us:                                          ; preds = %for1.head.preheader.us, %for1.us
  %store_forwarded = phi double [ %load_initial, %for1.head.preheader.us ], [ %.38.us, %for1.us ]
  %.112.us = phi i64 [ 1, %for1.head.preheader.us ], [ %.21.us, %for1.us ]
  %4 = getelementptr double, ptr %.15.us, i64 %.112.us
  %.21.us = add nuw nsw i64 %.112.us, 1
  %.22.us = getelementptr inbounds nuw double, ptr %.15.us, i64 %.21.us
  %.23.us = load double, ptr %.22.us, align 8
  %.24.us = fadd double %store_forwarded, %.23.us
  %.29.us = getelementptr inbounds nuw double, ptr %.28.us, i64 %.112.us
  %.30.us = load double, ptr %.29.us, align 8
  %.31.us = fadd double %.24.us, %.30.us
  %.35.us = getelementptr inbounds nuw double, ptr %.34.us, i64 %.112.us
  %.36.us = load double, ptr %.35.us, align 8
  %.37.us = fadd double %.31.us, %.36.us
  %.38.us = fmul double %.37.us, 2.500000e-01
  store double %.38.us, ptr %4, align 8
  %exitcond.not = icmp eq i64 %.21.us, %.4
  br i1 %exitcond.not, label %for1.head.for1.end_crit_edge.us, label %for1.us, !llvm.loop !0

for1.head.for1.end_crit_edge.us:                  ; preds = %for1.us
  %.45.us = add nuw nsw i64 %.64.us, 1
  %exitcond5.not = icmp eq i64 %.45.us, %.4
  %indvar.next = add i64 %indvar, 1
  br i1 %exitcond5.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.us, %entry
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

!0 = distinct !{!0}
