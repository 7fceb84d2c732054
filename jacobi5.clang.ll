; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/jacobi5.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/jacobi5.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @jacobi5(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef writeonly %2) local_unnamed_addr #0 {
  %4 = add i64 %0, -1
  %5 = icmp sgt i64 %0, 2
  br i1 %5, label %6, label %37

6:                                                ; preds = %3, %35
  %7 = phi i64 [ %14, %35 ], [ 1, %3 ]
  %8 = mul nuw nsw i64 %7, %0
  %9 = getelementptr inbounds double, ptr %1, i64 %8
  %10 = getelementptr i8, ptr %9, i64 -8
  %11 = add nsw i64 %7, -1
  %12 = mul nsw i64 %11, %0
  %13 = getelementptr inbounds double, ptr %1, i64 %12
  %14 = add nuw nsw i64 %7, 1
  %15 = mul nuw nsw i64 %14, %0
  %16 = getelementptr inbounds double, ptr %1, i64 %15
  %17 = getelementptr inbounds double, ptr %2, i64 %8
  br label %18

18:                                               ; preds = %6, %18
  %19 = phi i64 [ 1, %6 ], [ %22, %18 ]
  %20 = getelementptr double, ptr %10, i64 %19
  %21 = load double, ptr %20, align 8, !tbaa !5
  %22 = add nuw nsw i64 %19, 1
  %23 = getelementptr inbounds double, ptr %9, i64 %22
  %24 = load double, ptr %23, align 8, !tbaa !5
  %25 = fadd double %21, %24
  %26 = getelementptr inbounds double, ptr %13, i64 %19
  %27 = load double, ptr %26, align 8, !tbaa !5
  %28 = fadd double %25, %27
  %29 = getelementptr inbounds double, ptr %16, i64 %19
  %30 = load double, ptr %29, align 8, !tbaa !5
  %31 = fadd double %28, %30
  %32 = fmul double %31, 2.500000e-01
  %33 = getelementptr inbounds double, ptr %17, i64 %19
  store double %32, ptr %33, align 8, !tbaa !5
  %34 = icmp eq i64 %22, %4
  br i1 %34, label %35, label %18, !llvm.loop !9

35:                                               ; preds = %18
  %36 = icmp eq i64 %14, %4
  br i1 %36, label %37, label %6, !llvm.loop !12

37:                                               ; preds = %35, %3
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
