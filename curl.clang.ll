; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/curl.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/curl.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @curl(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef %3) local_unnamed_addr #0 {
  %5 = add i64 %0, -1
  %6 = icmp sgt i64 %0, 1
  br i1 %6, label %7, label %48

7:                                                ; preds = %4
  %8 = mul i64 %0, %0
  br label %9

9:                                                ; preds = %45, %7
  %10 = phi i64 [ 0, %7 ], [ %46, %45 ]
  %11 = mul i64 %8, %10
  %12 = getelementptr inbounds double, ptr %1, i64 %11
  %13 = getelementptr inbounds double, ptr %2, i64 %11
  %14 = getelementptr inbounds double, ptr %3, i64 %11
  br label %15

15:                                               ; preds = %43, %9
  %16 = phi i64 [ 0, %9 ], [ %17, %43 ]
  %17 = add nuw nsw i64 %16, 1
  %18 = mul nuw nsw i64 %17, %0
  %19 = getelementptr inbounds double, ptr %12, i64 %18
  %20 = mul nuw nsw i64 %16, %0
  %21 = getelementptr inbounds double, ptr %12, i64 %20
  %22 = getelementptr inbounds double, ptr %13, i64 %20
  %23 = getelementptr inbounds double, ptr %14, i64 %20
  %24 = load double, ptr %22, align 8, !tbaa !5
  br label %25

25:                                               ; preds = %25, %15
  %26 = phi double [ %24, %15 ], [ %35, %25 ]
  %27 = phi i64 [ 0, %15 ], [ %33, %25 ]
  %28 = getelementptr inbounds double, ptr %19, i64 %27
  %29 = load double, ptr %28, align 8, !tbaa !5
  %30 = getelementptr inbounds double, ptr %21, i64 %27
  %31 = load double, ptr %30, align 8, !tbaa !5
  %32 = fsub double %29, %31
  %33 = add nuw nsw i64 %27, 1
  %34 = getelementptr inbounds double, ptr %22, i64 %33
  %35 = load double, ptr %34, align 8, !tbaa !5
  %36 = fsub double %35, %26
  %37 = fmul double %36, -5.000000e-01
  %38 = tail call double @llvm.fmuladd.f64(double %32, double 5.000000e-01, double %37)
  %39 = getelementptr inbounds double, ptr %23, i64 %27
  %40 = load double, ptr %39, align 8, !tbaa !5
  %41 = fadd double %40, %38
  store double %41, ptr %39, align 8, !tbaa !5
  %42 = icmp eq i64 %33, %5
  br i1 %42, label %43, label %25, !llvm.loop !9

43:                                               ; preds = %25
  %44 = icmp eq i64 %17, %5
  br i1 %44, label %45, label %15, !llvm.loop !12

45:                                               ; preds = %43
  %46 = add nuw nsw i64 %10, 1
  %47 = icmp eq i64 %46, %5
  br i1 %47, label %48, label %9, !llvm.loop !13

48:                                               ; preds = %45, %4
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
