/** What a scan counts. */

/** The figures of a scan: files seen, and items by what became of them. */
export interface ScanCounts {
  found: number
  new: number
  changed: number
  moved: number
  missing: number
  failed: number
}

/** Of a scan that begins. */
export function noCounts(): ScanCounts {
  return { found: 0, new: 0, changed: 0, moved: 0, missing: 0, failed: 0 }
}
