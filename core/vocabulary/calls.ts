/** Calls about keystrings, unlocking what they hide, and objects. */
import { type CallHandlers, done } from '../accounts/caller.ts'
import type { Unlock } from '../accounts/unlock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Jobs } from '../work/jobs.ts'
import type { Keystrings } from './keystring-table.ts'
import { startMerge } from './merge-jobs.ts'
import type { Objects } from './objects.ts'

interface KeystringParts {
  db: LibraryDatabase
  jobs: Jobs
  keystrings: Keystrings
  unlock: Unlock
}

export function keystringCalls({ db, jobs, keystrings, unlock }: KeystringParts): CallHandlers<'keystrings'> {
  return {
    list: ({ viewer }, { query }) => keystrings.list(viewer, query),
    byTag: ({ viewer }, { params, query }) => keystrings.byTag(viewer, params.tag, query),
    listAll: ({ viewer }, { query }) => keystrings.listAll(viewer, query),
    update: ({ viewer }, { params, body }) => keystrings.update(viewer, params.id, body),
    merge: ({ viewer }, { params }) => startMerge({ db, jobs }, viewer, 'merge-keystrings', params),
    unlock: ({ viewer }, { body }) => unlock.unlock(viewer, body.pin),
    lock: ({ viewer }) => done(unlock.lock(viewer)),
  }
}

export function objectCalls({ objects }: { objects: Objects }): CallHandlers<'objects'> {
  return {
    list: ({ viewer }, { query }) => objects.list(viewer, query),
    propertyNames: ({ viewer }, { query }) => objects.propertyNames(viewer, query),
    create: ({ viewer }, { body }) => objects.create(viewer, body),
    update: ({ viewer }, { params, body }) => objects.update(viewer, params.id, body),
    remove: ({ viewer }, { params, query }) => done(objects.remove(viewer, params.id, { force: query.force === true })),
    addProperty: ({ viewer }, { params, body }) => objects.addProperty(viewer, params.id, body),
    removeProperty: ({ viewer }, { params }) => done(objects.removeProperty(viewer, params)),
  }
}
