/* Mixes a mono voice into an interleaved stereo bus. */
void MixInto(int frames, float *bus, const float *voice, const float *pan)
{
    for (int t = 0; t < frames; ++t)
    {
        bus[2 * t] += voice[t] * pan[0];
        bus[2 * t + 1] += voice[t] * pan[1];
    }
}
