/** The current year, the maximum in typed dates. */

/** The year in the earliest time zone, 14 hours ahead of UTC, so that nobody's present date is refused. */
export function latestYear(now = Date.now()): number {
  return new Date(now + 14 * 3_600_000).getUTCFullYear()
}
