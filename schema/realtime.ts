/** The realtime message of the specification, the channels it travels on, and the frames of the websocket. */
import { z } from 'zod'
import { limits } from './limits.ts'

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
  /** On the channel 'session': what the connection may still hear. */
  session: z.unknown().optional(),
  /** What it is about: `contextOf`. The server sets it on every message. */
  context: z.string().optional(),
  /** Of a slideshow that is complete. */
  fileid: z.string().optional(),
})
export type RealtimeMessage = z.infer<typeof realtimeMessage>

const subjects = ['item', 'collection', 'person', 'object', 'keystring', 'plugin', 'job', 'session'] as const

/** Name of what a message carries, else of its channel: 'item', 'job', 'users'. */
export function contextOf(channel: string, message: RealtimeMessage): string {
  return subjects.find(name => message[name] !== undefined) ?? channel.replace(/-\d+$/, '')
}

/** Channels by what they speak of. Of collections, tasks, people and objects there is also one for all of them, with 0. */
export const channels = {
  collection: (id: number) => `collection-${id}`,
  object: (id: number) => `object-${id}`,
  person: (id: number) => `person-${id}`,
  keystrings: 'keystring-0',
  plugins: 'plugins',
  /** Accounts, for global admins: that one has changed, and not which. */
  users: 'users',
  /** The audit log, for global admins: that it has new entries. */
  audit: 'audit',
  /** Groups of faces without a name, for those who edit: that they have changed, and not which. */
  faceGroups: 'face-groups',
  /** Folders as the file manager shows them, for global admins: that something in one has changed, and not where. */
  files: 'files',
  rpc: (sub: string) => `RPC#${sub}`,
  slideshow: 'BuildSlideshow',
  task: (id: number) => `task-${id}`,
  /** Inner channels begin with '.': they wake other processes and never reach a browser. */
  jobs: '.jobs',
  /** Of this machine, never written down: a server began or ended, the cache was counted. */
  machine: '.machine',
  sessions: '.sessions',
  rights: '.rights',
} as const

/** Where the websocket is, on the server that the page came from. */
export const realtimePath = '/v1/realtime'

/** A frame's way of saying which answer belongs to which question. */
export const requestId = z.union([z.int(), z.string().max(100)])
export type RequestId = z.output<typeof requestId>

const names = z.array(z.string().min(1).max(100)).min(1).max(limits.realtime.subscriptions)

/** An RPC to a plugin: the folder it is in, and what to call with what. */
export const pluginRpc = z.object({
  module: z.string().min(1).max(100),
  method: z.string().min(1).max(100),
  data: z.unknown().optional(),
})
export type PluginRpc = z.output<typeof pluginRpc>

/** What a plugin's method answered, or the job that will. */
export type PluginReply = { result: unknown } | { job: number }

/**
 * What clients send. The first frame is `authenticate`: without a token for a visitor, with `lastEvent` for somebody who was
 * here before and wants what they missed. It may be sent again, when the session was renewed.
 */
export const clientFrame = z.discriminatedUnion('method', [
  z.object({
    id: requestId,
    method: z.literal('authenticate'),
    params: z
      .object({ token: z.string().max(4096).optional(), lastEvent: z.int().nonnegative().optional() })
      .default({}),
  }),
  z.object({ id: requestId, method: z.literal('subscribe'), params: z.object({ channels: names }) }),
  z.object({ id: requestId, method: z.literal('unsubscribe'), params: z.object({ channels: names }) }),
  z.object({
    id: requestId,
    method: z.literal('rpc'),
    params: z.object({ method: z.literal('plugin'), params: pluginRpc }),
  }),
  z.object({ id: requestId, method: z.literal('ping') }),
])
export type ClientFrame = z.output<typeof clientFrame>

/** Answer to `authenticate`. `event` is the newest event: what to come back with. `reload`: too much was missed. */
export const authenticated = z.object({
  user: z.object({ id: z.int(), username: z.string(), globaladmin: z.boolean() }).nullable(),
  event: z.int(),
  reload: z.boolean(),
})
export type Authenticated = z.output<typeof authenticated>

/** Answer to `subscribe`: what is refused and what does not exist look the same. */
export const subscribed = z.object({
  channels: z.array(z.string()),
  refused: z.array(z.string()),
  reload: z.boolean(),
})
export type Subscribed = z.output<typeof subscribed>

const refusal = z.object({
  /** A code of `schema/errors.ts`, or 'unexpected'. */
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  /** Seconds. */
  retryAfter: z.number().optional(),
})

/** What the server sends: answers by the question's id (null: it could not be read), and what happens on channels. */
export const serverFrame = z.union([
  z.object({ id: requestId.nullable(), error: refusal }),
  z.object({ id: requestId, result: z.unknown() }),
  z.object({
    channel: z.string(),
    message: realtimeMessage,
    /** Grows; absent where the message is only for this connection. */
    event: z.int().optional(),
  }),
])
export type ServerFrame = z.output<typeof serverFrame>

/** Channel of messages about the connection itself; nobody subscribes to it. */
export const sessionChannel = 'session'

/** Why the server closes a connection. */
export const closeCodes = {
  /** Nothing was authenticated in time, or too much was sent. */
  policy: 1008,
  /** The server is stopping. */
  goingAway: 1001,
  /** The session has ended: sign in again, or come back as a visitor. */
  sessionEnded: 4401,
  /** Messages were not taken in time: come back with the last event. */
  tooSlow: 4409,
} as const
