; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/gauss_seidel.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/gauss_seidel.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @gauss_seidel(i64 noundef %0, ptr noalias nocapture noundef %1) local_unnamed_addr #0 {
  %3 = add i64 %0, -1
  %4 = icmp sgt i64 %0, 2
  br i1 %4, label %5, label %42

5:                                                ; preds = %2
  %6 = shl i64 %0, 3
  %7 = shl i64 %0, 3
  %8 = getelementptr i8, ptr %1, i64 %6
  br label %9

9:                                                ; preds = %5, %39
  %10 = phi i64 [ 0, %5 ], [ %41, %39 ]
  %11 = phi i64 [ 1, %5 ], [ %19, %39 ]
  %12 = mul i64 %7, %10
  %13 = getelementptr i8, ptr %8, i64 %12
  %14 = mul nuw nsw i64 %11, %0
  %15 = getelementptr inbounds double, ptr %1, i64 %14
  %16 = add nsw i64 %11, -1
  %17 = mul nsw i64 %16, %0
  %18 = getelementptr inbounds double, ptr %1, i64 %17
  %19 = add nuw nsw i64 %11, 1
  %20 = mul nuw nsw i64 %19, %0
  %21 = getelementptr inbounds double, ptr %1, i64 %20
  %22 = load double, ptr %13, align 8
  br label %23

23:                                               ; preds = %9, %23
  %24 = phi double [ %22, %9 ], [ %37, %23 ]
  %25 = phi i64 [ 1, %9 ], [ %27, %23 ]
  %26 = getelementptr double, ptr %15, i64 %25
  %27 = add nuw nsw i64 %25, 1
  %28 = getelementptr inbounds double, ptr %15, i64 %27
  %29 = load double, ptr %28, align 8, !tbaa !5
  %30 = fadd double %24, %29
  %31 = getelementptr inbounds double, ptr %18, i64 %25
  %32 = load double, ptr %31, align 8, !tbaa !5
  %33 = fadd double %30, %32
  %34 = getelementptr inbounds double, ptr %21, i64 %25
  %35 = load double, ptr %34, align 8, !tbaa !5
  %36 = fadd double %33, %35
  %37 = fmul double %36, 2.500000e-01
  store double %37, ptr %26, align 8, !tbaa !5
  %38 = icmp eq i64 %27, %3
  br i1 %38, label %39, label %23, !llvm.loop !9

39:                                               ; preds = %23
  %40 = icmp eq i64 %19, %3
  %41 = add i64 %10, 1
  br i1 %40, label %42, label %9, !llvm.loop !12

42:                                               ; preds = %39, %2
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="cascadelake" "target-features"="+adx,+aes,+avx,+avx2,+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512vl,+avx512vnni,+bmi,+bmi2,+clflushopt,+clwb,+cmov,+crc32,+cx16,+cx8,+evex512,+f16c,+fma,+fsgsbase,+fxsr,+invpcid,+lzcnt,+mmx,+movbe,+pclmul,+pku,+popcnt,+prfchw,+rdrnd,+rdseed,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave,+xsavec,+xsaveopt,+xsaves" }

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
