; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @nest(ptr noalias readonly captures(none) %"array 0", ptr noalias writeonly captures(none) %"array 1", i64 %"size n") local_unnamed_addr #0 {
entry:
  %.81 = icmp sgt i64 %"size n", 8
  br i1 %.81, label %for0.preheader, label %for0.end

for0.preheader:                                   ; preds = %entry
  %.phi.trans.insert = getelementptr i8, ptr %"array 0", i64 32
  %.43.pre = load double, ptr %.phi.trans.insert, align 8
  %0 = add nsw i64 %"size n", -5
  br label %for0

for0:                                             ; preds = %for0.preheader, %for0
  %.43 = phi double [ %.39, %for0 ], [ %.43.pre, %for0.preheader ]
  %.72 = phi i64 [ %.37, %for0 ], [ 4, %for0.preheader ]
  %1 = getelementptr double, ptr %"array 0", i64 %.72
  %.11 = getelementptr i8, ptr %1, i64 -32
  %.12 = load double, ptr %.11, align 8
  %.14 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %.15 = load double, ptr %.14, align 8
  %.16 = fadd double %.12, %.15
  %.18 = getelementptr i8, ptr %1, i64 -24
  %.19 = load double, ptr %.18, align 8
  %.21 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %.22 = load double, ptr %.21, align 8
  %.23 = fadd double %.19, %.22
  %.24 = fmul double %.23, 1.000000e-01
  %.25 = tail call double @llvm.fmuladd.f64(double %.16, double 5.000000e-02, double %.24)
  %.27 = getelementptr i8, ptr %1, i64 -16
  %.28 = load double, ptr %.27, align 8
  %.30 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %.31 = load double, ptr %.30, align 8
  %.32 = fadd double %.28, %.31
  %.33 = tail call double @llvm.fmuladd.f64(double %.32, double 1.200000e-01, double %.25)
  %.35 = getelementptr i8, ptr %1, i64 -8
  %.36 = load double, ptr %.35, align 8
  %.37 = add nuw nsw i64 %.72, 1
  %.38 = getelementptr inbounds nuw double, ptr %"array 0", i64 %.37
  %.39 = load double, ptr %.38, align 8
  %.40 = fadd double %.36, %.39
  %.41 = tail call double @llvm.fmuladd.f64(double %.40, double 1.500000e-01, double %.33)
  %.44 = tail call double @llvm.fmuladd.f64(double %.43, double 1.600000e-01, double %.41)
  %.45 = getelementptr inbounds nuw double, ptr %"array 1", i64 %.72
  store double %.44, ptr %.45, align 8
  %exitcond.not = icmp eq i64 %.72, %0
  br i1 %exitcond.not, label %for0.end, label %for0, !llvm.loop !0

for0.end:                                         ; preds = %for0, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0}
