/** Folders of the server's machine, one at a time: for whoever chooses one. */
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { faultText } from './messages.ts'

export interface FolderList {
  path: string
  folders: readonly { name: string; path: string }[]
}

/** What lies in a folder; or why nobody can say. */
export async function listFolders(path: string): Promise<FolderList | { fault: string }> {
  try {
    return await api.collections.paths({ query: path === '' || path === '/' ? {} : { path } })
  } catch (error) {
    return { fault: error instanceof Refused && error.status < 500 ? error.message : faultText(error).text }
  }
}

/** The folder to begin with for what stands in a field: itself, or what it lies in, where it is no whole path yet. */
export function startOf(typed: string): string {
  const path = typed.trim().replace(/(?<=.)\/+$/, '')
  return path.startsWith('/') ? path : '/'
}
