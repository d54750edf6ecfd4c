/** Numbers, counts and sizes in words; tables of messages. */
import { ownLocale } from './locale.ts'

const formatters = new Map<string, Intl.NumberFormat>()

/** Formats a number with the digits of a language, such as '18,412'. `digits`: maximum digits after the point. */
export function figure(number: number, locale = ownLocale, digits = 0): string {
  const key = `${locale} ${digits}`
  const formatter = formatters.get(key) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: digits })
  formatters.set(key, formatter)
  return formatter.format(number)
}

/** '1 file', '2 files', '18,412 items'. */
export function plural(count: number, one: string, many = `${one}s`, locale?: string): string {
  return `${figure(count, locale)} ${count === 1 ? one : many}`
}

/** '12.5 km', '3,4 Mo': a quantity with its unit in a language. `unit`: as in `Intl`. */
export function quantityText(value: number, unit: string, locale = ownLocale, digits = 1): string {
  // Persian has no short names of sizes in its own letters.
  const unitDisplay = locale.startsWith('fa') ? 'long' : 'short'
  const style = { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat(locale, style).format(value)
}

/** 'km', '公里': the short name of a unit. `unit`: as in `Intl`. */
export function unitName(unit: string, locale = ownLocale): string {
  const parts = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).formatToParts(2)
  return parts.find(({ type }) => type === 'unit')?.value ?? unit
}

/** A share of 0.87 as '87 %' or '۸۷٪'. */
export function percentText(share: number, locale = ownLocale): string {
  const percent = Math.round(share * 100)
  return locale.startsWith('en')
    ? `${percent} %`
    : new Intl.NumberFormat(locale, { style: 'percent' }).format(percent / 100)
}

/** Writes the digits of a text, such as '3:12', as the language of the page does. */
export const inOwnDigits = (text: string): string => text.replace(/\d/g, digit => figure(Number(digit)))

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
const unitNames = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte']

/** '289 KB', '3.4 MB': decimal units, as used for disks. */
export function sizeText(bytes: number, locale = ownLocale): string {
  let size = Math.max(0, bytes)
  let unit = 0
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  const digits = unit > 0 && size < 9.95 ? 1 : 0
  return locale.startsWith('en')
    ? `${figure(size, locale, digits)} ${units[unit]}`
    : quantityText(size, unitNames[unit] ?? 'byte', locale, digits)
}

/** The key of a message in its table: `name` itself, or 'other' for a name that only a newer server knows. */
export function messageKey<Table extends { other: unknown }>(table: Table, name: string): keyof Table {
  return Object.hasOwn(table, name) ? (name as keyof Table) : 'other'
}
