/** Counted things in words. */

/** '1 file', '2 files', '18,412 items' in the figures of this place. */
export function plural(count: number, one: string, many = `${one}s`, locale?: string): string {
  return `${count.toLocaleString(locale)} ${count === 1 ? one : many}`
}
