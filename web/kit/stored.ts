/** localStorage; this is the only module that touches it. */
import type { z } from 'zod'

/** Reads a stored value; null if there is none or it is invalid. */
export function readStored<T>(key: string, schema: z.ZodType<T>): T | null {
  try {
    const text = localStorage.getItem(key)
    if (text === null) return null
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** Stores a value; null removes it. If the browser forbids storing, the page still works. */
export function writeStored(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Private windows and full storage: nothing is stored, but nothing else is lost.
  }
}

/** Calls back when another tab changes a value. */
export function onStoredElsewhere(key: string, act: () => void): void {
  addEventListener('storage', event => {
    if (event.key === key || event.key === null) act()
  })
}
