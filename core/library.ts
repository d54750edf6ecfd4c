/** Opens a library: the only place where modules are wired together. */
import type { Calls } from '../schema/api/calls.ts'
import type { Client, Handlers, InputOf } from '../schema/api/contract.ts'
import type { Viewer } from './accounts/access.ts'
import { createAudit } from './accounts/audit/audit.ts'
import { createAuditNotes } from './accounts/audit/audit-notes.ts'
import type { Caller } from './accounts/caller.ts'
import { accessCalls, auditCalls, tokenCalls, userCalls } from './accounts/calls.ts'
import { createGroups } from './accounts/groups/groups.ts'
import { createInProcessCalls } from './accounts/in-process-client.ts'
import { createLoginLimits } from './accounts/login-limits.ts'
import { createPasswords } from './accounts/passwords.ts'
import { createPins } from './accounts/pins.ts'
import { createRights, type RightsTable } from './accounts/rights.ts'
import { createSessions } from './accounts/sessions.ts'
import { createTokens } from './accounts/tokens/tokens.ts'
import { createUnlock } from './accounts/unlock.ts'
import { createUsers } from './accounts/users.ts'
import { viewerOfUser } from './accounts/viewers.ts'
import { createAlbums } from './albums/albums.ts'
import { albumCalls } from './albums/calls.ts'
import { albumUndos } from './albums/undo-albums.ts'
import { createAllowedDirectories } from './collections/allowed-directories.ts'
import { collectionCalls } from './collections/calls.ts'
import { createCollectionChanges } from './collections/collection-changes.ts'
import { createCollections } from './collections/collections.ts'
import { createFolders } from './collections/folders.ts'
import { removeBoxes } from './editing/boxes/moved-boxes.ts'
import { bulkEditJob } from './editing/bulk-edit-job.ts'
import { historyCalls, itemEditCalls, tagCalls } from './editing/calls.ts'
import { forgetCollectionJob } from './editing/forget-collection-job.ts'
import { createHistory } from './editing/history.ts'
import { mergeDuplicatesJob } from './editing/merge-duplicates-job.ts'
import { purgeJob } from './editing/purge-job.ts'
import { createRecycle } from './editing/recycle.ts'
import { recycleJob } from './editing/recycle-job.ts'
import { rotateJob } from './editing/rotation.ts'
import { createTags } from './editing/tags.ts'
import type { UndoTable } from './editing/undo.ts'
import { undoJob } from './editing/undo-job.ts'
import { copyJob } from './exchange/backup/copy-job.ts'
import { createDownloads } from './exchange/exporting/download.ts'
import { createCollectionExport } from './exchange/exporting/export-collection.ts'
import { createLibraryExport } from './exchange/exporting/export-json.ts'
import { exportPeople } from './exchange/exporting/export-people.ts'
import { createSidecarExport } from './exchange/exporting/export-sidecars.ts'
import { leftoverUndos } from './exchange/restoring/leftovers.ts'
import { planRestore, type RestoreRequest, restoreJob, startRestore } from './exchange/restoring/restore-job.ts'
import { startVerify, type VerifyInput, verifyJob } from './exchange/verify-job.ts'
import { createFileActions } from './file-manager/changes/actions.ts'
import { createLaneWork } from './file-manager/changes/lane-work.ts'
import { folderMoveUndo } from './file-manager/changes/undo-folder-moves.ts'
import { createListing } from './file-manager/listing.ts'
import { createFilePlaces } from './file-manager/places.ts'
import { createFileReading } from './file-manager/reading.ts'
import { createFileSearch } from './file-manager/search.ts'
import { createWalking } from './file-manager/walking.ts'
import { createDisk } from './files/disk.ts'
import { createAccessExplained } from './items/access-explained.ts'
import { favouriteCalls, itemCalls } from './items/calls.ts'
import { createDuplicates } from './items/duplicates/duplicates.ts'
import { duplicatesJob } from './items/duplicates/duplicates-job.ts'
import { createFavourites } from './items/favourites/favourites.ts'
import { createItems, type Items } from './items/items.ts'
import { createMap } from './items/map/map.ts'
import { createMapGround } from './items/map/map-ground.ts'
import { createOnThisDay } from './items/on-this-day.ts'
import { createSameContent } from './items/same-content.ts'
import { transcodeJob } from './items/transcode-job.ts'
import { createJournal } from './journal/journal.ts'
import { sealsOf } from './kernel/data/sealed.ts'
import type { WritesListener } from './kernel/database/database.ts'
import { ownCommand } from './kernel/worker-command.ts'
import { createDecodePool, widthOf } from './media/decode/decode-pool.ts'
import { fileWorkCalls } from './moving/calls.ts'
import { importJob, startDirectoryImport } from './moving/import-job.ts'
import { createFileMover } from './moving/move-files.ts'
import { createPlannedWork } from './moving/planned-work.ts'
import { sortJob } from './moving/sort-job.ts'
import { transferJob } from './moving/transfer-job.ts'
import { moveUndo } from './moving/undo-moves.ts'
import { createUploads } from './moving/upload.ts'
import { type LibraryOptions, openDataDirectory } from './opening.ts'
import { faceCalls, peopleCalls } from './people/calls.ts'
import { faceGroupUndos } from './people/faces/group-steps.ts'
import { createRecognition, faceKinds } from './people/faces/recognition.ts'
import { peopleMerge } from './people/merge-people.ts'
import { createPeopleOverviews } from './people/overview.ts'
import { createPeople } from './people/people.ts'
import { peopleUndos } from './people/undo-people.ts'
import { mapCalls } from './places/calls.ts'
import { createPlaces, type Places } from './places/places.ts'
import { placesJob } from './places/places-job.ts'
import { createVisitedPlaces } from './places/visited.ts'
import { pluginCalls } from './plugins/calls.ts'
import { pluginJob, pluginJobInput } from './plugins/plugin-job.ts'
import { createPlugins, type Plugins } from './plugins/plugins.ts'
import { createChannels } from './realtime/channels.ts'
import { createLiveViewers } from './realtime/live-viewers.ts'
import { renditionsJob } from './scan/renditions-job.ts'
import { scanJob } from './scan/scan-job.ts'
import { linkCalls, screensaverCalls, shareCalls, slideshowCalls } from './sharing/calls.ts'
import { createLinks } from './sharing/links.ts'
import { createScreensavers } from './sharing/screensavers.ts'
import { createShares } from './sharing/shares.ts'
import { slideshowJob } from './sharing/slideshow/slideshow-job.ts'
import { systemCalls } from './upkeep/calls.ts'
import { createPlans } from './upkeep/plans.ts'
import { keystringCalls, objectCalls } from './vocabulary/calls.ts'
import { hideJob } from './vocabulary/hide-job.ts'
import { indexJob } from './vocabulary/index-job.ts'
import { createKeystrings } from './vocabulary/keystring-table.ts'
import { mergeJob } from './vocabulary/merge-jobs.ts'
import { keystringsMerge } from './vocabulary/merge-keystrings.ts'
import { createObjects } from './vocabulary/objects.ts'
import { textJob } from './vocabulary/text-job.ts'
import { vocabularyUndos } from './vocabulary/undo-vocabulary.ts'
import { queueVocabularyWork } from './vocabulary/vocabulary-due.ts'
import { jobCalls } from './work/calls.ts'
import type { JobKind } from './work/job-kind.ts'
import { createJobs } from './work/jobs.ts'
import { createProblems } from './work/problems.ts'
import { createSafetyFiles } from './work/safety-files.ts'
import { metadataWritingJobs } from './write-back/export-job.ts'
import { metadataImportJob } from './write-back/metadata-import-job.ts'
import { createMetadataWork } from './write-back/metadata-work.ts'

type Dependencies = ReturnType<typeof openDataDirectory>

function wireAccounts({ db, clock, log, secrets }: Dependencies) {
  const auditNotes = createAuditNotes({ db, clock, log })
  const passwords = createPasswords()
  const pins = createPins(sealsOf(secrets).pins, passwords)
  const users = createUsers({ db, clock, passwords, pins })
  const rights = createRights(db)
  const { tokenKey } = secrets
  const tokens = createTokens({ db, clock, rights, tokenKey })
  const loginLimits = createLoginLimits({ db, clock, notes: auditNotes })
  return {
    audit: createAudit({ db, clock }),
    passwords,
    auditNotes,
    users,
    rights,
    tokens,
    sessions: createSessions({ db, clock, users, rights, notes: auditNotes, loginLimits, tokenKey, tokens }),
    groups: createGroups({ db }),
    unlock: createUnlock({ db, clock, passwords, pins, notes: auditNotes }),
  }
}

function wireItems(dependencies: Dependencies, { rights, passwords }: ReturnType<typeof wireAccounts>) {
  const { db, clock, data, settings, secrets, cache } = dependencies
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
  const onThisDay = createOnThisDay({ items, clock })
  return {
    items,
    allowed,
    collections,
    folders: createFolders({ data, allowed }),
    problems: createProblems({ db }),
    safetyFiles: createSafetyFiles({ db }),
    map: createMap({ items }),
    mapGround: createMapGround({ db, settings }),
    places: createPlaces({ cache }),
    visitedPlaces: createVisitedPlaces({ db, items }),
    onThisDay,
    duplicates: createDuplicates({ db, items }),
    accessExplained: createAccessExplained({ db, items }),
    favourites: createFavourites({ db, clock, items }),
    albums: createAlbums({ db, clock, items }),
    shares: createShares({ db, clock, items, rights, settings, seal: sealsOf(secrets).shares }),
    links: createLinks({ db, clock, items, rights, settings, passwords, seal: sealsOf(secrets).shares }),
    screensavers: createScreensavers({ db, clock, items, onThisDay, rights }),
    downloads: createDownloads({ db, items }),
    collectionExport: createCollectionExport({ db, collections }),
    libraryExport: createLibraryExport({ db }),
  }
}

/** Creates the parts that work on files: journal, moves, the reading half of the file manager. */
function wireFiles({ db, clock, log, cache, home, data, settings }: Dependencies) {
  /** Opens a pool of decode workers; `low` gives it less priority than pools that serve users. */
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
  const disk = createDisk()
  const journal = createJournal({ db, clock, disk, log, onReplaced: removeBoxes })
  const mover = createFileMover({ db, clock, disk, journal, log })
  const places = createFilePlaces({ db, disk, data: home, roots: settings.roots })
  const walking = createWalking({ disk, places })
  return {
    moving: { db, clock, log, cache, data: home, settings, openPool, disk, journal, mover },
    findItemWithContent: createSameContent({ db, disk }),
    sidecarExport: createSidecarExport({ db, disk, data }),
    lanes: createLaneWork(),
    fileManager: {
      places,
      listings: createListing({ disk, places }),
      search: createFileSearch({ places, walking }),
      reading: createFileReading({ db, disk, places, walking }),
    },
  }
}

interface KindParts extends Pick<ReturnType<typeof wireFiles>, 'moving' | 'findItemWithContent' | 'lanes'> {
  items: Items
  places: Places
  plugins: Plugins
  rights: RightsTable
  undos: UndoTable
}

function jobKinds({ moving, findItemWithContent, lanes, items, places, plugins, rights, undos }: KindParts): JobKind[] {
  const { db, clock, data, disk } = moving
  const editing = { ...moving, items, rights }
  const viewerOf = (id: number) => viewerOfUser(db, rights, id)
  return [
    scanJob(moving),
    renditionsJob(moving),
    transcodeJob(moving),
    ...faceKinds(moving),
    forgetCollectionJob(moving),
    sortJob(moving),
    transferJob(moving),
    lanes.kind,
    importJob({ ...moving, items, findItemWithContent, viewerOf }),
    ...metadataWritingJobs(moving),
    metadataImportJob(moving),
    restoreJob(moving),
    bulkEditJob(editing),
    mergeDuplicatesJob(editing),
    recycleJob(editing),
    rotateJob(editing),
    verifyJob({ db, clock, disk }),
    purgeJob(editing),
    undoJob({ ...editing, undos }),
    duplicatesJob(moving),
    placesJob({ db, places }),
    hideJob(moving),
    textJob(moving),
    indexJob(moving),
    mergeJob(moving, 'merge-people', peopleMerge),
    mergeJob(moving, 'merge-keystrings', keystringsMerge),
    slideshowJob({ ...moving, items, viewerOf }),
    copyJob({ db, clock, data }),
    pluginJob({ db, plugins, viewerOf }),
  ]
}

/** The implementation of every call, for the server's routes and for the in-process client. */
function handlersOf(core: ReturnType<typeof wire>): Handlers<Calls, Caller> {
  return {
    system: systemCalls(core),
    access: accessCalls(core),
    shares: shareCalls(core),
    links: linkCalls(core),
    users: userCalls(core),
    collections: { ...collectionCalls(core), ...fileWorkCalls({ ...core.moving, ...core }) },
    tags: tagCalls(core),
    items: { ...itemCalls(core), ...itemEditCalls(core) },
    favourites: favouriteCalls(core),
    albums: albumCalls(core),
    people: peopleCalls(core),
    faces: faceCalls(core),
    objects: objectCalls(core),
    keystrings: keystringCalls(core),
    screensavers: screensaverCalls(core),
    tokens: tokenCalls(core),
    map: mapCalls(core),
    plugins: pluginCalls(core),
    slideshow: slideshowCalls(core),
    jobs: jobCalls(core),
    history: historyCalls(core),
    audit: auditCalls(core),
  }
}

function wire(
  dependencies: Dependencies,
  { onStep, as }: { onStep?: WritesListener['step'] | undefined; as: (viewer: Viewer) => Client<Calls> },
) {
  const { data, home, settings, db, clock, log } = dependencies
  const accounts = wireAccounts(dependencies)
  const { rights, sessions } = accounts
  const { allowed, ...itemServices } = wireItems(dependencies, accounts)
  const { items, collections, places } = itemServices
  const { moving, findItemWithContent, sidecarExport, lanes, fileManager } = wireFiles(dependencies)
  const limit = settings['files.maxFileSize']
  /** How history entries are undone. Operations on items' parts need no entry (see `editing/undo.ts`). */
  const undos: UndoTable = {
    'file.move': moveUndo(moving),
    'folder.move': folderMoveUndo(moving),
    ...faceGroupUndos,
    ...leftoverUndos,
    ...vocabularyUndos,
    ...peopleUndos,
    ...albumUndos,
  }
  const editing = { ...moving, items, rights }
  const plugins = createPlugins({
    db,
    data,
    log,
    as,
    enqueue: (viewer, call) => jobs.enqueue(viewer, 'plugin', pluginJobInput(viewer, call)),
  })
  const kinds = jobKinds({ moving, findItemWithContent, lanes, items, places, plugins, rights, undos })
  const jobs = createJobs({ db, clock, log, kinds, onStep })
  const actions = createFileActions({ ...moving, places: fileManager.places, jobs, lanes, data: home, limit })
  // Queues the jobs that finish a renaming or hiding.
  const queueRemainingWork = () => queueVocabularyWork({ db, clock, jobs, log })
  return {
    ...dependencies,
    ...accounts,
    ...itemServices,
    moving,
    tags: createTags(editing),
    recycle: createRecycle(editing),
    history: createHistory({ db, items, undos }),
    collectionChanges: createCollectionChanges({
      ...dependencies,
      collections,
      countItems: items.countByCollection,
      jobs,
      allowed,
    }),
    sidecarExport,
    /** Imports an export of `libraryExport` into the items of a collection, or returns what that would change. */
    restore: {
      plan: (viewer: Viewer, request: RestoreRequest) => planRestore(moving, viewer, request),
      start: (viewer: Viewer, request: RestoreRequest, options: { inProcess?: boolean } = {}) =>
        startRestore({ db, jobs }, viewer, request, options),
    },
    exportPeople: (viewer: Viewer) => exportPeople(db, viewer),
    plugins,
    channels: createChannels({ db, items, jobs }),
    liveViewers: createLiveViewers({ db, clock, rights, sessions }),
    people: createPeople({ db, items, queueRemainingWork }),
    peopleOverviews: createPeopleOverviews({ db, clock, items }),
    ...createRecognition({ db, clock, jobs, settings, data: home }),
    objects: createObjects({ db, queueRemainingWork }),
    keystrings: createKeystrings({ db, jobs, queueRemainingWork }),
    metadata: createMetadataWork({ db, clock, collections, jobs }),
    plans: createPlans({ ...moving, items, data, collections, rights }),
    plannedWork: createPlannedWork({ ...moving, items, data, jobs }),
    journal: moving.journal,
    uploads: createUploads({ ...moving, items, findItemWithContent, limit }),
    fileManager: { ...fileManager, actions },
    jobs,
    openPool: moving.openPool,
    /** Compares files with their records; returns the job. */
    verify: (viewer: Viewer, request: VerifyInput) => startVerify({ jobs }, viewer, request),
    /** Copies what a directory has and a collection lacks; returns the job. */
    importDirectory: (
      viewer: Viewer,
      id: number,
      directory: string,
      options: { guess?: boolean; inProcess?: boolean } = {},
    ) => startDirectoryImport({ db, jobs, data }, viewer, { id, directory, guess: options.guess === true }, options),
  }
}

export function openLibrary(options: LibraryOptions) {
  const dependencies = openDataDirectory(options)
  const core = wire(dependencies, { onStep: options.onWrites?.step, as: viewer => calls.as(viewer) })
  const handlers = handlersOf(core)
  const calls = createInProcessCalls(handlers, {
    'items.list': ({ viewer }: Caller, { params, query }: InputOf<Calls['items']['list']>) =>
      core.items.listText(viewer, params, query),
    'items.layout': ({ viewer }: Caller, { params, query }: InputOf<Calls['items']['layout']>) =>
      core.items.layoutText(viewer, params, query),
  })
  return {
    ...core,
    handlers,
    ...calls,
    close() {
      core.places.close()
      void core.uploads.close()
      void core.fileManager.actions.close()
      void core.auditNotes.close()
      dependencies.db.close()
      dependencies.leave()
    },
  }
}

export type Library = ReturnType<typeof openLibrary>
