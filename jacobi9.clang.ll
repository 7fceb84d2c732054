; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/jacobi9.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/jacobi9.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @jacobi9(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef writeonly %2) local_unnamed_addr #0 {
  %4 = add i64 %0, -1
  %5 = icmp sgt i64 %0, 2
  br i1 %5, label %6, label %55

6:                                                ; preds = %3, %53
  %7 = phi i64 [ %13, %53 ], [ 1, %3 ]
  %8 = mul nuw nsw i64 %7, %0
  %9 = getelementptr inbounds double, ptr %1, i64 %8
  %10 = add nsw i64 %7, -1
  %11 = mul nsw i64 %10, %0
  %12 = getelementptr inbounds double, ptr %1, i64 %11
  %13 = add nuw nsw i64 %7, 1
  %14 = mul nuw nsw i64 %13, %0
  %15 = getelementptr inbounds double, ptr %1, i64 %14
  %16 = getelementptr inbounds double, ptr %2, i64 %8
  %17 = getelementptr inbounds i8, ptr %9, i64 8
  %18 = load double, ptr %17, align 8, !tbaa !5
  %19 = getelementptr inbounds i8, ptr %12, i64 8
  %20 = load double, ptr %19, align 8, !tbaa !5
  %21 = getelementptr inbounds i8, ptr %15, i64 8
  %22 = load double, ptr %21, align 8, !tbaa !5
  br label %23

23:                                               ; preds = %6, %23
  %24 = phi double [ %22, %6 ], [ %48, %23 ]
  %25 = phi double [ %20, %6 ], [ %42, %23 ]
  %26 = phi double [ %18, %6 ], [ %33, %23 ]
  %27 = phi i64 [ 1, %6 ], [ %31, %23 ]
  %28 = add nsw i64 %27, -1
  %29 = getelementptr inbounds double, ptr %9, i64 %28
  %30 = load double, ptr %29, align 8, !tbaa !5
  %31 = add nuw nsw i64 %27, 1
  %32 = getelementptr inbounds double, ptr %9, i64 %31
  %33 = load double, ptr %32, align 8, !tbaa !5
  %34 = fadd double %30, %33
  %35 = fadd double %34, %25
  %36 = fadd double %35, %24
  %37 = fmul double %36, 1.500000e-01
  %38 = tail call double @llvm.fmuladd.f64(double %26, double 2.000000e-01, double %37)
  %39 = getelementptr inbounds double, ptr %12, i64 %28
  %40 = load double, ptr %39, align 8, !tbaa !5
  %41 = getelementptr inbounds double, ptr %12, i64 %31
  %42 = load double, ptr %41, align 8, !tbaa !5
  %43 = fadd double %40, %42
  %44 = getelementptr inbounds double, ptr %15, i64 %28
  %45 = load double, ptr %44, align 8, !tbaa !5
  %46 = fadd double %43, %45
  %47 = getelementptr inbounds double, ptr %15, i64 %31
  %48 = load double, ptr %47, align 8, !tbaa !5
  %49 = fadd double %46, %48
  %50 = tail call double @llvm.fmuladd.f64(double %49, double 5.000000e-02, double %38)
  %51 = getelementptr inbounds double, ptr %16, i64 %27
  store double %50, ptr %51, align 8, !tbaa !5
  %52 = icmp eq i64 %31, %4
  br i1 %52, label %53, label %23, !llvm.loop !9

53:                                               ; preds = %23
  %54 = icmp eq i64 %13, %4
  br i1 %54, label %55, label %6, !llvm.loop !12

55:                                               ; preds = %53, %3
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
