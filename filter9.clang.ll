; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/filter9.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/filter9.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @filter9(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef writeonly %2) local_unnamed_addr #0 {
  %4 = icmp sgt i64 %0, 8
  br i1 %4, label %5, label %9

5:                                                ; preds = %3
  %6 = getelementptr i8, ptr %1, i64 32
  %7 = load double, ptr %6, align 8, !tbaa !5
  %8 = add nsw i64 %0, -5
  br label %10

9:                                                ; preds = %10, %3
  ret void

10:                                               ; preds = %5, %10
  %11 = phi double [ %36, %10 ], [ %7, %5 ]
  %12 = phi i64 [ %34, %10 ], [ 4, %5 ]
  %13 = getelementptr double, ptr %1, i64 %12
  %14 = getelementptr i8, ptr %13, i64 -32
  %15 = load double, ptr %14, align 8, !tbaa !5
  %16 = getelementptr inbounds i8, ptr %13, i64 32
  %17 = load double, ptr %16, align 8, !tbaa !5
  %18 = fadd double %15, %17
  %19 = getelementptr i8, ptr %13, i64 -24
  %20 = load double, ptr %19, align 8, !tbaa !5
  %21 = getelementptr inbounds i8, ptr %13, i64 24
  %22 = load double, ptr %21, align 8, !tbaa !5
  %23 = fadd double %20, %22
  %24 = fmul double %23, 1.000000e-01
  %25 = tail call double @llvm.fmuladd.f64(double %18, double 5.000000e-02, double %24)
  %26 = getelementptr i8, ptr %13, i64 -16
  %27 = load double, ptr %26, align 8, !tbaa !5
  %28 = getelementptr inbounds i8, ptr %13, i64 16
  %29 = load double, ptr %28, align 8, !tbaa !5
  %30 = fadd double %27, %29
  %31 = tail call double @llvm.fmuladd.f64(double %30, double 1.200000e-01, double %25)
  %32 = getelementptr i8, ptr %13, i64 -8
  %33 = load double, ptr %32, align 8, !tbaa !5
  %34 = add nuw nsw i64 %12, 1
  %35 = getelementptr inbounds double, ptr %1, i64 %34
  %36 = load double, ptr %35, align 8, !tbaa !5
  %37 = fadd double %33, %36
  %38 = tail call double @llvm.fmuladd.f64(double %37, double 1.500000e-01, double %31)
  %39 = tail call double @llvm.fmuladd.f64(double %11, double 1.600000e-01, double %38)
  %40 = getelementptr inbounds double, ptr %2, i64 %12
  store double %39, ptr %40, align 8, !tbaa !5
  %41 = icmp eq i64 %12, %8
  br i1 %41, label %9, label %10, !llvm.loop !9
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="cascadelake" "target-features"="+adx,+aes,+avx,+avx2,+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512vl,+avx512vnni,+bmi,+bmi2,+clflushopt,+clwb,+cmov,+crc32,+cx16,+cx8,+evex512,+f16c,+fma,+fsgsbase,+fxsr,+invpcid,+lzcnt,+mmx,+movbe,+pclmul,+pku,+popcnt,+prfchw,+rdrnd,+rdseed,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave,+xsavec,+xsaveopt,+xsaves" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"double", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.unroll.disable"}
