/** Tests that run, or do more, only in `npm run test:long`. */
import { test } from 'bun:test'

/** Set by `npm run test:long`, which repeats more and uses more items than `npm test`. */
export const isLong = process.env.LONG_TESTS === '1'

/** A test of a rare case, which runs only in `npm run test:long`. */
export function longTest(name: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (isLong) test(name, run, timeoutMs)
}
