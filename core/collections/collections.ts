/** Collections: which there are, making them, and finding the one that a path or a name means. */
import { existsSync, realpathSync } from 'node:fs'
import { basename, resolve, sep } from 'node:path'
import type { Collection, NewCollection } from '../../schema/api/collections.ts'
import { newCollection } from '../../schema/api/collections.ts'
import { Failure } from '../../schema/errors.ts'
import { refusalOf } from '../../schema/issue-words.ts'
import { channels } from '../../schema/realtime.ts'
import {
  collectionsWith,
  demandGlobalAdmin,
  demandOnCollection,
  rightsOn,
  seesHidden,
  type Viewer,
} from '../accounts/access.ts'
import { namedPlace } from '../files/named-place.ts'
import { isWithin, pathsOverlap } from '../files/overlap.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { AllowedDirectories } from './allowed-directories.ts'

export interface CollectionRow {
  id: number
  name: string
  path: string
  path_variant: string
  last_scan: number | null
  folder_format: string
  file_format: string
  managed: number
  readonly: number
  write_back: 'off' | 'sidecar' | 'file'
  pairing: number
  keep_private: number
  root_device: string | null
  safety_stop: string | null
  safety_stop_items: number
  created_at: number
}

/** What of a collection must fit together; `id` 0 is one that is being made. */
export interface CollectionFacts {
  id: number
  name: string
  path: string
  pathVariant: string
  managed: boolean
  fileFormat: string
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // It need not exist now (an unmounted disk): its own words must do.
    return resolve(path)
  }
}

/** How many items of each collection the viewer sees, by its id. */
export type CountItems = (viewer: Viewer, includeHidden: boolean) => Map<number, number>

export function createCollections({
  db,
  clock,
  data,
  allowed,
  pairing,
  countItems,
}: {
  db: LibraryDatabase
  clock: Clock
  /** The data directory: no collection may overlap it. */
  data: string
  allowed: AllowedDirectories
  /** Setting for new collections. */
  pairing: boolean
  /** How many items each collection has for a viewer, hiding included. */
  countItems: CountItems
}) {
  const all = (): CollectionRow[] => db.all<CollectionRow>('SELECT * FROM collections ORDER BY name COLLATE NOCASE, id')
  const byId = (id: number) => db.get<CollectionRow>('SELECT * FROM collections WHERE id = ?', id)

  function json(viewer: Viewer, row: CollectionRow, itemcount: number): Collection {
    const rights = rightsOn(viewer, row.id)
    const access = rights.admin
      ? db.all<{
          id: number
          name: string
          position: number
          admin: number
          public: number
          view: number
          create: number
          update: number
        }>(
          `SELECT g.*, ca.position FROM collection_access AS ca JOIN access_groups AS g ON g.id = ca.group_id
           WHERE ca.collection_id = ? ORDER BY ca.position`,
          row.id,
        )
      : []
    return {
      id: row.id,
      name: row.name,
      path: rights.admin ? row.path : '',
      pathVariant: rights.admin ? row.path_variant : '',
      lastscan: row.last_scan === null ? '' : new Date(row.last_scan * 1000).toISOString(),
      folderFormat: row.folder_format,
      fileFormat: row.file_format,
      managed: row.managed === 1,
      readonly: row.readonly === 1,
      writeBack: row.write_back,
      keepPrivate: row.keep_private === 1,
      pairing: row.pairing === 1,
      itemcount,
      rights,
      access: access.map(group => ({
        id: group.id,
        name: group.name,
        position: group.position,
        admin: group.admin === 1,
        public: group.public === 1,
        view: group.view === 1,
        create: group.create === 1,
        update: group.update === 1,
      })),
      safetyStop:
        rights.admin && row.safety_stop !== null ? { reason: row.safety_stop, items: row.safety_stop_items } : null,
    }
  }

  const allCollections = (itemcount: number): Collection => ({
    id: 0,
    name: 'All',
    path: '',
    pathVariant: '',
    lastscan: '',
    folderFormat: '',
    fileFormat: '',
    managed: false,
    readonly: false,
    writeBack: 'off',
    keepPrivate: false,
    pairing: false,
    itemcount,
    rights: { view: true, create: false, update: false, admin: false },
    access: [],
    safetyStop: null,
  })

  /** Refuses a directory that overlaps the data directory or another collection's, naming which. */
  function demandFree(path: string, exceptId = 0, field: 'path' | 'pathVariant' = 'path') {
    if (pathsOverlap(path, data)) {
      throw new Failure('conflict', `${path} and the data directory ${data} must not lie within each other.`, {
        field,
      })
    }
    for (const other of all()) {
      if (other.id === exceptId) continue
      for (const taken of [other.path, other.path_variant].filter(part => part !== '')) {
        if (!pathsOverlap(path, taken)) continue
        throw new Failure('conflict', `${path} overlaps the collection '${other.name}' (${taken}).`, { field })
      }
    }
  }

  /** Refuses a name that another collection has. */
  function demandName(name: string, exceptId = 0) {
    const other = db.get<{ name: string }>(
      'SELECT name FROM collections WHERE name = ? COLLATE NOCASE AND id <> ?',
      name,
      exceptId,
    )
    if (other === null) return
    throw new Failure('conflict', `There is already a collection '${other.name}'.`, { field: 'name' })
  }

  /** Refuses what can't be set for a collection as a whole: its prefix, its variants path, its name. */
  function demandSettings({ id, name, path, pathVariant, managed, fileFormat }: CollectionFacts) {
    const field = 'pathVariant'
    // Scans would take what is kept there for pictures of its own.
    if (pathVariant !== '' && pathsOverlap(pathVariant, path)) {
      throw new Failure('conflict', `${path} and the variants path ${pathVariant} must not lie within each other.`, {
        field,
      })
    }
    if (pathVariant !== '') demandFree(pathVariant, id, field)
    if (pathVariant !== '' && !['directory', 'nothing'].includes(namedPlace(pathVariant))) {
      throw new Failure('invalid', `${pathVariant} is not a directory.`, { field })
    }
    if (managed && fileFormat.trim() === '') {
      throw new Failure('invalid', 'Prefix is required', { field: 'fileFormat' })
    }
    demandName(name, id)
  }

  /** Everything that is asked before a directory becomes a collection. */
  function checked(viewer: Viewer, input: NewCollection): NewCollection {
    demandGlobalAdmin(viewer)
    const parsed = newCollection.safeParse(input)
    if (!parsed.success) {
      const { message, field } = refusalOf(parsed.error)
      throw new Failure('invalid', message, { field })
    }
    const { name, path, pathVariant = '', managed = false, fileFormat = '' } = parsed.data
    allowed.demand(viewer, path, 'path')
    if (pathVariant !== '') allowed.demand(viewer, pathVariant, 'pathVariant')
    const place = namedPlace(path)
    if (place === 'nothing' || place === 'blocked')
      throw new Failure('absent', `There is no directory ${path}.`, { field: 'path' })
    if (place !== 'directory') throw new Failure('invalid', `${path} is not a directory.`, { field: 'path' })
    demandFree(path)
    demandSettings({ id: 0, name, path, pathVariant, managed, fileFormat })
    return parsed.data
  }

  async function create(viewer: Viewer, input: NewCollection): Promise<CollectionRow> {
    const asked = checked(viewer, input)
    return db.transact(viewer, tx => {
      demandName(asked.name)
      demandFree(asked.path)
      const { lastInsertRowid: id } = tx.run(
        `INSERT INTO collections (name, path, path_variant, folder_format, file_format, managed, readonly, write_back,
           keep_private, pairing, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        asked.name,
        asked.path,
        asked.pathVariant ?? '',
        asked.folderFormat ?? '',
        asked.fileFormat ?? '',
        asked.managed === true ? 1 : 0,
        asked.readonly === true ? 1 : 0,
        asked.writeBack ?? 'off',
        asked.keepPrivate === true ? 1 : 0,
        (asked.pairing ?? pairing) ? 1 : 0,
        seconds(clock),
      )
      const group = (name: string, admin: boolean, position: number) => {
        const made = tx.run('INSERT INTO access_groups (name, admin) VALUES (?, ?)', name, admin ? 1 : 0)
        tx.run(
          'INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, ?)',
          id,
          made.lastInsertRowid,
          position,
        )
        return made.lastInsertRowid
      }
      // Every collection starts with two groups: its administrators, and everybody (with public off).
      const admins = group(`${asked.name} administrators`, true, 0)
      group(`${asked.name} visitors`, false, 1)
      if (viewer.userId !== null) {
        tx.run('INSERT INTO access_members (group_id, user_id) VALUES (?, ?)', admins, viewer.userId)
      }
      tx.event(channels.collection(id), { action: 'create', collection: { id } })
      tx.event(channels.rights, { action: 'update' })
      tx.audit('collection.create', { collection: id, name: asked.name })
      tx.history({ operation: 'collection.create', collectionId: id, after: asked })
      const row = tx.get<CollectionRow>('SELECT * FROM collections WHERE id = ?', id)
      if (row === null) throw new Error('the new collection is not there')
      return row
    })
  }

  /** A collection's name made of its directory's, made longer and unlike the others where it must be. */
  function nameFor(path: string): string {
    const stem = basename(path) === '' ? 'Library' : basename(path)
    const base = (stem.length < 3 ? `${stem} pictures` : stem).slice(0, 190)
    const taken = new Set(all().map(row => row.name.toLowerCase()))
    for (let n = 1; ; n++) {
      const name = n === 1 ? base : `${base} ${n}`
      if (!taken.has(name.toLowerCase())) return name
    }
  }

  /** A collection as it would be: there is no row of it, and its id is nobody's. */
  function asItWouldBe(viewer: Viewer, input: NewCollection): CollectionRow {
    const asked = checked(viewer, input)
    return {
      id: 0,
      name: asked.name,
      path: asked.path,
      path_variant: asked.pathVariant ?? '',
      last_scan: null,
      folder_format: '',
      file_format: '',
      managed: 0,
      readonly: asked.readonly === true ? 1 : 0,
      write_back: 'off',
      pairing: pairing ? 1 : 0,
      keep_private: 0,
      root_device: null,
      safety_stop: null,
      safety_stop_items: 0,
      created_at: seconds(clock),
    }
  }

  /** What the terminal means by a word: a collection or a part of one; or, as a real path, a directory of none. */
  function meaning(word: string): { row: CollectionRow; below: string | null } | { row: null; path: string } {
    const rows = all()
    const named =
      rows.find(row => row.name === word) ??
      rows.find(row => row.name.toLowerCase() === word.toLowerCase()) ??
      rows.find(row => /^\d+$/.test(word) && row.id === Number(word))
    // A bare word that names a collection means it, also where a directory of that name happens to lie here, or where nobody
    // may look what lies here.
    if (named !== undefined && !word.includes(sep)) return { row: named, below: null }
    const path = resolve(word)
    const place = namedPlace(path)
    const isThere = place !== 'nothing' && place !== 'blocked'
    const mine = real(path)
    for (const row of rows) {
      const root = real(row.path)
      if (mine === root || path === row.path) return { row, below: null }
      if (!isWithin(mine, root)) continue
      // While its disk is away nobody can say what is in it: the scan stops for safety.
      if (!isThere && existsSync(root)) {
        throw new Failure('notFound', `There is no directory ${path} in the collection '${row.name}'.`)
      }
      if (isThere && place !== 'directory') {
        throw new Failure('notFound', `${path} is a file. Give the directory that it lies in.`)
      }
      return { row, below: mine.slice(root.length + 1) }
    }
    if (place !== 'directory') {
      const known = rows.length === 0 ? 'There are none yet.' : `There are: ${rows.map(row => row.name).join(', ')}.`
      throw new Failure('notFound', `'${word}' is neither a directory nor a collection. ${known}`)
    }
    return { row: null, path: mine }
  }

  /** Collections that a job is forgetting: for everybody they are gone already. */
  function leaving(): Set<number> {
    const rows = db.all<{ id: number }>(
      "SELECT collection_id AS id FROM jobs WHERE state IN ('queued', 'running') AND kind = 'forget'",
    )
    return new Set(rows.map(({ id }) => id))
  }

  return {
    all,
    byId,
    json,
    demandSettings,

    list(viewer: Viewer, query: { includeHidden?: string }): Collection[] {
      const seen = collectionsWith(viewer, 'view')
      const counts = countItems(viewer, seesHidden(viewer, query.includeHidden))
      const gone = leaving()
      const rows = all().filter(row => (seen === 'all' || seen.includes(row.id)) && !gone.has(row.id))
      const collections = rows.map(row => json(viewer, row, counts.get(row.id) ?? 0))
      return [allCollections(collections.reduce((sum, { itemcount }) => sum + itemcount, 0)), ...collections]
    },

    async create(viewer: Viewer, input: NewCollection): Promise<Collection> {
      return json(viewer, await create(viewer, input), 0)
    },

    /** The collection a caller may see; 404 otherwise, 403 without the right. */
    demand(viewer: Viewer, id: number, right: 'view' | 'create' | 'update' | 'admin'): CollectionRow {
      demandOnCollection(viewer, id, right)
      const row = byId(id)
      if (row === null) throw new Failure('notFound', 'Not found')
      return row
    },

    /**
     * What the terminal means by a word: a collection's id or name, its directory, or a directory within one (then only
     * that part is meant). A directory that belongs to none becomes a collection named after it.
     */
    async resolve(
      viewer: Viewer,
      word: string,
      options: { create: boolean },
    ): Promise<{ row: CollectionRow; below: string | null }> {
      const meant = meaning(word)
      if (meant.row !== null) return meant
      const { path: mine } = meant
      if (!options.create) throw new Failure('notFound', `${resolve(word)} belongs to no collection.`)
      try {
        return { row: await create(viewer, { name: nameFor(mine), path: mine }), below: null }
      } catch (error) {
        // Two commands at once: the other one has made it meanwhile.
        const made = all().find(row => row.path === mine)
        if (made === undefined) throw error
        return { row: made, below: null }
      }
    },

    /**
     * What `resolve` with `create` would answer, without making anything: `isNew` when a collection would be made, whose
     * row then has the id 0. What making it would refuse is refused.
     */
    preview(viewer: Viewer, word: string): { row: CollectionRow; below: string | null; isNew: boolean } {
      const meant = meaning(word)
      if (meant.row !== null) return { ...meant, isNew: false }
      return { row: asItWouldBe(viewer, { name: nameFor(meant.path), path: meant.path }), below: null, isNew: true }
    },
  }
}

export type Collections = ReturnType<typeof createCollections>
