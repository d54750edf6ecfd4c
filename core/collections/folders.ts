/** Folders of the machine for the folder picker: names only. */
import { dirname, join } from 'node:path'
import type { z } from 'zod'
import { type collectionCalls, collectionPath } from '../../schema/api/collections.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { requireGlobalAdmin, type Viewer } from '../accounts/access.ts'
import { codeOf } from '../files/disk-error.ts'
import { listFolders } from '../files/list-folders.ts'
import type { AllowedDirectories } from './allowed-directories.ts'

export type FolderList = z.output<typeof collectionCalls.listFolders.output>

function refusal(path: string, error: unknown): unknown {
  const field = 'path'
  switch (codeOf(error)) {
    case 'ENOENT':
      return new Failure('notFound', sentence`There is no directory ${path}.`, { field })
    case 'ENOTDIR':
      return new Failure('notFound', sentence`${path} is not a directory.`, { field })
    case 'EACCES':
    case 'EPERM':
      return new Failure('denied', sentence`The server may not read ${path}.`, { field })
    case 'ENAMETOOLONG':
    case 'ELOOP':
      return new Failure('invalid', 'Path is invalid', { field })
    case null:
      return error
    default:
      return new Failure('notFound', sentence`${path} could not be read (${codeOf(error)}).`, { field, cause: error })
  }
}

function hiddenFailure(path: string): Failure {
  return new Failure('notFound', sentence`${path} is not a directory that can become a collection here.`, {
    field: 'path',
  })
}

/** `data` is the data directory, which is never listed, like directories that cannot become collections. */
export function createFolders({ data, allowed }: { data: string; allowed: AllowedDirectories }) {
  return {
    /** The folders in a directory, by default in '/'. If `collection_roots` is set, '/' lists these directories. */
    async list(viewer: Viewer, requested: string | undefined): Promise<FolderList> {
      requireGlobalAdmin(viewer)
      const path = requested === undefined || requested === '' ? '/' : requested.replace(/(?<=.)\/$/, '')
      if (path !== '/' && !collectionPath.safeParse(path).success) {
        throw new Failure('invalid', 'Path is invalid', { field: 'path' })
      }
      if (path === '/' && allowed.roots.length > 0)
        return { path, parent: null, folders: allowed.roots.map(root => ({ name: root, path: root })) }
      if (!allowed.maySelectIn(path)) throw hiddenFailure(path)
      const names = await listFolders(path, data).catch((error: unknown) => {
        throw refusal(path, error)
      })
      if (names === null) throw hiddenFailure(path)
      const folders = names.map(name => ({ name, path: join(path, name) }))
      return {
        path,
        parent: path === '/' ? null : dirname(path),
        folders: folders.filter(folder => allowed.maySelectIn(folder.path)),
      }
    },
  }
}

export type Folders = ReturnType<typeof createFolders>
