namespace {
class Matrix {
public:
    Matrix(double* d, unsigned n) : d_(d), n_(n) {}
    double& operator()(unsigned r, unsigned c) { return d_[r * n_ + c]; }
    unsigned rows() const { return n_; }
private:
    double* d_;
    unsigned n_;
};
}  // namespace

extern "C" {
void scale_diag(int n, double *a, const double *s)
{
    Matrix m(a, n);
    for (unsigned r = 0; r < m.rows(); ++r)
        for (unsigned c = 0; c < m.rows(); ++c)
            m(r, c) *= s[c];
}
}
