void gradient(int rows, int width, float *restrict out)
{
    for (int i = 0; i < rows * width; i++)
        out[i] = 0.5f * (float)(i % width) + 0.25f * (float)(i / width);
}
