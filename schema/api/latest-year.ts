/** The year that it is, for limits of dates that people type. */

/** Where it begins first, 14 hours before UTC: nobody's today is refused, wherever user and server are. */
export function latestYear(now = Date.now()): number {
  return new Date(now + 14 * 3_600_000).getUTCFullYear()
}
