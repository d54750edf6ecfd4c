/** Opens a library: the only place where modules are wired together. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Calls } from '../schema/api/calls.ts'
import type { Client, Endpoint, InputOf } from '../schema/api/contract.ts'
import { clientOf } from '../schema/client.ts'
import { Failure } from '../schema/errors.ts'
import { refusalOf } from '../schema/issue-words.ts'
import type { SettingName } from '../schema/settings.ts'
import type { Viewer } from './accounts/access.ts'
import { createAudit } from './accounts/audit.ts'
import { createAuditNotes } from './accounts/audit-notes.ts'
import { createGroups } from './accounts/groups.ts'
import { createLoginLimits } from './accounts/login-limits.ts'
import { createPasswords } from './accounts/passwords.ts'
import { createPins } from './accounts/pins.ts'
import { createRights } from './accounts/rights.ts'
import { createSessions } from './accounts/sessions.ts'
import { createTokens } from './accounts/tokens.ts'
import { createUnlock } from './accounts/unlock.ts'
import { createUsers } from './accounts/users.ts'
import { viewerOfUser } from './accounts/viewers.ts'
import { createAllowedDirectories } from './collections/allowed-directories.ts'
import { demandCollectionsApart, demandRootsApart } from './collections/apart.ts'
import { createCollectionChanges } from './collections/collection-changes.ts'
import { type CollectionRow, createCollections } from './collections/collections.ts'
import { createFolders } from './collections/folders.ts'
import { bulkEditJob } from './editing/bulk-edit-job.ts'
import { forgetCollectionJob } from './editing/forget-collection-job.ts'
import { createHistory } from './editing/history.ts'
import { mergeDuplicatesJob } from './editing/merge-duplicates-job.ts'
import { purgeJob } from './editing/purge-job.ts'
import { createRecycle } from './editing/recycle.ts'
import { recycleJob } from './editing/recycle-job.ts'
import { rotateJob } from './editing/rotation.ts'
import { createTags } from './editing/tags.ts'
import { undoJob } from './editing/undo-job.ts'
import { copyJob } from './exchange/backup/copy-job.ts'
import { createDownloads } from './exchange/exporting/download.ts'
import { createCollectionExport } from './exchange/exporting/export-collection.ts'
import { createLibraryExport } from './exchange/exporting/export-json.ts'
import { exportPeople } from './exchange/exporting/export-people.ts'
import { createSidecarExport } from './exchange/exporting/export-sidecars.ts'
import { planRestore, type RestoreWish, restoreJob, startRestore } from './exchange/restoring/restore-job.ts'
import { startVerify, type VerifyInput, verifyJob } from './exchange/verify-job.ts'
import { createFileActions } from './file-manager/changes/actions.ts'
import { createLaneWork } from './file-manager/changes/lane-work.ts'
import { createListing } from './file-manager/listing.ts'
import { createPlaces as createFilePlaces } from './file-manager/places.ts'
import { createFileReading } from './file-manager/reading.ts'
import { createFileSearch } from './file-manager/search.ts'
import { createWalking } from './file-manager/walking.ts'
import { createDisk } from './files/disk.ts'
import { createHandlers } from './handlers/all.ts'
import type { Caller } from './handlers/caller.ts'
import { createAccessExplained } from './items/access-explained.ts'
import { createDuplicates } from './items/duplicates.ts'
import { duplicatesJob } from './items/duplicates-job.ts'
import { createItems } from './items/items.ts'
import { createMap } from './items/map.ts'
import { createMapGround } from './items/map-ground.ts'
import { createOnThisDay } from './items/on-this-day.ts'
import { createSameContent } from './items/same-content.ts'
import { transcodeJob } from './items/transcode-job.ts'
import { createJournal } from './journal/journal.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import { type Entering, enterDataDirectory } from './kernel/data/data-directory.ts'
import { sealsOf } from './kernel/data/sealed.ts'
import { openSecrets } from './kernel/data/secrets.ts'
import { openDatabase, openings, type WritesListener } from './kernel/database/database.ts'
import { createLog, type LogLevel } from './kernel/log.ts'
import { dataDirectory, readSettings } from './kernel/settings.ts'
import { ownCommand } from './kernel/worker-command.ts'
import { createDecodePool } from './media/decode/decode-pool.ts'
import { importJob, startDirectoryImport } from './moving/import-job.ts'
import { createFileMover } from './moving/move-files.ts'
import { createPlannedWork } from './moving/planned-work.ts'
import { sortJob } from './moving/sort-job.ts'
import { transferJob } from './moving/transfer-job.ts'
import { createUploads } from './moving/upload.ts'
import { createRecognition, faceKinds } from './people/faces/recognition.ts'
import { peopleMerge } from './people/merge-people.ts'
import { createPeople } from './people/people.ts'
import { createPlaces } from './places/places.ts'
import { placesJob } from './places/places-job.ts'
import { pluginJob, pluginJobInput } from './plugins/plugin-job.ts'
import { createPlugins } from './plugins/plugins.ts'
import { createChannels } from './realtime/channels.ts'
import { createLiveViewers } from './realtime/live-viewers.ts'
import { renditionsJob } from './scan/renditions-job.ts'
import { scanJob } from './scan/scan-job.ts'
import { createScreensavers } from './sharing/screensavers.ts'
import { createShares } from './sharing/shares.ts'
import { slideshowJob } from './sharing/slideshow/slideshow-job.ts'
import { undoTable } from './undos.ts'
import { createPlans } from './upkeep/plans.ts'
import { absorbKeystring } from './vocabulary/absorb-keystring.ts'
import { hideJob } from './vocabulary/hide-job.ts'
import { createKeystrings } from './vocabulary/keystring-table.ts'
import { mergeJob } from './vocabulary/merge-jobs.ts'
import { keystringsMerge } from './vocabulary/merge-keystrings.ts'
import { createObjects } from './vocabulary/objects.ts'
import { textJob } from './vocabulary/text-job.ts'
import { queueVocabularyWork } from './vocabulary/vocabulary-due.ts'
import { createJobs, type JobKind } from './work/jobs.ts'
import { createProblems } from './work/problems.ts'
import { createSafetyFiles } from './work/safety-files.ts'
import { createMetadataWork } from './write-back/due.ts'
import { metadataExportJob, metadataWriteJob } from './write-back/export-job.ts'
import { metadataImportJob } from './write-back/import-job.ts'

/** What opens the library: the server and a screen must never block, commands and workers may wait. */
export type Role = keyof typeof openings

/** An answer as JSON text, made without the objects that it tells of. */
export class JsonText {
  constructor(readonly text: string) {}
}

export interface LibraryOptions extends Entering {
  role: Role
  /** `--data`. */
  data?: string | undefined
  flags?: Partial<Record<SettingName, unknown>>
  environment?: Record<string, string | undefined>
  clock?: Clock
  /** From which level on the terminal is told what the log is told. */
  stderrLevel?: LogLevel | 'none'
  /** What becomes of this process's writes. */
  onWrites?: WritesListener
}

/** How many pictures are decoded at once: the setting, else one a core. */
export function widthOf(setting: number): number {
  return setting > 0 ? setting : Math.max(1, availableParallelism())
}

export function openLibrary(options: LibraryOptions) {
  const environment = options.environment ?? process.env
  const clock = options.clock ?? systemClock
  const { path: data, origin: dataOrigin } = dataDirectory(options.data, environment)
  const { home, leave } = enterDataDirectory(data, options)
  const effective = readSettings(data, { flags: options.flags ?? {}, environment })
  const settings = effective.values
  // Commands that touch no root work all the same.
  if (options.role === 'server' || options.role === 'worker')
    demandRootsApart(home, settings.roots, effective.origins.roots)
  const log = createLog({
    directory: join(home, 'logs'),
    name: options.role === 'server' ? 'server' : 'keepsake',
    clock,
    level: settings.log_level,
    stderrLevel: options.stderrLevel ?? 'warn',
  }).with({ process: process.pid })

  const db = openDatabase(join(home, 'library.db'), {
    ...openings[options.role],
    clock,
    onWrites: options.onWrites,
    seals: () => sealsOf(openSecrets(home)),
  })
  if (options.role === 'server') {
    try {
      demandCollectionsApart(home, db.all<CollectionRow>('SELECT * FROM collections'))
    } catch (error) {
      db.close()
      throw error
    }
  }
  const secrets = openSecrets(home)
  const seals = sealsOf(secrets)
  const cache = join(home, 'cache')
  const auditNotes = createAuditNotes({ db, clock, log })
  const passwords = createPasswords()
  const pins = createPins(seals.pins, passwords)
  const users = createUsers({ db, clock, passwords, pins })
  const rights = createRights(db)
  const tokens = createTokens({ db, clock, rights, tokenKey: secrets.tokenKey })
  const loginLimits = createLoginLimits({ db, clock, notes: auditNotes })
  const sessions = createSessions({
    db,
    clock,
    users,
    rights,
    notes: auditNotes,
    loginLimits,
    tokenKey: secrets.tokenKey,
    tokens,
  })
  const items = createItems({ db })
  const allowed = createAllowedDirectories({ settings })
  const collections = createCollections({
    db,
    clock,
    data,
    allowed,
    pairing: settings.pairing,
    countItems: items.countByCollection,
  })
  const problems = createProblems({ db })
  const safetyFiles = createSafetyFiles({ db })
  const libraryExport = createLibraryExport({ db })
  const collectionExport = createCollectionExport({ db, collections })
  const places = createPlaces({ cache })
  const map = createMap({ items })
  const onThisDay = createOnThisDay({ items, clock })
  const duplicates = createDuplicates({ db, items })
  const groups = createGroups({ db })
  const folders = createFolders({ data, allowed })
  const shares = createShares({ db, clock, items, rights, settings, seal: seals.shares })
  const screensavers = createScreensavers({ db, clock, items, onThisDay, rights })
  const downloads = createDownloads({ db, items })

  /** A pool of decode workers; `low` gives way to whoever answers people. */
  const openPool = (low: boolean, jobs = settings.jobs) =>
    createDecodePool({
      command: [...ownCommand(), 'worker', 'decode'],
      width: widthOf(jobs),
      nice: low ? 10 : 0,
      idleMs: 60_000,
      ffmpeg: settings.ffmpeg,
      ffprobe: settings.ffprobe,
      log,
    })

  const parts = { db, clock, log, cache, data: home, settings, openPool }
  const disk = createDisk()
  const journal = createJournal({ db, clock, disk, log })
  const sidecarExport = createSidecarExport({ db, disk, data })
  const moving = { ...parts, disk, journal, mover: createFileMover({ db, clock, disk, journal, log }) }
  const itemWith = createSameContent({ db, disk })
  const filePlaces = createFilePlaces({ db, disk, data: home, roots: settings.roots })
  const walking = createWalking({ disk, places: filePlaces })
  const lanes = createLaneWork()
  const fileManager = {
    places: filePlaces,
    listings: createListing({ disk, places: filePlaces }),
    search: createFileSearch({ places: filePlaces, walking }),
    reading: createFileReading({ db, disk, places: filePlaces, walking }),
  }
  const uploads = createUploads({ ...moving, items, itemWith, limit: settings['files.maxFileSize'] })
  const undos = undoTable(moving)
  const editing = { ...parts, items, rights, disk, journal }
  const tags = createTags(editing)
  const recycle = createRecycle(editing)
  const history = createHistory({ db, items, undos })
  const mapGround = createMapGround({ db, settings })
  const plugins = createPlugins({
    db,
    data,
    log,
    as,
    enqueue: (viewer, call) => jobs.enqueue(viewer, 'plugin', pluginJobInput(viewer, call)),
  })
  const kinds: JobKind[] = [
    scanJob(parts),
    renditionsJob(parts),
    transcodeJob(parts),
    ...faceKinds({ ...parts, data: home }),
    forgetCollectionJob(parts),
    sortJob(moving),
    transferJob(moving),
    lanes.kind,
    importJob({ ...moving, items, itemWith, viewerOf: id => viewerOfUser(db, rights, id) }),
    metadataExportJob(parts),
    metadataWriteJob(parts),
    metadataImportJob(parts),
    restoreJob(parts),
    bulkEditJob(editing),
    mergeDuplicatesJob(editing),
    recycleJob(editing),
    rotateJob(editing),
    verifyJob({ db, clock, disk }),
    purgeJob(editing),
    undoJob({ ...editing, undos }),
    duplicatesJob(parts),
    placesJob({ db, places }),
    hideJob(parts),
    textJob(parts),
    mergeJob(parts, 'merge-people', peopleMerge),
    mergeJob(parts, 'merge-keystrings', keystringsMerge),
    slideshowJob({ ...parts, items, viewerOf: id => viewerOfUser(db, rights, id) }),
    copyJob({ db, clock, data: home }),
    pluginJob({ db, plugins, viewerOf: id => viewerOfUser(db, rights, id) }),
  ]
  const jobs = createJobs({ db, clock, log, kinds, onStep: options.onWrites?.step })
  const fileActions = createFileActions({
    ...moving,
    places: filePlaces,
    jobs,
    lanes,
    data: home,
    limit: settings['files.maxFileSize'],
  })
  const metadata = createMetadataWork({ db, clock, collections, jobs })
  const plans = createPlans({ ...moving, items, data, collections, rights })
  const plannedWork = createPlannedWork({ ...moving, items, data, jobs })
  const collectionChanges = createCollectionChanges({ db, collections, items, jobs, allowed })
  // What renaming and hiding leave to jobs.
  const followUp = () => queueVocabularyWork({ db, clock, jobs, log })
  const people = createPeople({ db, followUp })
  const recognition = createRecognition({ db, clock, jobs, settings, data: home })
  const objects = createObjects({ db, followUp })
  const keystrings = createKeystrings({ db, followUp, absorb: absorbKeystring(jobs) })
  const unlock = createUnlock({ db, clock, passwords, pins, notes: auditNotes })
  const accessExplained = createAccessExplained({ db, items })
  const channels = createChannels({ db, items, jobs })
  const liveViewers = createLiveViewers({ db, clock, rights, sessions })

  const core = {
    data,
    dataOrigin,
    cache,
    effective,
    settings,
    secrets,
    db,
    clock,
    log,
    audit: createAudit({ db, clock }),
    auditNotes,
    users,
    sessions,
    tokens,
    groups,
    accessExplained,
    shares,
    screensavers,
    items,
    tags,
    recycle,
    history,
    collections,
    collectionChanges,
    folders,
    problems,
    map,
    onThisDay,
    downloads,
    duplicates,
    collectionExport,
    libraryExport,
    sidecarExport,
    safetyFiles,
    /** Reads what `libraryExport` wrote onto the items of a collection, or tells what that would change. */
    restore: {
      plan: (viewer: Viewer, wish: RestoreWish) => planRestore(parts, viewer, wish),
      start: (viewer: Viewer, wish: RestoreWish, options: { here?: boolean } = {}) =>
        startRestore({ db, jobs }, viewer, wish, options),
    },
    exportPeople: (viewer: Viewer) => exportPeople(db, viewer),
    places,
    mapGround,
    plugins,
    channels,
    liveViewers,
    people,
    ...recognition,
    objects,
    keystrings,
    unlock,
    metadata,
    plans,
    plannedWork,
    journal,
    uploads,
    fileManager: { ...fileManager, actions: fileActions },
    jobs,
    openPool,
    /** Compares files with what is known of them; answers the job. */
    verify: (viewer: Viewer, wish: VerifyInput) => startVerify({ jobs }, viewer, wish),
    /** Copies what a directory has and a collection lacks; answers the job. */
    importDirectory: (
      viewer: Viewer,
      id: number,
      directory: string,
      options: { guess?: boolean; here?: boolean } = {},
    ) => startDirectoryImport({ db, jobs, data }, viewer, { id, directory, guess: options.guess === true }, options),
    close() {
      places.close()
      void uploads.close()
      void fileActions.close()
      void auditNotes.close()
      db.close()
      leave()
    },
  }
  const handlers = createHandlers(core)

  /** Calls whose answers can be had as JSON at once, of the same handlers' shapes. */
  const textual = {
    'items.list': ({ viewer }: Caller, { params, query }: InputOf<Calls['items']['list']>) =>
      items.listText(viewer, params, query),
  }

  /**
   * Makes a call as somebody. Input and output are of the contract's types; the routes have decoded the wire. With `asText`
   * the answer may be a `JsonText` of it instead.
   */
  async function perform(
    caller: Caller,
    group: string,
    name: string,
    input: { params: unknown; query: unknown; body: unknown },
    { asText = false }: { asText?: boolean } = {},
  ): Promise<unknown> {
    const texts: Record<string, (caller: Caller, input: never) => string> = textual
    const told = asText ? texts[`${group}.${name}`] : undefined
    if (told !== undefined) return new JsonText(told(caller, input as never))
    const table: Record<string, Record<string, (caller: Caller, input: never) => unknown>> = handlers
    const handler = table[group]?.[name]
    if (handler === undefined) throw new Error(`no call is named ${group}.${name}`)
    return handler(caller, input as never)
  }

  /** The same object as the HTTP client, in this process: same types, same checks. */
  function as(viewer: Viewer): Client<Calls> {
    const caller: Caller = { viewer, address: '', agent: 'terminal', ifMatch: null }
    return clientOf((call: Endpoint, group, name, input) => {
      // Encoded and decoded once, so that what the wire would refuse is refused here too.
      const through = (schema: z.ZodType, value: unknown) => {
        const sent = z.safeEncode(schema, value ?? {})
        const got = sent.success ? z.safeDecode(schema, sent.data) : sent
        if (got.success) return got.data
        const { message, field } = refusalOf(got.error)
        throw new Failure('invalid', message, { field })
      }
      return perform({ ...caller, ifMatch: input.ifMatch ?? null }, group, name, {
        params: through(call.params, input.params),
        query: through(call.query, input.query),
        body: through(call.body, input.body),
      })
    })
  }

  return { ...core, perform, as }
}

export type Library = ReturnType<typeof openLibrary>
