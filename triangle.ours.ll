; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias captures(none) %"array 0", i64 %"size n", double %"scalar s") local_unnamed_addr #0 {
entry:
  %.92 = icmp sgt i64 %"size n", 0
  br i1 %.92, label %for0, label %for0.end

for0.head.loopexit:                               ; preds = %for1
  %.11 = add nuw nsw i64 %.83, 1
  %indvars.iv.next = add nuw i64 %indvars.iv, 1
  %exitcond4.not = icmp eq i64 %.11, %"size n"
  br i1 %exitcond4.not, label %for0.end, label %for0

for0:                                             ; preds = %entry, %for0.head.loopexit
  %indvars.iv = phi i64 [ %indvars.iv.next, %for0.head.loopexit ], [ 1, %entry ]
  %.83 = phi i64 [ %.11, %for0.head.loopexit ], [ 0, %entry ]
  %.17 = mul nuw nsw i64 %.83, %"size n"
  %.18 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.17
  br label %for1

for0.end:                                         ; preds = %for0.head.loopexit, %entry
  ret void

for1:                                             ; preds = %for0, %for1
  %.131 = phi i64 [ 0, %for0 ], [ %.27, %for1 ]
  %.19 = getelementptr inbounds nuw double, ptr %.18, i64 %.131
  %.20 = load double, ptr %.19, align 8
  %.22 = fmul double %"scalar s", %.20
  store double %.22, ptr %.19, align 8
  %.27 = add nuw nsw i64 %.131, 1
  %exitcond.not = icmp eq i64 %.27, %indvars.iv
  br i1 %exitcond.not, label %for0.head.loopexit, label %for1, !llvm.loop !0
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

!0 = distinct !{!0}
