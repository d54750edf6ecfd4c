/** Counters of a scan: files seen, and items by their outcome. */

export type ScanCounts = ReturnType<typeof noCounts>

export function noCounts() {
  return { found: 0, new: 0, changed: 0, moved: 0, missing: 0, failed: 0 }
}
