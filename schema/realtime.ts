/** The realtime message of the specification, the channels it travels on, and the frames of the websocket. */
import { z } from 'zod'

export const realtimeMessage = z.object({
  action: z.enum(['create', 'update', 'delete', 'complete']),
  level: z.enum(['error', 'notice', 'status']).optional(),
  message: z.string().optional(),
  item: z.unknown().optional(),
  collection: z.unknown().optional(),
  person: z.unknown().optional(),
  object: z.unknown().optional(),
  keystring: z.unknown().optional(),
  plugin: z.unknown().optional(),
  job: z.unknown().optional(),
})
export type RealtimeMessage = z.infer<typeof realtimeMessage>

/** Channels by what they speak of. */
export const channels = {
  collection: (id: number) => `collection-${id}`,
  object: (id: number) => `object-${id}`,
  person: (id: number) => `person-${id}`,
  keystrings: 'keystring-0',
  plugins: 'plugins',
  rpc: (sub: string) => `RPC#${sub}`,
  slideshow: 'BuildSlideshow',
  task: (id: number) => `task-${id}`,
  /** Inner channels begin with '.': they wake other processes and never reach a browser. */
  jobs: '.jobs',
  sessions: '.sessions',
  rights: '.rights',
} as const
