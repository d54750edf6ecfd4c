/** Imports an export of a library into the items of a collection that was scanned from the same files. */
import { and, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import { Failure, sentence } from '../../../schema/errors.ts'
import { items } from '../../../schema/tables/items.ts'
import { requireGlobalAdmin, type Viewer } from '../../accounts/access.ts'
import { userByName } from '../../accounts/user-rows.ts'
import type { CollectionRow } from '../../collections/collections.ts'
import { changeItem, type ItemToEdit, itemToEdit } from '../../editing/item-edit.ts'
import { changedParts } from '../../editing/item-parts.ts'
import { setFavourite } from '../../items/favourites/favourites.ts'
import { chunksOf } from '../../kernel/chunks.ts'
import { type Clock, seconds } from '../../kernel/clock.ts'
import type { Actor, LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import { publishCollections } from '../../kernel/events.ts'
import { requireCollection } from '../../moving/targets.ts'
import { findOrCreateKeystrings, keystringKey } from '../../words/keystrings.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind, onCollection } from '../../work/job-kind.ts'
import type { Jobs } from '../../work/jobs.ts'
import { namesOfParts } from '../../write-back/import-plan.ts'
import { namedCollections } from '../exchange.sql.ts'
import type { ItemLine } from '../exporting/export-format.ts'
import { removeLeftover } from './leftovers.ts'
import { createItemMatcher, type ItemMatch, type MatchedBy } from './match-items.ts'
import { type ExportFile, openExport } from './read-export.ts'
import { coversIn, restoreAlbum, restoreMembership } from './restored-albums.ts'
import { type NameResolver, wantedParts } from './restored-parts.ts'
import {
  keystringId,
  objectId,
  planVocabulary,
  type VocabularyChange,
  type VocabularyPlan,
  vocabularyChanges,
  writeVocabulary,
} from './vocabulary-plan.ts'

const restoreInput = z.object({
  collectionId: z.int().positive(),
  file: z.string(),
  /** Name of the collection within the export. */
  from: z.string(),
  userId: z.int().nullable(),
  step: z.string(),
})
type RestoreInput = z.output<typeof restoreInput>

export interface RestoreParts {
  db: LibraryDatabase
  clock: Clock
  /** `recycle_days` is in seconds. */
  settings: { recycle_days: number | null }
}

const itemsAtOnce = 50
const pauseMs = 5
/** Minimum time that imported recycled items stay in the recycle bin. Seconds. */
const minLeft = 7 * 86_400

/** Chooses a collection of the export: by the name `wanted`; otherwise the only one, or the one like the target. */
function chooseCollection(
  { vocabulary: { collections } }: ExportFile,
  target: CollectionRow,
  wanted: string | undefined,
) {
  const isNamed = (name: string) => (one: { name: string }) => keystringKey(one.name) === keystringKey(name)
  const chosen =
    wanted !== undefined
      ? collections.find(isNamed(wanted))
      : collections.length === 1
        ? collections[0]
        : (collections.find(({ path }) => path === target.path) ?? collections.find(isNamed(target.name)))
  if (chosen !== undefined) return chosen.name
  const names = collections.map(({ name }) => `'${name}'`).join(', ')
  if (wanted !== undefined)
    throw new Failure('notFound', sentence`The export has no collection '${wanted}', but ${names}.`)
  throw new Failure('invalid', sentence`The export has ${names}. Choose the one for '${target.name}': --from NAME`)
}

/** Recycled items keep their time, unless they would be deleted permanently before anybody could check. */
function recycleTimeFor({ clock, settings }: RestoreParts): (at: number) => number {
  const now = seconds(clock)
  return at => (settings.recycle_days === null || at + settings.recycle_days - now >= minLeft ? at : now)
}

interface RestoredItem {
  path: string
  item: number | null
  by: MatchedBy | null
  /** Names of the parts that would change: 'Keywords', 'rotation'. */
  changes: string[]
}

/** Resolves names without creating anything. A name that does not exist yet gets an id that no row has. */
function placeholderNames(db: LibraryDatabase, people: ReadonlyMap<number, number>): NameResolver {
  const made = new Map<string, number>()
  const placeholder = (key: string) => {
    const id = made.get(key) ?? -1 - made.size
    made.set(key, id)
    return id
  }
  return {
    keystring: content => keystringId(db, content) ?? placeholder(`keystring ${keystringKey(content)}`),
    person: number => people.get(number) ?? placeholder(`person ${number}`),
    object: name => objectId(db, name) ?? placeholder(`object ${keystringKey(name)}`),
  }
}

function namesIn(tx: Transaction, people: ReadonlyMap<number, number>): NameResolver {
  return {
    keystring(content) {
      const [id] = findOrCreateKeystrings(tx, [content])
      if (id === undefined) throw new Failure('invalid', 'The export has a keystring without a content.')
      return id
    },
    person: number => people.get(number) ?? null,
    object: name => objectId(tx, name),
  }
}

function subjectsGone(before: ItemToEdit, after: ItemToEdit): { people: number[]; objects: number[] } {
  const gone = (part: 'people' | 'objects') => {
    const left = new Set(after.parts[part].map(({ subject }) => subject))
    return before.parts[part].flatMap(({ subject }) => (subject === null || left.has(subject) ? [] : subject))
  }
  return { people: gone('people'), objects: gone('objects') }
}

function* itemsFrom(file: ExportFile, collection: string): Generator<ItemLine> {
  for (const line of file.items()) if (line.collection === collection) yield line
}

function matcherFor(db: LibraryDatabase, target: CollectionRow, file: ExportFile, from: string) {
  const matcher = createItemMatcher(db, target.id)
  for (const line of itemsFrom(file, from)) matcher.reserve(line)
  return matcher
}

export interface RestorePlan {
  from: string
  words: VocabularyChange[]
  items: Generator<RestoredItem>
}

/** `id`: the target collection. `file`: absolute path. `from`: a collection's name within the export. */
export interface RestoreRequest {
  id: number
  file: string
  from?: string | undefined
}

/** Plans an import: returns what it would change, and which items it does not find. For global admins. */
export function planRestore(
  parts: RestoreParts,
  viewer: Viewer,
  { id, file: path, from: wanted }: RestoreRequest,
): RestorePlan {
  requireGlobalAdmin(viewer)
  const { db } = parts
  const target = requireCollection(db, id)
  const file = openExport(path)
  const from = chooseCollection(file, target, wanted)
  const plan = planVocabulary(db, file.vocabulary)
  const people = new Map(plan.people.flatMap(({ person, id: known }) => (known === null ? [] : [[person, known]])))
  const placeholders = placeholderNames(db, people)
  function* items(): Generator<RestoredItem> {
    const matcher = matcherFor(db, target, file, from)
    for (const line of itemsFrom(file, from)) {
      const found = matcher.find(line)
      const item = found === null ? null : itemToEdit(db, found.id)
      const changes =
        item === null
          ? []
          : namesOfParts(changedParts(item.parts, wantedParts(item, line, placeholders, recycleTimeFor(parts))))
      yield { path: line.path, item: found?.id ?? null, by: found?.by ?? null, changes }
    }
  }
  return { from, words: vocabularyChanges(db, plan), items: items() }
}

/** Requests an import; returns the job. For global admins. */
export async function startRestore(
  { db, jobs }: { db: LibraryDatabase; jobs: Jobs },
  viewer: Viewer,
  { id, file: path, from: wanted }: RestoreRequest,
  options: { inProcess?: boolean } = {},
): Promise<number> {
  requireGlobalAdmin(viewer)
  const target = requireCollection(db, id)
  const from = chooseCollection(openExport(path), target, wanted)
  const input: RestoreInput = {
    collectionId: id,
    file: path,
    from,
    userId: viewer.userId,
    step: crypto.randomUUID(),
  }
  return jobs.enqueue(viewer, 'restore', input, options)
}

/** Creates the albums, after the people and objects that their searches name. */
async function writeAlbums(
  { db }: RestoreParts,
  { input: { from, collectionId, userId }, signal }: JobContext<RestoreInput>,
  albums: VocabularyPlan['albums'],
  people: ReadonlyMap<number, number>,
): Promise<void> {
  const actor: Actor = { userId, step: crypto.randomUUID() }
  for (const some of chunksOf(albums, itemsAtOnce)) {
    signal.throwIfAborted()
    await db.transact(actor, tx => {
      const collections = tx.all(namedCollections)
      const collection = (name: string) =>
        name === from
          ? collectionId
          : (collections.find(one => keystringKey(one.name) === keystringKey(name))?.id ?? null)
      for (const line of some) restoreAlbum(tx, line, { names: namesIn(tx, people), collection })
    })
    await Bun.sleep(pauseMs)
  }
}

async function run(parts: RestoreParts, context: JobContext<RestoreInput>): Promise<JobEnd> {
  const { db } = parts
  const { input, signal, progress } = context
  const target = requireCollection(db, input.collectionId)
  const file = openExport(input.file)
  // Changes to the vocabulary are separate steps, so that the changes to items can be undone alone.
  const others: Actor = { userId: input.userId }
  const plan = planVocabulary(db, file.vocabulary)
  const people = await writeVocabulary(db, others, signal, plan)
  await writeAlbums(parts, context, plan.albums, people)
  const membership = {
    albumCovers: coversIn(file.vocabulary.albums, input.from),
    peopleCovers: coversIn(file.vocabulary.people, input.from),
    ids: people,
    at: seconds(parts.clock),
  }
  const matcher = matcherFor(db, target, file, input.from)
  const counts = { items: 0, changed: 0, unchanged: 0, unmatched: 0 }
  const unused = { people: new Set<number>(), objects: new Set<number>() }

  function write(tx: Transaction, line: ItemLine, found: ItemMatch | null): void {
    const item = found === null ? null : itemToEdit(tx, found.id)
    counts.items++
    if (item === null) {
      counts.unmatched++
      return
    }
    const wanted = wantedParts(item, line, namesIn(tx, people), recycleTimeFor(parts))
    const { item: after, changed } = changeItem(tx, item, wanted, { operation: 'library.restore', quiet: true })
    counts[changed ? 'changed' : 'unchanged']++
    const isLater = and(eq(items.id, item.id), gt(items.added, line.added))
    tx.orm.update(items).set({ added: line.added }).where(isLater).run()
    for (const username of line.favourites ?? []) {
      // Users whom this library lacks are left out: an export has no accounts.
      const userId = userByName(tx, username)?.id
      if (userId !== undefined) setFavourite(tx, { userId, itemId: item.id, favourite: true, at: seconds(parts.clock) })
    }
    restoreMembership(tx, item.id, line, membership)
    if (!changed) return
    const gone = subjectsGone(item, after)
    for (const id of gone.people) unused.people.add(id)
    for (const id of gone.objects) unused.objects.add(id)
  }

  progress({ done: 0, counts: { ...counts } })
  for (const lines of chunksOf(itemsFrom(file, input.from), itemsAtOnce)) {
    signal.throwIfAborted()
    // The counts are restored at the beginning of the transaction, because it may be retried after a conflict.
    const before = { ...counts }
    const matched = lines.map(line => ({ line, found: matcher.find(line) }))
    await db.transact({ userId: input.userId, step: input.step }, tx => {
      Object.assign(counts, before)
      for (const { line, found } of matched) write(tx, line, found)
      publishCollections(tx, [target.id])
    })
    progress({ done: counts.items, counts: { ...counts } })
    await Bun.sleep(pauseMs)
  }

  for (const id of people.values()) unused.people.delete(id)
  await db.transact({ userId: input.userId, step: input.step }, tx => {
    const { object } = namesIn(tx, people)
    for (const { name } of file.vocabulary.objects) unused.objects.delete(object(name) ?? 0)
    for (const id of unused.people) removeLeftover(tx, 'person', id)
    for (const id of unused.objects) removeLeftover(tx, 'object', id)
  })
  progress({ done: counts.items, total: counts.items, message: '', counts: { ...counts } })
  return { state: 'done', message: '', problems: counts.unmatched }
}

export function restoreJob(parts: RestoreParts): JobKind {
  return jobKind({ kind: 'restore', input: restoreInput, ...onCollection, run: context => run(parts, context) })
}
