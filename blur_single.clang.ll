; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/blur_single.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/blur_single.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @blur_single(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef writeonly %2) local_unnamed_addr #0 {
  %4 = add i64 %0, -1
  %5 = icmp sgt i64 %0, 2
  br i1 %5, label %6, label %54

6:                                                ; preds = %3, %52
  %7 = phi i64 [ %13, %52 ], [ 1, %3 ]
  %8 = add nsw i64 %7, -1
  %9 = mul nsw i64 %8, %0
  %10 = getelementptr inbounds float, ptr %1, i64 %9
  %11 = mul nuw nsw i64 %7, %0
  %12 = getelementptr inbounds float, ptr %1, i64 %11
  %13 = add nuw nsw i64 %7, 1
  %14 = mul nuw nsw i64 %13, %0
  %15 = getelementptr inbounds float, ptr %1, i64 %14
  %16 = getelementptr inbounds float, ptr %2, i64 %11
  %17 = load float, ptr %10, align 4, !tbaa !5
  %18 = getelementptr inbounds i8, ptr %10, i64 4
  %19 = load float, ptr %18, align 4, !tbaa !5
  %20 = load float, ptr %12, align 4, !tbaa !5
  %21 = getelementptr inbounds i8, ptr %12, i64 4
  %22 = load float, ptr %21, align 4, !tbaa !5
  %23 = load float, ptr %15, align 4, !tbaa !5
  %24 = getelementptr inbounds i8, ptr %15, i64 4
  %25 = load float, ptr %24, align 4, !tbaa !5
  br label %26

26:                                               ; preds = %6, %26
  %27 = phi float [ %25, %6 ], [ %47, %26 ]
  %28 = phi float [ %23, %6 ], [ %27, %26 ]
  %29 = phi float [ %22, %6 ], [ %42, %26 ]
  %30 = phi float [ %20, %6 ], [ %29, %26 ]
  %31 = phi float [ %19, %6 ], [ %37, %26 ]
  %32 = phi float [ %17, %6 ], [ %31, %26 ]
  %33 = phi i64 [ 1, %6 ], [ %35, %26 ]
  %34 = fadd float %32, %31
  %35 = add nuw nsw i64 %33, 1
  %36 = getelementptr inbounds float, ptr %10, i64 %35
  %37 = load float, ptr %36, align 4, !tbaa !5
  %38 = fadd float %34, %37
  %39 = fadd float %38, %30
  %40 = fadd float %39, %29
  %41 = getelementptr inbounds float, ptr %12, i64 %35
  %42 = load float, ptr %41, align 4, !tbaa !5
  %43 = fadd float %40, %42
  %44 = fadd float %43, %28
  %45 = fadd float %44, %27
  %46 = getelementptr inbounds float, ptr %15, i64 %35
  %47 = load float, ptr %46, align 4, !tbaa !5
  %48 = fadd float %45, %47
  %49 = fmul float %48, 0x3FBC6A7F00000000
  %50 = getelementptr inbounds float, ptr %16, i64 %33
  store float %49, ptr %50, align 4, !tbaa !5
  %51 = icmp eq i64 %35, %4
  br i1 %51, label %52, label %26, !llvm.loop !9

52:                                               ; preds = %26
  %53 = icmp eq i64 %13, %4
  br i1 %53, label %54, label %6, !llvm.loop !12

54:                                               ; preds = %52, %3
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
!6 = !{!"float", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.unroll.disable"}
!12 = distinct !{!12, !10, !11}
