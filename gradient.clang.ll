; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/gradient.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/gradient.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @gradient(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef writeonly %2, ptr noalias nocapture noundef writeonly %3) local_unnamed_addr #0 {
  %5 = add i64 %0, -1
  %6 = icmp sgt i64 %0, 2
  br i1 %6, label %7, label %40

7:                                                ; preds = %4, %38
  %8 = phi i64 [ %13, %38 ], [ 1, %4 ]
  %9 = mul nuw nsw i64 %8, %0
  %10 = getelementptr inbounds double, ptr %1, i64 %9
  %11 = getelementptr i8, ptr %10, i64 -8
  %12 = getelementptr inbounds double, ptr %2, i64 %9
  %13 = add nuw nsw i64 %8, 1
  %14 = mul nuw nsw i64 %13, %0
  %15 = getelementptr inbounds double, ptr %1, i64 %14
  %16 = add nsw i64 %8, -1
  %17 = mul nsw i64 %16, %0
  %18 = getelementptr inbounds double, ptr %1, i64 %17
  %19 = getelementptr inbounds double, ptr %3, i64 %9
  br label %20

20:                                               ; preds = %7, %20
  %21 = phi i64 [ 1, %7 ], [ %22, %20 ]
  %22 = add nuw nsw i64 %21, 1
  %23 = getelementptr inbounds double, ptr %10, i64 %22
  %24 = load double, ptr %23, align 8, !tbaa !5
  %25 = getelementptr double, ptr %11, i64 %21
  %26 = load double, ptr %25, align 8, !tbaa !5
  %27 = fsub double %24, %26
  %28 = fmul double %27, 5.000000e-01
  %29 = getelementptr inbounds double, ptr %12, i64 %21
  store double %28, ptr %29, align 8, !tbaa !5
  %30 = getelementptr inbounds double, ptr %15, i64 %21
  %31 = load double, ptr %30, align 8, !tbaa !5
  %32 = getelementptr inbounds double, ptr %18, i64 %21
  %33 = load double, ptr %32, align 8, !tbaa !5
  %34 = fsub double %31, %33
  %35 = fmul double %34, 5.000000e-01
  %36 = getelementptr inbounds double, ptr %19, i64 %21
  store double %35, ptr %36, align 8, !tbaa !5
  %37 = icmp eq i64 %22, %5
  br i1 %37, label %38, label %20, !llvm.loop !9

38:                                               ; preds = %20
  %39 = icmp eq i64 %13, %5
  br i1 %39, label %40, label %7, !llvm.loop !12

40:                                               ; preds = %38, %4
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
