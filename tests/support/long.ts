/** Set by `npm run test:long`, which repeats more and uses more items than `npm test`. */
export const isLong = process.env.LONG_TESTS === '1'
