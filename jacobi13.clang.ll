; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/jacobi13.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/jacobi13.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @jacobi13(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef writeonly %2) local_unnamed_addr #0 {
  %4 = add i64 %0, -2
  %5 = icmp sgt i64 %0, 4
  br i1 %5, label %6, label %96

6:                                                ; preds = %3
  %7 = mul nuw i64 %0, %0
  br label %8

8:                                                ; preds = %94, %6
  %9 = phi i64 [ 2, %6 ], [ %15, %94 ]
  %10 = mul nsw i64 %9, %7
  %11 = getelementptr inbounds double, ptr %1, i64 %10
  %12 = add nsw i64 %9, -1
  %13 = mul nsw i64 %12, %7
  %14 = getelementptr inbounds double, ptr %1, i64 %13
  %15 = add nuw nsw i64 %9, 1
  %16 = mul nsw i64 %15, %7
  %17 = getelementptr inbounds double, ptr %1, i64 %16
  %18 = add nsw i64 %9, -2
  %19 = mul nsw i64 %18, %7
  %20 = getelementptr inbounds double, ptr %1, i64 %19
  %21 = add nuw nsw i64 %9, 2
  %22 = mul nsw i64 %21, %7
  %23 = getelementptr inbounds double, ptr %1, i64 %22
  %24 = getelementptr inbounds double, ptr %2, i64 %10
  br label %25

25:                                               ; preds = %92, %8
  %26 = phi i64 [ 2, %8 ], [ %32, %92 ]
  %27 = mul nuw nsw i64 %26, %0
  %28 = getelementptr inbounds double, ptr %11, i64 %27
  %29 = add nsw i64 %26, -1
  %30 = mul nsw i64 %29, %0
  %31 = getelementptr inbounds double, ptr %11, i64 %30
  %32 = add nuw nsw i64 %26, 1
  %33 = mul nuw nsw i64 %32, %0
  %34 = getelementptr inbounds double, ptr %11, i64 %33
  %35 = getelementptr inbounds double, ptr %14, i64 %27
  %36 = getelementptr inbounds double, ptr %17, i64 %27
  %37 = add nsw i64 %26, -2
  %38 = mul nsw i64 %37, %0
  %39 = getelementptr inbounds double, ptr %11, i64 %38
  %40 = add nuw nsw i64 %26, 2
  %41 = mul nuw nsw i64 %40, %0
  %42 = getelementptr inbounds double, ptr %11, i64 %41
  %43 = getelementptr inbounds double, ptr %20, i64 %27
  %44 = getelementptr inbounds double, ptr %23, i64 %27
  %45 = getelementptr inbounds double, ptr %24, i64 %27
  %46 = getelementptr inbounds i8, ptr %28, i64 16
  %47 = load double, ptr %46, align 8, !tbaa !5
  br label %48

48:                                               ; preds = %48, %25
  %49 = phi double [ %47, %25 ], [ %56, %48 ]
  %50 = phi i64 [ 2, %25 ], [ %54, %48 ]
  %51 = getelementptr inbounds double, ptr %28, i64 %50
  %52 = getelementptr i8, ptr %51, i64 -8
  %53 = load double, ptr %52, align 8, !tbaa !5
  %54 = add nuw nsw i64 %50, 1
  %55 = getelementptr inbounds double, ptr %28, i64 %54
  %56 = load double, ptr %55, align 8, !tbaa !5
  %57 = fadd double %53, %56
  %58 = getelementptr inbounds double, ptr %31, i64 %50
  %59 = load double, ptr %58, align 8, !tbaa !5
  %60 = fadd double %57, %59
  %61 = getelementptr inbounds double, ptr %34, i64 %50
  %62 = load double, ptr %61, align 8, !tbaa !5
  %63 = fadd double %60, %62
  %64 = getelementptr inbounds double, ptr %35, i64 %50
  %65 = load double, ptr %64, align 8, !tbaa !5
  %66 = fadd double %63, %65
  %67 = getelementptr inbounds double, ptr %36, i64 %50
  %68 = load double, ptr %67, align 8, !tbaa !5
  %69 = fadd double %66, %68
  %70 = fmul double %69, 8.000000e-02
  %71 = tail call double @llvm.fmuladd.f64(double %49, double 4.000000e-01, double %70)
  %72 = getelementptr i8, ptr %51, i64 -16
  %73 = load double, ptr %72, align 8, !tbaa !5
  %74 = getelementptr inbounds i8, ptr %51, i64 16
  %75 = load double, ptr %74, align 8, !tbaa !5
  %76 = fadd double %73, %75
  %77 = getelementptr inbounds double, ptr %39, i64 %50
  %78 = load double, ptr %77, align 8, !tbaa !5
  %79 = fadd double %76, %78
  %80 = getelementptr inbounds double, ptr %42, i64 %50
  %81 = load double, ptr %80, align 8, !tbaa !5
  %82 = fadd double %79, %81
  %83 = getelementptr inbounds double, ptr %43, i64 %50
  %84 = load double, ptr %83, align 8, !tbaa !5
  %85 = fadd double %82, %84
  %86 = getelementptr inbounds double, ptr %44, i64 %50
  %87 = load double, ptr %86, align 8, !tbaa !5
  %88 = fadd double %85, %87
  %89 = tail call double @llvm.fmuladd.f64(double %88, double 2.000000e-02, double %71)
  %90 = getelementptr inbounds double, ptr %45, i64 %50
  store double %89, ptr %90, align 8, !tbaa !5
  %91 = icmp eq i64 %54, %4
  br i1 %91, label %92, label %48, !llvm.loop !9

92:                                               ; preds = %48
  %93 = icmp eq i64 %32, %4
  br i1 %93, label %94, label %25, !llvm.loop !12

94:                                               ; preds = %92
  %95 = icmp eq i64 %15, %4
  br i1 %95, label %96, label %8, !llvm.loop !13

96:                                               ; preds = %94, %3
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
