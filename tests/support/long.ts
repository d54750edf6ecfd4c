/** `npm run test:long` repeats more and takes more items than `npm test`. */
export const isLong = process.env.KEEPSAKE_LONG === '1'
