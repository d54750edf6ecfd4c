/** Formatting and parsing of sizes, in binary multiples. */
const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** Formats a size: `52.4 KiB`. */
export function sizeText(bytes: number, locale?: string): string {
  let value = Math.max(0, bytes)
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1
  return `${value.toLocaleString(locale, { maximumFractionDigits: digits })} ${units[unit] ?? ''}`
}

/** Parses `10mb`, `1.5 GB` or `2048` as bytes; null for other texts. */
export function bytesOf(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgtp]?)(?:i?b)?\s*$/i.exec(text)
  if (match === null) return null
  const power = ['', 'k', 'm', 'g', 't', 'p'].indexOf((match[2] ?? '').toLowerCase())
  return Math.round(Number(match[1]) * 1024 ** power)
}
