/** What this browser remembers. The only module that touches localStorage. */
import type { z } from 'zod'

const prefix = 'keepsake.'

/** Reads what was stored; null where there is nothing, or nothing that still makes sense. */
export function readStored<T>(name: string, schema: z.ZodType<T>): T | null {
  try {
    const text = localStorage.getItem(prefix + name)
    if (text === null) return null
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** Stores a value; null forgets it. Where the browser forbids storing, the page works without. */
export function writeStored(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // Private windows and full storage: nothing is remembered, nothing else is lost.
  }
}

/** Calls when another tab changes a value. */
export function onStoredElsewhere(name: string, act: () => void): void {
  addEventListener('storage', event => {
    if (event.key === prefix + name || event.key === null) act()
  })
}
