// SPDX-License-Identifier: GPL-2.0-only
/* An instrumented file without a function to instrument. */

int table[] = { 1, 2, 3 };

__attribute__((__no_profile_instrument_function__)) int main(void)
{
	return table[0] - 1;
}
