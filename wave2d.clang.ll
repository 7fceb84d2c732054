; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/wave2d.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/wave2d.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @wave2d(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef %3) local_unnamed_addr #0 {
  %5 = add i64 %0, -1
  %6 = icmp sgt i64 %0, 2
  br i1 %6, label %7, label %48

7:                                                ; preds = %4, %46
  %8 = phi i64 [ %16, %46 ], [ 1, %4 ]
  %9 = mul nuw nsw i64 %8, %0
  %10 = getelementptr inbounds double, ptr %1, i64 %9
  %11 = getelementptr inbounds double, ptr %3, i64 %9
  %12 = getelementptr inbounds double, ptr %2, i64 %9
  %13 = add nsw i64 %8, -1
  %14 = mul nsw i64 %13, %0
  %15 = getelementptr inbounds double, ptr %1, i64 %14
  %16 = add nuw nsw i64 %8, 1
  %17 = mul nuw nsw i64 %16, %0
  %18 = getelementptr inbounds double, ptr %1, i64 %17
  %19 = getelementptr inbounds i8, ptr %10, i64 8
  %20 = load double, ptr %19, align 8, !tbaa !5
  %21 = getelementptr i8, ptr %10, i64 -8
  br label %22

22:                                               ; preds = %7, %22
  %23 = phi double [ %20, %7 ], [ %35, %22 ]
  %24 = phi i64 [ 1, %7 ], [ %33, %22 ]
  %25 = getelementptr inbounds double, ptr %11, i64 %24
  %26 = load double, ptr %25, align 8, !tbaa !5
  %27 = fneg double %26
  %28 = tail call double @llvm.fmuladd.f64(double %23, double 2.000000e+00, double %27)
  %29 = getelementptr inbounds double, ptr %12, i64 %24
  %30 = load double, ptr %29, align 8, !tbaa !5
  %31 = getelementptr double, ptr %21, i64 %24
  %32 = load double, ptr %31, align 8, !tbaa !5
  %33 = add nuw nsw i64 %24, 1
  %34 = getelementptr inbounds double, ptr %10, i64 %33
  %35 = load double, ptr %34, align 8, !tbaa !5
  %36 = fadd double %32, %35
  %37 = getelementptr inbounds double, ptr %15, i64 %24
  %38 = load double, ptr %37, align 8, !tbaa !5
  %39 = fadd double %36, %38
  %40 = getelementptr inbounds double, ptr %18, i64 %24
  %41 = load double, ptr %40, align 8, !tbaa !5
  %42 = fadd double %39, %41
  %43 = tail call double @llvm.fmuladd.f64(double %23, double -4.000000e+00, double %42)
  %44 = tail call double @llvm.fmuladd.f64(double %30, double %43, double %28)
  store double %44, ptr %25, align 8, !tbaa !5
  %45 = icmp eq i64 %33, %5
  br i1 %45, label %46, label %22, !llvm.loop !9

46:                                               ; preds = %22
  %47 = icmp eq i64 %16, %5
  br i1 %47, label %48, label %7, !llvm.loop !12

48:                                               ; preds = %46, %4
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
