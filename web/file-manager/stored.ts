/** The stored state of a file manager, by its id. */
import { z } from 'zod'
import { readStored, writeStored } from '../kit/stored.ts'

const storedPreferences = z.object({
  viewport: z.enum(['list', 'grid']).optional().catch(undefined),
  /** Absent: the page's option applies. */
  darkMode: z.boolean().optional().catch(undefined),
  fullScreen: z.boolean().optional().catch(undefined),
  /** Absent: the page's option applies. */
  locale: z.string().optional().catch(undefined),
  /** The texts that were shown last, so that the next start does not show English first. */
  translations: z.record(z.string(), z.string()).optional().catch(undefined),
  translationsOf: z.string().optional().catch(undefined),
})
export type StoredPreferences = z.output<typeof storedPreferences>

const keyOf = (id: string) => `file-manager.${id}`

export const readPreferences = (id: string): StoredPreferences => readStored(keyOf(id), storedPreferences) ?? {}

export const writePreferences = (id: string, change: StoredPreferences): void =>
  writeStored(keyOf(id), { ...readPreferences(id), ...change })
