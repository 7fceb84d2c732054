/* Layers of a language model in single precision. */
#include <math.h>

void layernorm_forward(float *out, float *mean, float *rstd, float *inp, float *weight, float *bias, int B, int T, int C) {
  float eps = 1e-5f;
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      float *x = inp + b * T * C + t * C;
      float m = 0.0f;
      for (int i = 0; i < C; i++) m += x[i];
      m = m / C;
      float v = 0.0f;
      for (int i = 0; i < C; i++) {
        float xshift = x[i] - m;
        v += xshift * xshift;
      }
      v = v / C;
      float s = 1.0f / sqrtf(v + eps);
      float *o = out + b * T * C + t * C;
      for (int i = 0; i < C; i++) o[i] = (s * (x[i] - m)) * weight[i] + bias[i];
      mean[b * T + t] = m;
      rstd[b * T + t] = s;
    }
}

void linear_forward(float *out, const float *inp, const float *weight, const float *bias, int BT, int C, int OC) {
  for (int bt = 0; bt < BT; bt++)
    for (int o = 0; o < OC; o++) {
      float val = (bias != 0) ? bias[o] : 0.0f;
      for (int i = 0; i < C; i++) val += inp[bt * C + i] * weight[o * C + i];
      out[bt * OC + o] = val;
    }
}

void linear_backward(float *dinp, float *dweight, float *dbias, const float *dout, const float *inp, const float *weight,
                     int BT, int C, int OC) {
  for (int bt = 0; bt < BT; bt++)
    for (int o = 0; o < OC; o++) {
      const float *wrow = weight + o * C;
      float d = dout[bt * OC + o];
      for (int i = 0; i < C; i++) dinp[bt * C + i] += wrow[i] * d;
    }
  for (int o = 0; o < OC; o++)
    for (int bt = 0; bt < BT; bt++) {
      float *dwrow = dweight + o * C;
      float d = dout[bt * OC + o];
      if (dbias != 0) dbias[o] += d;
      for (int i = 0; i < C; i++) dwrow[i] += inp[bt * C + i] * d;
    }
}

/* Causal attention of one head. */
void attention_head(float *out, float *att, const float *q, const float *k, const float *v, int T, int hs) {
  float scale = 1.0 / sqrtf(hs);
  for (int t = 0; t < T; t++) {
    float *row = att + t * T;
    float maxval = -10000.0f;
    for (int t2 = 0; t2 <= t; t2++) {
      float val = 0.0f;
      for (int i = 0; i < hs; i++) val += q[t * hs + i] * k[t2 * hs + i];
      val *= scale;
      if (val > maxval) maxval = val;
      row[t2] = val;
    }
    float expsum = 0.0f;
    for (int t2 = 0; t2 <= t; t2++) {
      float expv = expf(row[t2] - maxval);
      expsum += expv;
      row[t2] = expv;
    }
    float inv = expsum == 0.0f ? 0.0f : 1.0f / expsum;
    for (int t2 = 0; t2 < T; t2++) row[t2] = t2 <= t ? row[t2] * inv : 0.0f;
    for (int i = 0; i < hs; i++) out[t * hs + i] = 0.0f;
    for (int t2 = 0; t2 <= t; t2++) {
      float a = row[t2];
      for (int i = 0; i < hs; i++) out[t * hs + i] += a * v[t2 * hs + i];
    }
  }
}

void gelu_forward(float *out, float *inp, int N) {
  for (int i = 0; i < N; i++) {
    float x = inp[i];
    float cube = 0.044715f * x * x * x;
    out[i] = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + cube)));
  }
}

void residual_forward(float *out, float *inp1, float *inp2, int N) {
  for (int i = 0; i < N; i++) out[i] = inp1[i] + inp2[i];
}

void softmax_rows(float *probs, float *logits, int rows, int V) {
  for (int r = 0; r < rows; r++) {
    float *l = logits + r * V, *p = probs + r * V;
    float maxval = -10000.0f, sum = 0.0f;
    for (int i = 0; i < V; i++)
      if (l[i] > maxval) maxval = l[i];
    for (int i = 0; i < V; i++) {
      p[i] = expf(l[i] - maxval);
      sum += p[i];
    }
    for (int i = 0; i < V; i++) p[i] /= sum;
  }
}

float cross_entropy(float *losses, const float *probs, const int *targets, int rows, int V) {
  float mean = 0.0f;
  for (int r = 0; r < rows; r++) {
    losses[r] = -logf(probs[r * V + targets[r]]);
    mean += losses[r];
  }
  return mean / rows;
}

void adamw_update(float *params, float *grads, float *m_memory, float *v_memory, long n, float lr, float beta1, float beta2,
                  float eps, float decay, int t) {
  for (long i = 0; i < n; i++) {
    float param = params[i], grad = grads[i];
    float m = beta1 * m_memory[i] + (1.0f - beta1) * grad;
    float v = beta2 * v_memory[i] + (1.0f - beta2) * grad * grad;
    float m_hat = m / (1.0f - powf(beta1, t)), v_hat = v / (1.0f - powf(beta2, t));
    m_memory[i] = m;
    v_memory[i] = v;
    params[i] -= lr * (m_hat / (sqrtf(v_hat) + eps) + decay * param);
  }
}

void embedding_forward(float *out, const int *tokens, const float *wte, const float *wpe, int T, int C) {
  for (int t = 0; t < T; t++)
    for (int i = 0; i < C; i++) out[t * C + i] = wte[tokens[t] * C + i] + wpe[t * C + i];
}
