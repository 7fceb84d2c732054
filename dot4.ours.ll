; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias readonly captures(none) %"array 1", i64 %"size n", double %"scalar s0", double %"scalar s1", double %"scalar s2", double %"scalar s3", ptr noalias writeonly captures(none) %"result s0", ptr noalias writeonly captures(none) %"result s1", ptr noalias writeonly captures(none) %"result s2", ptr noalias writeonly captures(none) %"result s3") local_unnamed_addr #0 {
entry:
  %.231 = icmp sgt i64 %"size n", 0
  br i1 %.231, label %for0, label %for0.end

for0:                                             ; preds = %entry, %for0
  %.226 = phi i64 [ %.67, %for0 ], [ 0, %entry ]
  %.19.05 = phi double [ %.65, %for0 ], [ %"scalar s3", %entry ]
  %.17.04 = phi double [ %.54, %for0 ], [ %"scalar s2", %entry ]
  %.15.03 = phi double [ %.43, %for0 ], [ %"scalar s1", %entry ]
  %.13.02 = phi double [ %.32, %for0 ], [ %"scalar s0", %entry ]
  %.26 = shl nsw i64 %.226, 2
  %.27 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.26
  %.28 = load double, ptr %.27, align 8
  %.30 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.26
  %.31 = load double, ptr %.30, align 8
  %.32 = tail call double @llvm.fmuladd.f64(double %.28, double %.31, double %.13.02)
  %.36 = or disjoint i64 %.26, 1
  %.37 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.36
  %.38 = load double, ptr %.37, align 8
  %.41 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.36
  %.42 = load double, ptr %.41, align 8
  %.43 = tail call double @llvm.fmuladd.f64(double %.38, double %.42, double %.15.03)
  %.47 = or disjoint i64 %.26, 2
  %.48 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.47
  %.49 = load double, ptr %.48, align 8
  %.52 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.47
  %.53 = load double, ptr %.52, align 8
  %.54 = tail call double @llvm.fmuladd.f64(double %.49, double %.53, double %.17.04)
  %.58 = or disjoint i64 %.26, 3
  %.59 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.58
  %.60 = load double, ptr %.59, align 8
  %.63 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.58
  %.64 = load double, ptr %.63, align 8
  %.65 = tail call double @llvm.fmuladd.f64(double %.60, double %.64, double %.19.05)
  %.67 = add nuw nsw i64 %.226, 1
  %exitcond.not = icmp eq i64 %.67, %"size n"
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  %.13.0.lcssa = phi double [ %"scalar s0", %entry ], [ %.32, %for0 ]
  %.15.0.lcssa = phi double [ %"scalar s1", %entry ], [ %.43, %for0 ]
  %.17.0.lcssa = phi double [ %"scalar s2", %entry ], [ %.54, %for0 ]
  %.19.0.lcssa = phi double [ %"scalar s3", %entry ], [ %.65, %for0 ]
  store double %.13.0.lcssa, ptr %"result s0", align 8
  store double %.15.0.lcssa, ptr %"result s1", align 8
  store double %.17.0.lcssa, ptr %"result s2", align 8
  store double %.19.0.lcssa, ptr %"result s3", align 8
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
