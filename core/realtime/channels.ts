/** Who may listen to a channel, and what of a message each listener is told: decided anew when it is delivered. */
import { z } from 'zod'
import { job as jobShape } from '../../schema/api/jobs.ts'
import { type KeyKind, keyOf } from '../../schema/keys.ts'
import { channels, type RealtimeMessage } from '../../schema/realtime.ts'
import { isSignedIn, type Rights, rightsOn, terminalViewer, type Viewer } from '../accounts/access.ts'
import { conditionOf } from '../filter/condition.ts'
import { everything } from '../filter/filter.ts'
import { askedOf, inFrame } from '../filter/frame.ts'
import { visibleItems, type Which } from '../filter/visible-items.ts'
import type { Items } from '../items/items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type Fragment, idsIn, raw, sql } from '../kernel/database/sql-fragment.ts'
import type { LibraryEvent } from '../kernel/events.ts'
import { type Jobs, namesFiles, withoutNames } from '../work/jobs.ts'

/** A channel that a name stands for. Inner channels and anything else are none. */
type Channel =
  /** 0: all of them that the listener may hear. */
  | { of: 'collection' | 'task' | 'person' | 'object'; id: number }
  | { of: 'keystrings' | 'plugins' | 'slideshow' | 'users' | 'audit' | 'faceGroups' | 'files' }
  | { of: 'rpc'; sub: string }

function channelOf(name: string): Channel | null {
  const numbered = /^(collection|person|object|task)-(0|[1-9]\d{0,14})$/.exec(name)
  if (numbered !== null) {
    const id = Number(numbered[2])
    switch (numbered[1]) {
      case 'collection':
        return { of: 'collection', id }
      case 'task':
        return { of: 'task', id }
      case 'person':
        return { of: 'person', id }
      default:
        return { of: 'object', id }
    }
  }
  if (name === channels.keystrings) return { of: 'keystrings' }
  if (name === channels.plugins) return { of: 'plugins' }
  if (name === channels.slideshow) return { of: 'slideshow' }
  if (name === channels.users) return { of: 'users' }
  if (name === channels.audit) return { of: 'audit' }
  if (name === channels.faceGroups) return { of: 'faceGroups' }
  if (name === channels.files) return { of: 'files' }
  const sub = /^RPC#(\d{1,15})$/.exec(name)?.[1]
  return sub === undefined ? null : { of: 'rpc', sub }
}

/** The channel for all collections, tasks, people or objects that an event on one of them is told on too; else null. */
export function channelOfAll(name: string): string | null {
  const channel = channelOf(name)
  return channel !== null && 'id' in channel && channel.id !== 0 ? channels[channel.of](0) : null
}

/** On these what is told depends on who listens, not only on his rights. */
export function isPersonal(name: string): boolean {
  const of = channelOf(name)?.of
  return of === 'task' || of === 'slideshow' || of === 'rpc'
}

const withId = z.object({ id: z.int() })
/** `left`: it was in everybody's list until this change hid it. */
const itemOf = z.object({ id: z.int(), left: z.boolean().optional() })
const pluginOf = z.object({ id: z.int(), active: z.boolean().optional() })

function idOf(thing: unknown): number | null {
  const parsed = withId.safeParse(thing)
  return parsed.success ? parsed.data.id : null
}

const fingerprints = new WeakMap<ReadonlyMap<number, Rights>, string>()

function fingerprint(rights: ReadonlyMap<number, Rights>): string {
  let text = fingerprints.get(rights)
  if (text === undefined) {
    const letters = ({ view, create, update, admin }: Rights) =>
      `${view ? 'v' : ''}${create ? 'c' : ''}${update ? 'u' : ''}${admin ? 'a' : ''}`
    text = [...rights]
      .sort(([a], [b]) => a - b)
      .map(([id, one]) => id + letters(one))
      .join(' ')
    fingerprints.set(rights, text)
  }
  return text
}

/** Viewers of the same text are told the same on all channels but the personal ones. */
export function hearingOf(viewer: Viewer): string {
  const who = viewer.globalAdmin ? 'all' : `${isSignedIn(viewer) ? 'user' : 'visitor'} ${fingerprint(viewer.rights)}`
  return viewer.unlockValue === null ? who : `${who} unlocked`
}

function editsSomewhere(viewer: Viewer): boolean {
  return viewer.globalAdmin || [...viewer.rights.values()].some(({ update }) => update)
}

/** The message with nothing but what it is about: what an emitter added by mistake reaches nobody. */
function about({ action, level, message }: RealtimeMessage, thing: Partial<RealtimeMessage>): RealtimeMessage {
  return {
    action,
    ...(level === undefined ? {} : { level }),
    ...(message === undefined ? {} : { message }),
    ...thing,
  }
}

export function createChannels({ db, items, jobs }: { db: LibraryDatabase; items: Items; jobs: Jobs }) {
  /** Condition for rows at `i`, whose columns are these, to be of items that the viewer sees. */
  function seenBy(
    viewer: Viewer,
    { which = 'live', from }: { which?: Which; from: 'items' | 'keyed' },
    includeHidden = viewer.unlockValue !== null,
  ): Fragment {
    const { frame, rest } = askedOf(visibleItems(db, viewer, { includeHidden, which }), everything)
    const id = raw(from === 'items' ? 'i.id' : 'i.item_id')
    const row = { taken: raw('i.taken'), id, collection: raw('i.collection_id'), items: () => raw('i') }
    return sql`${inFrame(frame, 'i')} AND ${conditionOf(rest, row, { fewRows: true })}`
  }

  /** Those of the items that the viewer sees in one of these lists. */
  function among(
    viewer: Viewer,
    ids: readonly number[],
    lists: readonly Which[],
    includeHidden?: boolean,
  ): Set<number> {
    const seen = new Set<number>()
    for (const which of ids.length === 0 ? [] : lists) {
      const { text, values } = sql`SELECT i.id FROM json_each(${JSON.stringify(ids)}) AS j
        CROSS JOIN items AS i ON i.id = j.value WHERE ${seenBy(viewer, { which, from: 'items' }, includeHidden)}`
      for (const { id } of db.all<{ id: number }>(text, ...values)) seen.add(id)
    }
    return seen
  }

  /** Is it on an item that the viewer sees? */
  function seesKey(viewer: Viewer, kind: KeyKind, id: number): boolean {
    // People and places of some collections are kept from visitors.
    const kept = kind === 'keystring' ? [] : items.placesKeptFrom(viewer)
    const { text, values } = sql`SELECT 1 FROM keyed AS i WHERE i.key = ${keyOf(kind, id)}
      AND ${seenBy(viewer, { from: 'keyed' })} AND i.collection_id NOT IN ${idsIn(kept)} LIMIT 1`
    return db.get(text, ...values) !== null
  }

  const isThere = (table: 'people' | 'objects' | 'collections', id: number): boolean =>
    db.get(`SELECT 1 FROM ${table} WHERE id = ?`, id) !== null

  function seesSubject(viewer: Viewer, of: 'person' | 'object', id: number): boolean {
    if (!isThere(of === 'person' ? 'people' : 'objects', id)) return false
    return editsSomewhere(viewer) || seesKey(viewer, of, id)
  }

  /** A task's channel reaches only the one who started it; its other administrators see it in the list of jobs. */
  function startedTask(viewer: Viewer, id: number): boolean {
    return isSignedIn(viewer) && viewer.userId !== null && jobs.row(id)?.user_id === viewer.userId
  }

  /** The file at hand may be of an item that a keystring hides. */
  function toldOfTask(viewer: Viewer, message: RealtimeMessage): RealtimeMessage {
    const { data: job } = jobShape.safeParse(message.job)
    if (job === undefined || namesFiles(db, viewer)) return about(message, { job: message.job })
    const told = about(message, { job: withoutNames(job, false) })
    if (job.state === 'running') delete told.message
    return told
  }

  /** Whether the viewer may listen. The same answer for what he may not and for what does not exist. */
  function mayHear(viewer: Viewer, name: string): boolean {
    const channel = channelOf(name)
    switch (channel?.of) {
      case undefined:
        return false
      case 'collection':
        return channel.id === 0 || (rightsOn(viewer, channel.id).view && isThere('collections', channel.id))
      case 'person':
      case 'object':
        return channel.id === 0 || seesSubject(viewer, channel.of, channel.id)
      case 'keystrings':
      case 'plugins':
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
        return channel.id === 0 ? isSignedIn(viewer) : startedTask(viewer, channel.id)
      case 'rpc':
        return viewer.userId !== null && channel.sub === String(viewer.userId)
    }
  }

  function toldOfCollection(viewer: Viewer, id: number, message: RealtimeMessage): RealtimeMessage {
    const told = about(message, { collection: { id } })
    // Its words may name paths, which are for those who administer it.
    if (!rightsOn(viewer, id).admin) delete told.message
    return told
  }

  function toldOfSubject(
    viewer: Viewer,
    { of, id }: { of: 'person' | 'object'; id: number },
    message: RealtimeMessage,
    onAll: boolean,
  ): RealtimeMessage | null {
    const told = about(message, { [of]: { id } })
    if (seesSubject(viewer, of, id)) return told
    // Whoever listened to just this one knew of it; of all of them, whoever may see all of them.
    const isGone = !isThere(of === 'person' ? 'people' : 'objects', id)
    return isGone && (!onAll || editsSomewhere(viewer)) ? told : null
  }

  function toldOfKeystring(viewer: Viewer, message: RealtimeMessage): RealtimeMessage | null {
    const id = idOf(message.keystring)
    const row =
      id === null ? null : db.get<{ hidden: number }>('SELECT is_hidden AS hidden FROM keystrings WHERE id = ?', id)
    const edits = editsSomewhere(viewer)
    if (id !== null && row !== null && (row.hidden === 0 || viewer.unlockValue !== null)) {
      if (edits || seesKey(viewer, 'keystring', id)) return about(message, { keystring: { id } })
    }
    // One that is hidden, or gone and may have been: only that something has changed, and only to those who list them all.
    return edits ? { action: 'update' } : null
  }

  function toldOfPlugin(viewer: Viewer, message: RealtimeMessage): RealtimeMessage | null {
    const { data: plugin } = pluginOf.safeParse(message.plugin)
    if (plugin === undefined) return null
    const isActive = db.get('SELECT 1 FROM plugins WHERE id = ? AND active = 1', plugin.id) !== null
    // That it was switched off must reach those who have loaded it.
    return viewer.globalAdmin || isActive || plugin.active === false ? about(message, { plugin }) : null
  }

  function toldOfSlideshow(viewer: Viewer, message: RealtimeMessage): RealtimeMessage | null {
    const id = idOf(message.job)
    const owner = id === null ? null : (jobs.row(id)?.user_id ?? null)
    if (owner === null || owner !== viewer.userId) return null
    return about(message, {
      job: { id },
      ...(message.fileid === undefined ? {} : { fileid: message.fileid }),
    })
  }

  /** Looks once at what these events speak of; then tells for each viewer what he hears of each of them. */
  function hearing(events: readonly LibraryEvent[]) {
    const ids = new Set<number>()
    for (const { channel, message } of events) {
      const id = channelOf(channel)?.of === 'collection' ? idOf(message.item) : null
      if (id !== null) ids.add(id)
    }
    const all = [...ids]
    /** Collections of the items that there are. */
    let homes: Map<number, number> | null = null
    const homeOf = (id: number) => {
      homes ??= new Map(
        db
          .all<{ id: number; home: number }>(
            'SELECT i.id, i.collection_id AS home FROM json_each(?) AS j CROSS JOIN items AS i ON i.id = j.value',
            JSON.stringify(all),
          )
          .map(row => [row.id, row.home]),
      )
      return homes.get(id)
    }
    /** Items that no keystring hides, wherever they are. */
    let open: Set<number> | null = null
    const isOpen = (id: number) => {
      open ??= among(terminalViewer, all, ['live', 'deleted', 'missing'], false)
      return open.has(id)
    }

    return (viewer: Viewer) => {
      let listed: Set<number> | null = null
      const isListed = (id: number) => {
        listed ??= among(viewer, all, ['live'])
        return listed.has(id)
      }
      let binned: Set<number> | null = null
      const inBin = (id: number) => {
        binned ??= editsSomewhere(viewer) ? among(viewer, all, ['deleted', 'missing']) : new Set()
        return binned.has(id)
      }
      const isUnlocked = viewer.unlockValue !== null

      function toldOfItem(collectionId: number, message: RealtimeMessage): RealtimeMessage | null {
        const { data: item } = itemOf.safeParse(message.item)
        if (item === undefined) return null
        const { id } = item
        const home = homeOf(id)
        if (home !== undefined && (isListed(id) || inBin(id)))
          return about(message, { item: { id, collection_id: home } })
        const left: RealtimeMessage = { action: 'delete', item: { id, collection_id: collectionId } }
        if (home === undefined) {
          // It is gone for good, and nobody can say any more whether it was hidden. Only the bin's readers knew of it.
          if (!rightsOn(viewer, collectionId).update) return null
          return isUnlocked ? left : { action: 'update', collection: { id: collectionId } }
        }
        if (!isUnlocked && !isOpen(id) && item.left !== true) return null
        // Recycled, or moved to where this viewer sees nothing: to him it is gone, and not told where to.
        return message.action === 'delete' || home !== collectionId || item.left === true ? left : null
      }

      /** What this viewer is told of an event; null: nothing. `onAll`: he listens to all of the kind. */
      return ({ channel: name, message }: LibraryEvent, onAll = false): RealtimeMessage | null => {
        const channel = channelOf(name)
        switch (channel?.of) {
          case undefined:
            return null
          case 'collection':
            // Whoever listens to this one alone was let in by just this right.
            if (onAll && !rightsOn(viewer, channel.id).view) return null
            if (message.item !== undefined) return toldOfItem(channel.id, message)
            return toldOfCollection(viewer, channel.id, message)
          case 'person':
          case 'object':
            return toldOfSubject(viewer, { of: channel.of, id: channel.id }, message, onAll)
          case 'keystrings':
            return toldOfKeystring(viewer, message)
          case 'plugins':
            return toldOfPlugin(viewer, message)
          case 'slideshow':
            return toldOfSlideshow(viewer, message)
          case 'users':
          case 'audit':
          case 'files':
            return viewer.globalAdmin ? { action: 'update' } : null
          case 'faceGroups':
            return editsSomewhere(viewer) ? { action: 'update' } : null
          case 'task':
            return startedTask(viewer, channel.id) ? toldOfTask(viewer, message) : null
          case 'rpc':
            return mayHear(viewer, name) ? about(message, { job: message.job, plugin: message.plugin }) : null
        }
      }
    }
  }

  return { mayHear, hearing }
}
