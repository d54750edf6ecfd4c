/** Validates a form with the server's schema. Pure. */

import type { z } from 'zod'
import { serverMessage } from '../../texts/language/server-message.ts'

/** The first error of each field; fields without an error are absent. */
export function faultsOf(schema: z.ZodType, values: unknown): Record<string, string> {
  const parsed = schema.safeParse(values)
  const faults: Record<string, string> = {}
  if (parsed.success) return faults
  for (const issue of parsed.error.issues) {
    const field = String(issue.path[0] ?? '')
    faults[field] ??= serverMessage(issue.message)
  }
  return faults
}
