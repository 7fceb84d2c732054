namespace {
class Matrix {
public:
    Matrix(double* d, int n) : d_(d), n_(n) {}
    double& operator()(int r, int c) { return d_[r * n_ + c]; }
    int rows() const { return n_; }
private:
    double* d_;
    int n_;
};
}  // namespace

extern "C" {
void scale_diag(int n, double *a, const double *s)
{
    Matrix m(a, n);
    for (int r = 0; r < m.rows(); ++r)
        for (int c = 0; c < m.rows(); ++c)
            m(r, c) *= s[c];
}
}
