/** The specified realtime message, its channels, and the frames of the websocket. */
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
  /** On the channel of a user: their favourites have changed. */
  favourite: z.unknown().optional(),
  album: z.unknown().optional(),
  job: z.unknown().optional(),
  /** On the channel 'session': what the connection may still receive. */
  session: z.unknown().optional(),
  /** The subject, from `contextOf`. The server sets it on every message. */
  context: z.string().optional(),
  /** Id of a finished slideshow's file. */
  fileid: z.string().optional(),
})
export type RealtimeMessage = z.infer<typeof realtimeMessage>

const subjects = [
  'item',
  'collection',
  'person',
  'object',
  'keystring',
  'plugin',
  'favourite',
  'album',
  'job',
  'session',
] as const

/** Name of a message's content, or else of its channel: 'item', 'job', 'users'. */
export function contextOf(channel: string, message: RealtimeMessage): string {
  return subjects.find(name => message[name] !== undefined) ?? channel.replace(/-\d+$/, '')
}

/** Channels by subject. Collections, tasks, people and objects also have a channel for all, with id 0. */
export const channels = {
  collection: (id: number) => `collection-${id}`,
  object: (id: number) => `object-${id}`,
  person: (id: number) => `person-${id}`,
  keystrings: 'keystring-0',
  plugins: 'plugins',
  /** Accounts, for global admins: an account has changed (without its id). */
  users: 'users',
  /** The audit log, for global admins: there are new entries. */
  audit: 'audit',
  /** Groups of unnamed faces, for editors: some have changed (without ids). */
  faceGroups: 'face-groups',
  /** Albums: some have changed (without ids). */
  albums: 'albums',
  /** Folders of the file manager, for global admins: something has changed (without the path). */
  files: 'files',
  rpc: (sub: string) => `RPC#${sub}`,
  slideshow: 'BuildSlideshow',
  task: (id: number) => `task-${id}`,
  /** Internal channels begin with '.': they wake other processes and are never sent to a browser. */
  jobs: '.jobs',
  /** This machine: a server started or stopped, or the cache was counted. These events are never stored. */
  machine: '.machine',
  sessions: '.sessions',
  rights: '.rights',
} as const

/** Path of the websocket on the page's own server. */
export const realtimePath = '/v1/realtime'

/** Matches a response to its request. */
export const requestId = z.union([z.int(), z.string().max(100)])
export type RequestId = z.output<typeof requestId>

const names = z.array(z.string().min(1).max(100)).min(1).max(limits.realtime.subscriptions)

/** An RPC to a plugin: its folder, the method and the arguments. */
export const pluginRpc = z.object({
  module: z.string().min(1).max(100),
  method: z.string().min(1).max(100),
  data: z.unknown().optional(),
})
export type PluginRpc = z.output<typeof pluginRpc>

/** The result of a plugin's method, or the job that will produce it. */
export type PluginReply = { result: unknown } | { job: number }

/**
 * Client frames. The first is `authenticate`: a visitor sends no token; after a reconnect, `lastEvent` asks for missed
 * events. `authenticate` may be sent again when the session was renewed.
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

/** Response to `authenticate`. `event`: the newest event, for the next `lastEvent`. `reload`: too many were missed. */
export const authenticated = z.object({
  user: z.object({ id: z.int(), username: z.string(), globaladmin: z.boolean() }).nullable(),
  event: z.int(),
  reload: z.boolean(),
})
export type Authenticated = z.output<typeof authenticated>

/** Response to `subscribe`: refused and unknown channels look the same. */
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

/** Server frames: responses with the request's id (null if it could not be read), and messages of channels. */
export const serverFrame = z.union([
  z.object({ id: requestId.nullable(), error: refusal }),
  z.object({ id: requestId, result: z.unknown() }),
  z.object({
    channel: z.string(),
    message: realtimeMessage,
    /** Event id, which increases; absent if the message is only for this connection. */
    event: z.int().optional(),
  }),
])
export type ServerFrame = z.output<typeof serverFrame>

/** Channel for messages about the connection itself; clients do not subscribe to it. */
export const sessionChannel = 'session'

/** Close codes of the server. */
export const closeCodes = {
  /** No authentication in time, or too many messages. */
  policy: 1008,
  /** The server is stopping, or the connection failed. */
  goingAway: 1001,
  /** The session has ended: sign in again, or reconnect as a visitor. */
  sessionEnded: 4401,
  /** Messages were not read in time: reconnect with the last event. */
  tooSlow: 4409,
} as const
