; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias writeonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.5 = add i64 %"size n", -1
  %.83 = icmp sgt i64 %"size n", 2
  br i1 %.83, label %for1.head.preheader.us, label %for0.end

for1.head.preheader.us:                           ; preds = %entry, %for1.head.for1.end_crit_edge.us
  %.75.us = phi i64 [ %.81.us, %for1.head.for1.end_crit_edge.us ], [ 1, %entry ]
  %.15.us = mul nuw nsw i64 %.75.us, %"size n"
  %.17.us = sub nsw i64 %.15.us, %"size n"
  %.18.us = getelementptr inbounds float, ptr %"array 0", i64 %.17.us
  %.38.us = getelementptr inbounds nuw float, ptr %"array 0", i64 %.15.us
  %.56.us = getelementptr float, ptr %.38.us, i64 %"size n"
  %.76.us = getelementptr inbounds nuw float, ptr %"array 1", i64 %.15.us
  %.21.us.pre = load float, ptr %.18.us, align 4
  %.26.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.18.us, i64 4
  %.27.us.pre = load float, ptr %.26.us.phi.trans.insert, align 4
  %.41.us.pre = load float, ptr %.38.us, align 4
  %.45.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.38.us, i64 4
  %.46.us.pre = load float, ptr %.45.us.phi.trans.insert, align 4
  %.59.us.pre = load float, ptr %.56.us, align 4
  %.64.us.phi.trans.insert = getelementptr inbounds nuw i8, ptr %.56.us, i64 4
  %.65.us.pre = load float, ptr %.64.us.phi.trans.insert, align 4
  br label %for1.us

for1.us:                                          ; preds = %for1.head.preheader.us, %for1.us
  %.65.us = phi float [ %.65.us.pre, %for1.head.preheader.us ], [ %.72.us, %for1.us ]
  %.59.us = phi float [ %.59.us.pre, %for1.head.preheader.us ], [ %.65.us, %for1.us ]
  %.46.us = phi float [ %.46.us.pre, %for1.head.preheader.us ], [ %.52.us, %for1.us ]
  %.41.us = phi float [ %.41.us.pre, %for1.head.preheader.us ], [ %.46.us, %for1.us ]
  %.27.us = phi float [ %.27.us.pre, %for1.head.preheader.us ], [ %.35.us, %for1.us ]
  %.21.us = phi float [ %.21.us.pre, %for1.head.preheader.us ], [ %.27.us, %for1.us ]
  %.122.us = phi i64 [ 1, %for1.head.preheader.us ], [ %.33.us, %for1.us ]
  %.28.us = fadd float %.21.us, %.27.us
  %.33.us = add nuw nsw i64 %.122.us, 1
  %.34.us = getelementptr inbounds nuw float, ptr %.18.us, i64 %.33.us
  %.35.us = load float, ptr %.34.us, align 4
  %.36.us = fadd float %.28.us, %.35.us
  %.42.us = fadd float %.36.us, %.41.us
  %.47.us = fadd float %.42.us, %.46.us
  %.51.us = getelementptr inbounds nuw float, ptr %.38.us, i64 %.33.us
  %.52.us = load float, ptr %.51.us, align 4
  %.53.us = fadd float %.47.us, %.52.us
  %.60.us = fadd float %.53.us, %.59.us
  %.66.us = fadd float %.60.us, %.65.us
  %.71.us = getelementptr inbounds nuw float, ptr %.56.us, i64 %.33.us
  %.72.us = load float, ptr %.71.us, align 4
  %.73.us = fadd float %.66.us, %.72.us
  %.74.us = fmul float %.73.us, 0x3FBC6A7F00000000
  %.77.us = getelementptr inbounds nuw float, ptr %.76.us, i64 %.122.us
  store float %.74.us, ptr %.77.us, align 4
  %exitcond.not = icmp eq i64 %.33.us, %.5
  br i1 %exitcond.not, label %for1.head.for1.end_crit_edge.us, label %for1.us, !llvm.loop !0

for1.head.for1.end_crit_edge.us:                  ; preds = %for1.us
  %.81.us = add nuw nsw i64 %.75.us, 1
  %exitcond6.not = icmp eq i64 %.81.us, %.5
  br i1 %exitcond6.not, label %for0.end, label %for1.head.preheader.us

for0.end:                                         ; preds = %for1.head.for1.end_crit_edge.us, %entry
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

!0 = distinct !{!0}
