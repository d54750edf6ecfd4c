/** What a scan counts: files seen, and items by what became of them. */

export type ScanCounts = ReturnType<typeof noCounts>

/** Of a scan that begins. */
export function noCounts() {
  return { found: 0, new: 0, changed: 0, moved: 0, missing: 0, failed: 0 }
}
