/** Who may subscribe to a channel, and what each subscriber receives of a message, decided at each delivery. */
import { z } from 'zod'
import { job as jobShape } from '../../schema/api/jobs.ts'
import { type KeyKind, keyOf } from '../../schema/keys.ts'
import { channels, type RealtimeMessage } from '../../schema/realtime.ts'
import { collections } from '../../schema/tables/collections.ts'
import { plugins } from '../../schema/tables/plugins.ts'
import { keystrings, objects, people } from '../../schema/tables/vocabulary.ts'
import { isSignedIn, type Rights, rightsOn, terminalViewer, type Viewer } from '../accounts/access.ts'
import { conditionOf } from '../filter/condition.ts'
import { everything } from '../filter/filter.ts'
import { frameQuery, inFrame } from '../filter/frame.ts'
import { type ItemListKind, visibleItems } from '../filter/visible-items.ts'
import type { Items } from '../items/items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { findBy } from '../kernel/database/find-by.ts'
import { type Fragment, raw, sql } from '../kernel/database/sql-fragment.ts'
import type { LibraryEvent } from '../kernel/events.ts'
import { type Jobs, maySeeFileNames, withoutNames } from '../work/jobs.ts'
import { collectionsOfItems, itemsAmong, keyedAmong } from './realtime.sql.ts'

const numberedKinds = ['collection', 'task', 'person', 'object'] as const
const plainKinds = ['keystrings', 'plugins', 'slideshow', 'users', 'audit', 'faceGroups', 'files', 'albums'] as const

/** A parsed channel. Internal channels and invalid names are null. */
type Channel =
  /** Id 0 means all that the subscriber may receive. */
  { of: (typeof numberedKinds)[number]; id: number } | { of: (typeof plainKinds)[number] } | { of: 'rpc'; sub: string }

function channelOf(name: string): Channel | null {
  const numbered = /^(collection|person|object|task)-(0|[1-9]\d{0,14})$/.exec(name)
  const kind = numberedKinds.find(of => of === numbered?.[1])
  if (kind !== undefined) return { of: kind, id: Number(numbered?.[2]) }
  const plain = plainKinds.find(of => channels[of] === name)
  if (plain !== undefined) return { of: plain }
  const sub = /^RPC#(\d{1,15})$/.exec(name)?.[1]
  return sub === undefined ? null : { of: 'rpc', sub }
}

/** For the channel of one collection, task, person or object: the channel of all of them. Null for other channels. */
export function channelOfAll(name: string): string | null {
  const channel = channelOf(name)
  return channel !== null && 'id' in channel && channel.id !== 0 ? channels[channel.of](0) : null
}

/** Channels whose messages depend on the user, not only on their rights. */
export function isPersonal(name: string): boolean {
  const of = channelOf(name)?.of
  return of === 'task' || of === 'slideshow' || of === 'rpc'
}

const withId = z.object({ id: z.int() })
/** `left`: the item was in everybody's list until this change hid it. */
const itemOf = z.object({ id: z.int(), left: z.boolean().optional() })
const pluginOf = z.object({ id: z.int(), active: z.boolean().optional() })

function idOf(value: unknown): number | null {
  const parsed = withId.safeParse(value)
  return parsed.success ? parsed.data.id : null
}

const fingerprints = new WeakMap<ReadonlyMap<number, Rights>, string>()

function fingerprint(rights: ReadonlyMap<number, Rights>): string {
  let text = fingerprints.get(rights)
  if (text === undefined) {
    const one = ([id, { view, create, update, admin }]: [number, Rights]) =>
      [id, view, create, update, admin].map(Number)
    text = JSON.stringify([...rights].map(one).sort(([a = 0], [b = 0]) => a - b))
    fingerprints.set(rights, text)
  }
  return text
}

/** Viewers with the same text receive the same on all channels except personal ones. */
export function audienceKey(viewer: Viewer): string {
  const who = viewer.globalAdmin ? 'all' : `${isSignedIn(viewer) ? 'user' : 'visitor'} ${fingerprint(viewer.rights)}`
  return viewer.unlockValue === null ? who : `${who} unlocked`
}

function editsSomewhere(viewer: Viewer): boolean {
  return viewer.globalAdmin || [...viewer.rights.values()].some(({ update }) => update)
}

/** A message with only its general fields and the given ones, so that a field added by mistake is not published. */
function messageWith({ action, level, message }: RealtimeMessage, fields: Partial<RealtimeMessage>): RealtimeMessage {
  return {
    action,
    ...(level === undefined ? {} : { level }),
    ...(message === undefined ? {} : { message }),
    ...fields,
  }
}

interface Sources {
  db: LibraryDatabase
  items: Items
  jobs: Jobs
}

const rowsById = {
  person: findBy(people, people.id),
  object: findBy(objects, objects.id),
  collection: findBy(collections, collections.id),
}
const keystringById = findBy(keystrings, keystrings.id)
const pluginById = findBy(plugins, plugins.id)

function exists({ db }: Sources, of: keyof typeof rowsById, id: number): boolean {
  return rowsById[of](db, id) !== undefined
}

/** Condition: the row `i` (of the table `from`) belongs to an item that the viewer sees. */
function visibleCondition(
  { db }: Sources,
  viewer: Viewer,
  { which = 'live', from }: { which?: ItemListKind; from: 'items' | 'keyed' },
  includeHidden = viewer.unlockValue !== null,
): Fragment {
  const { frame, rest } = frameQuery(visibleItems(db, viewer, { includeHidden, which }), everything)
  const id = raw(from === 'items' ? 'i.id' : 'i.item_id')
  const row = { taken: raw('i.taken'), id, collection: raw('i.collection_id'), items: () => raw('i') }
  return sql`${inFrame(frame, 'i')} AND ${conditionOf(rest, row, { fewRows: true })}`
}

/** The items that the viewer sees in one of these lists. */
function visibleIn(
  sources: Sources,
  viewer: Viewer,
  ids: readonly number[],
  lists: readonly ItemListKind[],
  includeHidden?: boolean,
): Set<number> {
  const seen = new Set<number>()
  for (const which of ids.length === 0 ? [] : lists) {
    const { text, values } = visibleCondition(sources, viewer, { which, from: 'items' }, includeHidden)
    for (const { id } of sources.db.all(itemsAmong(text), JSON.stringify(ids), ...values)) seen.add(id)
  }
  return seen
}

function seesKey(sources: Sources, viewer: Viewer, kind: KeyKind, id: number): boolean {
  // People and places of some collections are hidden from visitors.
  const excluded = kind === 'keystring' ? [] : sources.items.privateCollections(viewer)
  const { text, values } = visibleCondition(sources, viewer, { from: 'keyed' })
  return sources.db.get(keyedAmong(text), keyOf(kind, id), ...values, JSON.stringify(excluded)) !== null
}

function seesSubject(sources: Sources, viewer: Viewer, of: 'person' | 'object', id: number): boolean {
  return exists(sources, of, id) && (editsSomewhere(viewer) || seesKey(sources, viewer, of, id))
}

/** Whether the viewer started a task: only they may subscribe to its channel. Administrators can list all jobs. */
function startedTask({ jobs }: Sources, viewer: Viewer, id: number): boolean {
  return isSignedIn(viewer) && viewer.userId !== null && jobs.row(id)?.userId === viewer.userId
}

/** A message about a task, without the current file if a keystring may hide the item of that file. */
function taskMessage({ db }: Sources, viewer: Viewer, message: RealtimeMessage): RealtimeMessage {
  const { data: job } = jobShape.safeParse(message.job)
  if (job === undefined || maySeeFileNames(db, viewer)) return messageWith(message, { job: message.job })
  const visible = messageWith(message, { job: withoutNames(job, false) })
  if (job.state === 'running') delete visible.message
  return visible
}

/** Whether the viewer may subscribe. The result is the same for a forbidden channel and for one that does not exist. */
function maySubscribe(sources: Sources, viewer: Viewer, name: string): boolean {
  const channel = channelOf(name)
  switch (channel?.of) {
    case undefined:
      return false
    case 'collection':
      return channel.id === 0 || (rightsOn(viewer, channel.id).view && exists(sources, 'collection', channel.id))
    case 'person':
    case 'object':
      return channel.id === 0 || seesSubject(sources, viewer, channel.of, channel.id)
    case 'keystrings':
    case 'plugins':
    case 'albums':
      return true
    case 'slideshow':
      return isSignedIn(viewer)
    case 'users':
    case 'audit':
    case 'files':
      return viewer.globalAdmin
    case 'faceGroups':
      return editsSomewhere(viewer)
    case 'task':
      return channel.id === 0 ? isSignedIn(viewer) : startedTask(sources, viewer, channel.id)
    case 'rpc':
      return viewer.userId !== null && channel.sub === String(viewer.userId)
  }
}

function collectionMessage(viewer: Viewer, id: number, message: RealtimeMessage): RealtimeMessage {
  const visible = messageWith(message, { collection: { id } })
  // Texts may contain paths, which only administrators of the collection may see.
  if (!rightsOn(viewer, id).admin) delete visible.message
  return visible
}

function subjectMessage(
  sources: Sources,
  viewer: Viewer,
  { of, id }: { of: 'person' | 'object'; id: number },
  message: RealtimeMessage,
  onAll: boolean,
): RealtimeMessage | null {
  const visible = messageWith(message, { [of]: { id } })
  if (seesSubject(sources, viewer, of, id)) return visible
  // Subscribers of its own channel knew that it existed. On the channel of all, only editors are told that it is gone.
  const isGone = !exists(sources, of, id)
  return isGone && (!onAll || editsSomewhere(viewer)) ? visible : null
}

function keystringMessage(sources: Sources, viewer: Viewer, message: RealtimeMessage): RealtimeMessage | null {
  const id = idOf(message.keystring)
  const row = id === null ? undefined : keystringById(sources.db, id)
  const edits = editsSomewhere(viewer)
  if (row !== undefined && (!row.isHidden || viewer.unlockValue !== null)) {
    if (edits || seesKey(sources, viewer, 'keystring', row.id)) return messageWith(message, { keystring: { id } })
  }
  // A hidden keystring, or a deleted one: only editors, who list all keystrings, are told that something changed.
  return edits ? { action: 'update' } : null
}

function pluginMessage({ db }: Sources, viewer: Viewer, message: RealtimeMessage): RealtimeMessage | null {
  const { data: plugin } = pluginOf.safeParse(message.plugin)
  if (plugin === undefined) return null
  const isActive = pluginById(db, plugin.id)?.active === true
  // Clients that have loaded the plugin must be notified that it was switched off.
  return viewer.globalAdmin || isActive || plugin.active === false ? messageWith(message, { plugin }) : null
}

function slideshowMessage({ jobs }: Sources, viewer: Viewer, message: RealtimeMessage): RealtimeMessage | null {
  const id = idOf(message.job)
  const owner = id === null ? null : (jobs.row(id)?.userId ?? null)
  if (owner === null || owner !== viewer.userId) return null
  return messageWith(message, {
    job: { id },
    ...(message.fileid === undefined ? {} : { fileid: message.fileid }),
  })
}

/** Calls `make` on first use and caches the result. */
function lazily<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Loads the subjects of these events once for all viewers. Returns a function that makes the messages for a viewer. */
function createMessageMaker(sources: Sources, events: readonly LibraryEvent[]) {
  const ids = new Set<number>()
  for (const { channel, message } of events) {
    const id = channelOf(channel)?.of === 'collection' ? idOf(message.item) : null
    if (id !== null) ids.add(id)
  }
  const all = [...ids]
  /** The collection of each item that still exists, by the item's id. */
  const collectionById = lazily(
    () => new Map(sources.db.all(collectionsOfItems, JSON.stringify(all)).map(row => [row.id, row.collectionId])),
  )
  /** Items that no keystring hides, whatever their state. */
  const unhidden = lazily(() => visibleIn(sources, terminalViewer, all, ['live', 'deleted', 'missing'], false))

  return (viewer: Viewer) => {
    const listed = lazily(() => visibleIn(sources, viewer, all, ['live']))
    const unlisted = lazily(() => visibleIn(sources, viewer, all, editsSomewhere(viewer) ? ['deleted', 'missing'] : []))
    const isUnlocked = viewer.unlockValue !== null

    function itemMessage(collectionId: number, message: RealtimeMessage): RealtimeMessage | null {
      const { data: item } = itemOf.safeParse(message.item)
      if (item === undefined) return null
      const { id } = item
      const current = collectionById().get(id)
      if (current !== undefined && (listed().has(id) || unlisted().has(id)))
        return messageWith(message, { item: { id, collection_id: current } })
      const left: RealtimeMessage = { action: 'delete', item: { id, collection_id: collectionId } }
      if (current === undefined) {
        // The purged item may have been hidden: only users who may see the recycle bin knew that it existed.
        if (!rightsOn(viewer, collectionId).update) return null
        return isUnlocked ? left : { action: 'update', collection: { id: collectionId } }
      }
      if (!isUnlocked && !unhidden().has(id) && item.left !== true) return null
      // Recycled, hidden, or moved to where this viewer does not see it: reported as gone, without the new place.
      return message.action === 'delete' || current !== collectionId || item.left === true ? left : null
    }

    /** Returns an event's message for this viewer, or null. `onAll`: they subscribe to all channels of the kind. */
    return ({ channel: name, message }: LibraryEvent, onAll = false): RealtimeMessage | null => {
      const channel = channelOf(name)
      switch (channel?.of) {
        case undefined:
          return null
        case 'collection':
          // To subscribe to a single collection, this right was required already.
          if (onAll && !rightsOn(viewer, channel.id).view) return null
          if (message.item !== undefined) return itemMessage(channel.id, message)
          return collectionMessage(viewer, channel.id, message)
        case 'person':
        case 'object':
          return subjectMessage(sources, viewer, { of: channel.of, id: channel.id }, message, onAll)
        case 'keystrings':
          return keystringMessage(sources, viewer, message)
        case 'plugins':
          return pluginMessage(sources, viewer, message)
        case 'slideshow':
          return slideshowMessage(sources, viewer, message)
        case 'users':
        case 'audit':
        case 'files':
          return viewer.globalAdmin ? { action: 'update' } : null
        case 'albums':
          return { action: 'update', album: {} }
        case 'faceGroups':
          return editsSomewhere(viewer) ? { action: 'update' } : null
        case 'task':
          return startedTask(sources, viewer, channel.id) ? taskMessage(sources, viewer, message) : null
        case 'rpc':
          return maySubscribe(sources, viewer, name)
            ? messageWith(message, { job: message.job, plugin: message.plugin, favourite: message.favourite })
            : null
      }
    }
  }
}

export function createChannels(sources: Sources) {
  return {
    maySubscribe: (viewer: Viewer, name: string): boolean => maySubscribe(sources, viewer, name),
    messagesOf: (events: readonly LibraryEvent[]) => createMessageMaker(sources, events),
  }
}
