/** The current year, as the upper limit of typed dates. */

/** Where the year begins first, 14 hours before UTC: nobody's today is refused. */
export function latestYear(now = Date.now()): number {
  return new Date(now + 14 * 3_600_000).getUTCFullYear()
}
