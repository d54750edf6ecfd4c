/** Calls about collections. */
import { type CallHandlers, done } from '../accounts/caller.ts'
import type { Jobs } from '../work/jobs.ts'
import type { SafetyFiles } from '../work/safety-files.ts'
import type { CollectionChangesModule } from './collection-changes.ts'
import type { Collections } from './collections.ts'
import type { Folders } from './folders.ts'

interface Parts {
  collections: Collections
  collectionChanges: CollectionChangesModule
  folders: Folders
  jobs: Jobs
  safetyFiles: SafetyFiles
}

type CallName = 'list' | 'create' | 'scan' | 'safetyFiles' | 'update' | 'remove' | 'previewRemoval' | 'listFolders'

export function collectionCalls(parts: Parts): Pick<CallHandlers<'collections'>, CallName> {
  const { collections, collectionChanges, folders, jobs, safetyFiles } = parts
  return {
    list: ({ viewer }, { query }) => collections.list(viewer, query),
    create: ({ viewer }, { body }) => collections.create(viewer, body),
    async scan({ viewer }, { params, query }) {
      const { id } = collections.requireRight(viewer, params.id, 'admin')
      const { acceptMissing = false, full = false } = query
      return { taskid: await jobs.enqueue(viewer, 'scan', { collectionId: id, acceptMissing, full }) }
    },
    safetyFiles: ({ viewer }, { params, query }) => safetyFiles.list(viewer, params.id, query),
    update: ({ viewer }, { params, body }) => collectionChanges.update(viewer, params.id, body),
    remove: ({ viewer }, { params }) => done(collectionChanges.remove(viewer, params.id)),
    previewRemoval: async ({ viewer }, { params }) => collectionChanges.previewRemoval(viewer, params.id),
    listFolders: ({ viewer }, { query }) => folders.list(viewer, query.path),
  }
}
