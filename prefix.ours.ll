; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.71 = icmp sgt i64 %"size n", 1
  br i1 %.71, label %for0.preheader, label %for0.end

for0.preheader:                                   ; preds = %entry
  %load_initial = load double, ptr %"array 0", align 8
  br label %for0

for0:                                             ; preds = %for0.preheader, %for0
  %store_forwarded = phi double [ %load_initial, %for0.preheader ], [ %.14, %for0 ]
  %.62 = phi i64 [ 1, %for0.preheader ], [ %.17, %for0 ]
  %0 = getelementptr double, ptr %"array 0", i64 %.62
  %.12 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.62
  %.13 = load double, ptr %.12, align 8
  %.14 = fadd double %store_forwarded, %.13
  store double %.14, ptr %0, align 8
  %.17 = add nuw nsw i64 %.62, 1
  %exitcond.not = icmp eq i64 %.17, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

!0 = distinct !{!0}
