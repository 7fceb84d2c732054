; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/triangle.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/triangle.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @triangle(i64 noundef %0, double noundef %1, ptr noalias nocapture noundef %2) local_unnamed_addr #0 {
  %4 = icmp sgt i64 %0, 0
  br i1 %4, label %5, label %10

5:                                                ; preds = %3, %11
  %6 = phi i64 [ %13, %11 ], [ 1, %3 ]
  %7 = phi i64 [ %12, %11 ], [ 0, %3 ]
  %8 = mul nuw nsw i64 %7, %0
  %9 = getelementptr inbounds double, ptr %2, i64 %8
  br label %15

10:                                               ; preds = %11, %3
  ret void

11:                                               ; preds = %15
  %12 = add nuw nsw i64 %7, 1
  %13 = add nuw i64 %6, 1
  %14 = icmp eq i64 %12, %0
  br i1 %14, label %10, label %5, !llvm.loop !5

15:                                               ; preds = %5, %15
  %16 = phi i64 [ 0, %5 ], [ %20, %15 ]
  %17 = getelementptr inbounds double, ptr %9, i64 %16
  %18 = load double, ptr %17, align 8, !tbaa !8
  %19 = fmul double %18, %1
  store double %19, ptr %17, align 8, !tbaa !8
  %20 = add nuw nsw i64 %16, 1
  %21 = icmp eq i64 %20, %6
  br i1 %21, label %11, label %15, !llvm.loop !12
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="cascadelake" "target-features"="+adx,+aes,+avx,+avx2,+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512vl,+avx512vnni,+bmi,+bmi2,+clflushopt,+clwb,+cmov,+crc32,+cx16,+cx8,+evex512,+f16c,+fma,+fsgsbase,+fxsr,+invpcid,+lzcnt,+mmx,+movbe,+pclmul,+pku,+popcnt,+prfchw,+rdrnd,+rdseed,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave,+xsavec,+xsaveopt,+xsaves" }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = distinct !{!5, !6, !7}
!6 = !{!"llvm.loop.mustprogress"}
!7 = !{!"llvm.loop.unroll.disable"}
!8 = !{!9, !9, i64 0}
!9 = !{!"double", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C/C++ TBAA"}
!12 = distinct !{!12, !6, !7}
