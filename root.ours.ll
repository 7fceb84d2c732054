; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nounwind memory(argmem: readwrite, errnomem: write)
define void @nest(ptr noalias writeonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.71 = icmp sgt i64 %"size n", 0
  br i1 %.71, label %for0, label %for0.end

for0:                                             ; preds = %entry, %for0
  %.62 = phi i64 [ %.14, %for0 ], [ 0, %entry ]
  %.9 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.62
  %.10 = load double, ptr %.9, align 8
  %.11 = tail call double @sqrt(double %.10)
  %.12 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.62
  store double %.11, ptr %.12, align 8
  %.14 = add nuw nsw i64 %.62, 1
  %exitcond.not = icmp eq i64 %.14, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(errnomem: write)
declare double @sqrt(double) local_unnamed_addr #1

attributes #0 = { nofree norecurse nounwind memory(argmem: readwrite, errnomem: write) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nofree nounwind willreturn memory(errnomem: write) }

!0 = distinct !{!0}
