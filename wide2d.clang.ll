; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/wide2d.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/wide2d.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @wide2d(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef writeonly %2) local_unnamed_addr #0 {
  %4 = add i64 %0, -2
  %5 = icmp sgt i64 %0, 4
  br i1 %5, label %6, label %59

6:                                                ; preds = %3, %57
  %7 = phi i64 [ %13, %57 ], [ 2, %3 ]
  %8 = mul nuw nsw i64 %7, %0
  %9 = getelementptr inbounds double, ptr %1, i64 %8
  %10 = add nsw i64 %7, -1
  %11 = mul nsw i64 %10, %0
  %12 = getelementptr inbounds double, ptr %1, i64 %11
  %13 = add nuw nsw i64 %7, 1
  %14 = mul nuw nsw i64 %13, %0
  %15 = getelementptr inbounds double, ptr %1, i64 %14
  %16 = add nsw i64 %7, -2
  %17 = mul nsw i64 %16, %0
  %18 = getelementptr inbounds double, ptr %1, i64 %17
  %19 = add nuw nsw i64 %7, 2
  %20 = mul nuw nsw i64 %19, %0
  %21 = getelementptr inbounds double, ptr %1, i64 %20
  %22 = getelementptr inbounds double, ptr %2, i64 %8
  %23 = getelementptr i8, ptr %9, i64 16
  %24 = load double, ptr %23, align 8, !tbaa !5
  br label %25

25:                                               ; preds = %6, %25
  %26 = phi double [ %24, %6 ], [ %33, %25 ]
  %27 = phi i64 [ 2, %6 ], [ %31, %25 ]
  %28 = getelementptr double, ptr %9, i64 %27
  %29 = getelementptr i8, ptr %28, i64 -8
  %30 = load double, ptr %29, align 8, !tbaa !5
  %31 = add nuw nsw i64 %27, 1
  %32 = getelementptr inbounds double, ptr %9, i64 %31
  %33 = load double, ptr %32, align 8, !tbaa !5
  %34 = fadd double %30, %33
  %35 = getelementptr inbounds double, ptr %12, i64 %27
  %36 = load double, ptr %35, align 8, !tbaa !5
  %37 = fadd double %34, %36
  %38 = getelementptr inbounds double, ptr %15, i64 %27
  %39 = load double, ptr %38, align 8, !tbaa !5
  %40 = fadd double %37, %39
  %41 = getelementptr i8, ptr %28, i64 -16
  %42 = load double, ptr %41, align 8, !tbaa !5
  %43 = getelementptr inbounds i8, ptr %28, i64 16
  %44 = load double, ptr %43, align 8, !tbaa !5
  %45 = fadd double %42, %44
  %46 = getelementptr inbounds double, ptr %18, i64 %27
  %47 = load double, ptr %46, align 8, !tbaa !5
  %48 = fadd double %45, %47
  %49 = getelementptr inbounds double, ptr %21, i64 %27
  %50 = load double, ptr %49, align 8, !tbaa !5
  %51 = fadd double %48, %50
  %52 = fmul double %51, -8.300000e-02
  %53 = tail call double @llvm.fmuladd.f64(double %40, double 1.330000e+00, double %52)
  %54 = tail call double @llvm.fmuladd.f64(double %26, double -5.000000e+00, double %53)
  %55 = getelementptr inbounds double, ptr %22, i64 %27
  store double %54, ptr %55, align 8, !tbaa !5
  %56 = icmp eq i64 %31, %4
  br i1 %56, label %57, label %25, !llvm.loop !9

57:                                               ; preds = %25
  %58 = icmp eq i64 %13, %4
  br i1 %58, label %59, label %6, !llvm.loop !12

59:                                               ; preds = %57, %3
  ret void
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
!12 = distinct !{!12, !10, !11}
