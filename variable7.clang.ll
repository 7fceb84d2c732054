; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/variable7.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/variable7.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @variable7(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef writeonly %3) local_unnamed_addr #0 {
  %5 = add i64 %0, -1
  %6 = icmp sgt i64 %0, 2
  br i1 %6, label %7, label %69

7:                                                ; preds = %4
  %8 = mul nuw i64 %0, %0
  br label %9

9:                                                ; preds = %67, %7
  %10 = phi i64 [ 1, %7 ], [ %17, %67 ]
  %11 = mul nsw i64 %10, %8
  %12 = getelementptr inbounds double, ptr %2, i64 %11
  %13 = getelementptr inbounds double, ptr %1, i64 %11
  %14 = add nsw i64 %10, -1
  %15 = mul nsw i64 %14, %8
  %16 = getelementptr inbounds double, ptr %2, i64 %15
  %17 = add nuw nsw i64 %10, 1
  %18 = mul nsw i64 %17, %8
  %19 = getelementptr inbounds double, ptr %2, i64 %18
  %20 = getelementptr inbounds double, ptr %3, i64 %11
  br label %21

21:                                               ; preds = %65, %9
  %22 = phi i64 [ 1, %9 ], [ %29, %65 ]
  %23 = mul nuw nsw i64 %22, %0
  %24 = getelementptr inbounds double, ptr %12, i64 %23
  %25 = getelementptr inbounds double, ptr %13, i64 %23
  %26 = add nsw i64 %22, -1
  %27 = mul nsw i64 %26, %0
  %28 = getelementptr inbounds double, ptr %12, i64 %27
  %29 = add nuw nsw i64 %22, 1
  %30 = mul nuw nsw i64 %29, %0
  %31 = getelementptr inbounds double, ptr %12, i64 %30
  %32 = getelementptr inbounds double, ptr %16, i64 %23
  %33 = getelementptr inbounds double, ptr %19, i64 %23
  %34 = getelementptr inbounds double, ptr %20, i64 %23
  %35 = getelementptr inbounds i8, ptr %24, i64 8
  %36 = load double, ptr %35, align 8, !tbaa !5
  %37 = getelementptr i8, ptr %24, i64 -8
  br label %38

38:                                               ; preds = %38, %21
  %39 = phi double [ %36, %21 ], [ %47, %38 ]
  %40 = phi i64 [ 1, %21 ], [ %45, %38 ]
  %41 = getelementptr inbounds double, ptr %25, i64 %40
  %42 = load double, ptr %41, align 8, !tbaa !5
  %43 = getelementptr double, ptr %37, i64 %40
  %44 = load double, ptr %43, align 8, !tbaa !5
  %45 = add nuw nsw i64 %40, 1
  %46 = getelementptr inbounds double, ptr %24, i64 %45
  %47 = load double, ptr %46, align 8, !tbaa !5
  %48 = fadd double %44, %47
  %49 = getelementptr inbounds double, ptr %28, i64 %40
  %50 = load double, ptr %49, align 8, !tbaa !5
  %51 = fadd double %48, %50
  %52 = getelementptr inbounds double, ptr %31, i64 %40
  %53 = load double, ptr %52, align 8, !tbaa !5
  %54 = fadd double %51, %53
  %55 = getelementptr inbounds double, ptr %32, i64 %40
  %56 = load double, ptr %55, align 8, !tbaa !5
  %57 = fadd double %54, %56
  %58 = getelementptr inbounds double, ptr %33, i64 %40
  %59 = load double, ptr %58, align 8, !tbaa !5
  %60 = fadd double %57, %59
  %61 = tail call double @llvm.fmuladd.f64(double %39, double -6.000000e+00, double %60)
  %62 = tail call double @llvm.fmuladd.f64(double %42, double %61, double %39)
  %63 = getelementptr inbounds double, ptr %34, i64 %40
  store double %62, ptr %63, align 8, !tbaa !5
  %64 = icmp eq i64 %45, %5
  br i1 %64, label %65, label %38, !llvm.loop !9

65:                                               ; preds = %38
  %66 = icmp eq i64 %29, %5
  br i1 %66, label %67, label %21, !llvm.loop !12

67:                                               ; preds = %65
  %68 = icmp eq i64 %17, %5
  br i1 %68, label %69, label %9, !llvm.loop !13

69:                                               ; preds = %67, %4
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
!13 = distinct !{!13, !10, !11}
