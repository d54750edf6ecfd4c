/** Keystrings as callers list and change them: names, counts, and hiding. */
import { eq } from 'drizzle-orm'
import type { Keystring } from '../../schema/api/keystrings.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { tagBits } from '../../schema/keys.ts'
import type { keystringTags } from '../../schema/limits.ts'
import { channels } from '../../schema/realtime.ts'
import { keystrings } from '../../schema/tables/vocabulary.ts'
import {
  collectionsWith,
  notFound,
  requireUpdateSomewhere,
  seesHidden,
  showsHiddenTo,
  terminalViewer,
  unlockFirst,
  type Viewer,
} from '../accounts/access.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { cleanKeystring, keystringByKey, keystringKey } from '../words/keystrings.ts'
import type { Jobs } from '../work/jobs.ts'
import { applyHiding } from './hide-job.ts'
import { countByKey, countOfKey, type HiddenRequest } from './key-counts.ts'
import { nameChanged } from './text-job.ts'
import { keystringById, keystringsByContent } from './vocabulary.sql.ts'

export type KeystringRow = RowOfQuery<typeof keystringById>

export interface KeystringChange {
  content?: string | undefined
  isHidden?: boolean | undefined
  isAssociatedItemsHidden?: boolean | undefined
}

export function keystringRow(tx: Pick<Transaction, 'get'>, id: number): KeystringRow | null {
  return tx.get(keystringById, id)
}

export function otherNamed(tx: Transaction, id: number, content: string) {
  const other = keystringByKey(tx, keystringKey(content))
  return other?.id === id ? undefined : other
}

export function setContent(tx: Transaction, id: number, content: string): void {
  tx.orm
    .update(keystrings)
    .set({ content, contentKey: keystringKey(content) })
    .where(eq(keystrings.id, id))
    .run()
}

/** Sets the flags; the caller writes the event of keystrings. True when items are left to the job `hide`. */
export function setHiding(
  tx: Transaction,
  row: KeystringRow,
  wanted: Pick<KeystringRow, 'is_hidden' | 'is_associated_items_hidden'>,
): boolean {
  if (row.is_hidden === wanted.is_hidden && row.is_associated_items_hidden === wanted.is_associated_items_hidden) {
    return false
  }
  const flags = { isHidden: wanted.is_hidden === 1, isAssociatedItemsHidden: wanted.is_associated_items_hidden === 1 }
  tx.orm.update(keystrings).set(flags).where(eq(keystrings.id, row.id)).run()
  return row.is_associated_items_hidden === wanted.is_associated_items_hidden ? false : applyHiding(tx, row.id)
}

const flag = (wanted: boolean | undefined, now: number): number => (wanted === undefined ? now : wanted ? 1 : 0)

interface KeystringParts {
  db: LibraryDatabase
  jobs: Pick<Jobs, 'enqueue'>
  queueRemainingWork: () => Promise<void>
}

function json(row: KeystringRow, itemcount: number): Keystring {
  return {
    id: row.id,
    content: row.content,
    isHidden: row.is_hidden === 1,
    isAssociatedItemsHidden: row.is_associated_items_hidden === 1,
    itemcount,
  }
}

/** Keystrings on items that the viewer sees, in these tag sets (bits). */
function listUsed(db: LibraryDatabase, viewer: Viewer, includeHidden: string | undefined, tags: number): Keystring[] {
  const showsHidden = seesHidden(viewer, includeHidden)
  const counts = countByKey(db, viewer, 'keystring', { includeHidden: showsHidden, tags })
  return db
    .all(keystringsByContent, Number(showsHidden))
    .filter(({ id }) => counts.has(id))
    .map(row => json(row, counts.get(row.id) ?? 0))
}

/** Whether the viewer sees a keystring: a hidden one only if unlocked, or as a global admin, who manages the flags. */
function sees(viewer: Viewer, isHidden: boolean): boolean {
  return !isHidden || viewer.globalAdmin || viewer.unlockValue !== null
}

function requireKeystring(viewer: Viewer, tx: Transaction, id: number): KeystringRow {
  const row = keystringRow(tx, id)
  if (row === null || !sees(viewer, row.is_hidden === 1)) throw notFound()
  return row
}

function cleanContent(wanted: string): string {
  const content = cleanKeystring(wanted)
  if (content === '') throw new Failure('invalid', 'A keystring needs a content', { field: 'content' })
  return content
}

/** The id of another keystring with this content that is hidden from the viewer; null if there is none. */
function hiddenNamesake(tx: Transaction, viewer: Viewer, id: number, content: string): number | null {
  const other = otherNamed(tx, id, content)
  return other === undefined || sees(viewer, other.isHidden) ? null : other.id
}

function rename(tx: Transaction, row: KeystringRow, content: string): boolean {
  if (content === row.content) return false
  if (otherNamed(tx, row.id, content) !== undefined) {
    throw new Failure('conflict', sentence`There is another keystring '${content}'. Merge the two instead.`, {
      field: 'content',
    })
  }
  setContent(tx, row.id, content)
  return nameChanged(tx, 'keystring', row.id)
}

export function createKeystrings({ db, jobs, queueRemainingWork }: KeystringParts) {
  return {
    list: (viewer: Viewer, query: HiddenRequest): Keystring[] =>
      listUsed(db, viewer, query.includeHidden, tagBits.Keywords | tagBits.Category | tagBits.Author),

    byTag: (viewer: Viewer, tag: (typeof keystringTags)[number], query: HiddenRequest): Keystring[] =>
      listUsed(db, viewer, query.includeHidden, tagBits[tag]),

    /** Lists all keystrings, in use or not; those flagged hidden for global admins and unlocked sessions only. */
    listAll(viewer: Viewer, query: HiddenRequest): Keystring[] {
      requireUpdateSomewhere(viewer)
      const showsHidden = seesHidden(viewer, query.includeHidden)
      const counts = countByKey(db, viewer, 'keystring', { includeHidden: showsHidden })
      const rows = db.all(keystringsByContent, Number(showsHidden || viewer.globalAdmin))
      return rows.map(row => json(row, counts.get(row.id) ?? 0))
    },

    /**
     * Renames a keystring, or hides it or its items. The new name may be that of a keystring that is hidden from the
     * viewer: items that the viewer may tag get the hidden keystring instead. A session that is not unlocked gets 409
     * if the keystring would stop hiding items.
     */
    async update(viewer: Viewer, id: number, change: KeystringChange): Promise<Keystring> {
      requireUpdateSomewhere(viewer)
      const { after, isWorkLeft, into } = await db.transact(viewer, tx => {
        const before = requireKeystring(viewer, tx, id)
        const flags = {
          is_hidden: flag(change.isHidden, before.is_hidden),
          is_associated_items_hidden: flag(change.isAssociatedItemsHidden, before.is_associated_items_hidden),
        }
        const flagsChange =
          flags.is_hidden !== before.is_hidden || flags.is_associated_items_hidden !== before.is_associated_items_hidden
        if (flagsChange && !viewer.globalAdmin) throw new Failure('denied', 'Permission Denied')
        if (flags.is_associated_items_hidden < before.is_associated_items_hidden && !showsHiddenTo(viewer)) {
          throw unlockFirst('isAssociatedItemsHidden')
        }
        const content = change.content === undefined ? before.content : cleanContent(change.content)
        const into = content === before.content ? null : hiddenNamesake(tx, viewer, id, content)
        if (into !== null) {
          const after = { ...before, content }
          tx.history({ operation: 'keystring.update', before, after })
          return { after, isWorkLeft: false, into }
        }
        const isTextLeft = rename(tx, before, content)
        const isHidingLeft = setHiding(tx, before, flags)
        const after = keystringRow(tx, id)
        if (after === null) throw new Error('the keystring that was just changed is not there')
        if (after.content === before.content && !flagsChange) return { after, isWorkLeft: false, into }
        tx.event(channels.keystrings, { action: 'update', keystring: { id } })
        tx.history({ operation: 'keystring.update', before, after })
        return { after, isWorkLeft: isTextLeft || isHidingLeft, into }
      })
      const changed = json(after, countOfKey(db, viewer, 'keystring', id, viewer.unlockValue !== null))
      const editable = collectionsWith(viewer, 'update')
      if (into !== null && editable !== 'all') {
        // Items of other collections keep the word: users cannot hide items where they have no rights.
        const merge = { id: into, otherId: id, userId: null, step: crypto.randomUUID(), collections: editable }
        await jobs.enqueue(terminalViewer, 'merge-keystrings', merge)
      }
      if (isWorkLeft) await queueRemainingWork()
      return changed
    },
  }
}

export type Keystrings = ReturnType<typeof createKeystrings>
