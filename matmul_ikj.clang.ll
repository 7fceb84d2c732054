; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/matmul_ikj.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/matmul_ikj.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @matmul_ikj(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef %3) local_unnamed_addr #0 {
  %5 = icmp sgt i64 %0, 0
  br i1 %5, label %6, label %32

6:                                                ; preds = %4, %29
  %7 = phi i64 [ %30, %29 ], [ 0, %4 ]
  %8 = mul nuw nsw i64 %7, %0
  %9 = getelementptr double, ptr %1, i64 %8
  %10 = getelementptr inbounds double, ptr %3, i64 %8
  br label %11

11:                                               ; preds = %26, %6
  %12 = phi i64 [ 0, %6 ], [ %27, %26 ]
  %13 = getelementptr double, ptr %9, i64 %12
  %14 = load double, ptr %13, align 8, !tbaa !5
  %15 = mul nuw nsw i64 %12, %0
  %16 = getelementptr inbounds double, ptr %2, i64 %15
  br label %17

17:                                               ; preds = %17, %11
  %18 = phi i64 [ 0, %11 ], [ %24, %17 ]
  %19 = getelementptr inbounds double, ptr %16, i64 %18
  %20 = load double, ptr %19, align 8, !tbaa !5
  %21 = getelementptr inbounds double, ptr %10, i64 %18
  %22 = load double, ptr %21, align 8, !tbaa !5
  %23 = tail call double @llvm.fmuladd.f64(double %14, double %20, double %22)
  store double %23, ptr %21, align 8, !tbaa !5
  %24 = add nuw nsw i64 %18, 1
  %25 = icmp eq i64 %24, %0
  br i1 %25, label %26, label %17, !llvm.loop !9

26:                                               ; preds = %17
  %27 = add nuw nsw i64 %12, 1
  %28 = icmp eq i64 %27, %0
  br i1 %28, label %29, label %11, !llvm.loop !12

29:                                               ; preds = %26
  %30 = add nuw nsw i64 %7, 1
  %31 = icmp eq i64 %30, %0
  br i1 %31, label %32, label %6, !llvm.loop !13

32:                                               ; preds = %29, %4
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
