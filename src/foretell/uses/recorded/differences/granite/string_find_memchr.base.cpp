extern "C" {
void next_newline(int n, const unsigned char *text, int *at)
{
    const unsigned char *p = text, *end = text + n;
    while (p != end && *p != '\n')
        ++p;
    *at = static_cast<int>(p - text);
}
}
