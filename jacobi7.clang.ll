; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/jacobi7.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/jacobi7.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @jacobi7(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef writeonly %2) local_unnamed_addr #0 {
  %4 = add i64 %0, -1
  %5 = icmp sgt i64 %0, 2
  br i1 %5, label %6, label %64

6:                                                ; preds = %3
  %7 = mul nuw i64 %0, %0
  br label %8

8:                                                ; preds = %62, %6
  %9 = phi i64 [ 1, %6 ], [ %15, %62 ]
  %10 = mul nsw i64 %9, %7
  %11 = getelementptr inbounds double, ptr %1, i64 %10
  %12 = add nsw i64 %9, -1
  %13 = mul nsw i64 %12, %7
  %14 = getelementptr inbounds double, ptr %1, i64 %13
  %15 = add nuw nsw i64 %9, 1
  %16 = mul nsw i64 %15, %7
  %17 = getelementptr inbounds double, ptr %1, i64 %16
  %18 = getelementptr inbounds double, ptr %2, i64 %10
  br label %19

19:                                               ; preds = %60, %8
  %20 = phi i64 [ 1, %8 ], [ %26, %60 ]
  %21 = mul nuw nsw i64 %20, %0
  %22 = getelementptr inbounds double, ptr %11, i64 %21
  %23 = add nsw i64 %20, -1
  %24 = mul nsw i64 %23, %0
  %25 = getelementptr inbounds double, ptr %11, i64 %24
  %26 = add nuw nsw i64 %20, 1
  %27 = mul nuw nsw i64 %26, %0
  %28 = getelementptr inbounds double, ptr %11, i64 %27
  %29 = getelementptr inbounds double, ptr %14, i64 %21
  %30 = getelementptr inbounds double, ptr %17, i64 %21
  %31 = getelementptr inbounds double, ptr %18, i64 %21
  %32 = getelementptr inbounds i8, ptr %22, i64 8
  %33 = load double, ptr %32, align 8, !tbaa !5
  %34 = getelementptr i8, ptr %22, i64 -8
  br label %35

35:                                               ; preds = %35, %19
  %36 = phi double [ %33, %19 ], [ %42, %35 ]
  %37 = phi i64 [ 1, %19 ], [ %40, %35 ]
  %38 = getelementptr double, ptr %34, i64 %37
  %39 = load double, ptr %38, align 8, !tbaa !5
  %40 = add nuw nsw i64 %37, 1
  %41 = getelementptr inbounds double, ptr %22, i64 %40
  %42 = load double, ptr %41, align 8, !tbaa !5
  %43 = fadd double %39, %42
  %44 = getelementptr inbounds double, ptr %25, i64 %37
  %45 = load double, ptr %44, align 8, !tbaa !5
  %46 = fadd double %43, %45
  %47 = getelementptr inbounds double, ptr %28, i64 %37
  %48 = load double, ptr %47, align 8, !tbaa !5
  %49 = fadd double %46, %48
  %50 = getelementptr inbounds double, ptr %29, i64 %37
  %51 = load double, ptr %50, align 8, !tbaa !5
  %52 = fadd double %49, %51
  %53 = getelementptr inbounds double, ptr %30, i64 %37
  %54 = load double, ptr %53, align 8, !tbaa !5
  %55 = fadd double %52, %54
  %56 = fmul double %55, 1.000000e-01
  %57 = tail call double @llvm.fmuladd.f64(double %36, double 4.000000e-01, double %56)
  %58 = getelementptr inbounds double, ptr %31, i64 %37
  store double %57, ptr %58, align 8, !tbaa !5
  %59 = icmp eq i64 %40, %4
  br i1 %59, label %60, label %35, !llvm.loop !9

60:                                               ; preds = %35
  %61 = icmp eq i64 %26, %4
  br i1 %61, label %62, label %19, !llvm.loop !12

62:                                               ; preds = %60
  %63 = icmp eq i64 %15, %4
  br i1 %63, label %64, label %8, !llvm.loop !13

64:                                               ; preds = %62, %3
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
