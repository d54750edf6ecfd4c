/** Folders of the server, one at a time, for the folder picker. */
import { Refused } from '../../../schema/client.ts'
import { api, sessionOfCalls } from '../../api.ts'
import { errorText } from '../../app/messages.ts'

export interface FolderList {
  path: string
  folders: readonly { name: string; path: string }[]
}

/** Loads a folder's list. If the session has ended, waits until the same user signs in again, and repeats the call. */
async function loadFolders(path: string): Promise<FolderList> {
  for (;;) {
    const sentToken = await sessionOfCalls.current()
    try {
      return await api.collections.listFolders({ query: path === '' || path === '/' ? {} : { path } })
    } catch (error) {
      const isEnded = error instanceof Refused && error.status === 401
      if (!isEnded || !(await sessionOfCalls.signInAgain(sentToken))) throw error
    }
  }
}

/** Returns the entries of a folder, or the error. */
export async function listFolders(path: string): Promise<FolderList | { fault: string }> {
  try {
    return await loadFolders(path)
  } catch (error) {
    return { fault: error instanceof Refused && error.status < 500 ? error.message : errorText(error).text }
  }
}

/** The path where the picker starts for a field's value: the typed absolute path, or else '/'. */
export function startFolderOf(typed: string): string {
  const path = typed.trim().replace(/(?<=.)\/+$/, '')
  return path.startsWith('/') ? path : '/'
}
