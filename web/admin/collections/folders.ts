/** Folders of the server's machine, one at a time: for whoever chooses one. */
import { Refused } from '../../../schema/client.ts'
import { api, sessionOfCalls } from '../../api.ts'
import { faultText } from '../../app/messages.ts'

export interface FolderList {
  path: string
  folders: readonly { name: string; path: string }[]
}

/** Loads the list; again after a login, since it is the new user's list. */
async function ask(path: string): Promise<FolderList> {
  for (;;) {
    const sent = await sessionOfCalls.current()
    try {
      return await api.collections.paths({ query: path === '' || path === '/' ? {} : { path } })
    } catch (error) {
      const isEnded = error instanceof Refused && error.status === 401
      if (!isEnded || !(await sessionOfCalls.ended(sent))) throw error
    }
  }
}

/** What is in a folder; or why nobody can say. */
export async function listFolders(path: string): Promise<FolderList | { fault: string }> {
  try {
    return await ask(path)
  } catch (error) {
    return { fault: error instanceof Refused && error.status < 500 ? error.message : faultText(error).text }
  }
}

/** The folder to begin with for what is in a field: itself, or what it is in, where it is no whole path yet. */
export function startOf(typed: string): string {
  const path = typed.trim().replace(/(?<=.)\/+$/, '')
  return path.startsWith('/') ? path : '/'
}
