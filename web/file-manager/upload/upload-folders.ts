/** Makes the folders that dropped files are in, each once, before the first of these is sent. */
import { type Driver, FileRefused } from '../driver.ts'
import { above, inside, partsOf } from '../paths.ts'
import { foldersTo } from './upload-list.ts'

/** Returns a function that makes sure of a folder below `path`, and of those above it; it throws `FileRefused`. */
export function createUploadFolders(driver: Pick<Driver, 'index' | 'newFolder'>, path: string) {
  const made = new Map<string, Promise<void>>()

  async function make(folder: string): Promise<void> {
    const whole = inside(path, folder)
    try {
      await driver.newFolder(above(whole), partsOf(whole).at(-1) ?? '')
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error
      // It may be there already: files join what is in it. A file of that name is none.
      const isThere = await driver.index(whole).then(
        () => true,
        () => false,
      )
      if (!isThere) throw error
    }
  }

  /** One that failed is tried again. */
  function once(folder: string): Promise<void> {
    const known = made.get(folder)
    if (known !== undefined) return known
    const making = make(folder)
    made.set(folder, making)
    making.catch(() => made.delete(folder))
    return making
  }

  return async (folder: string): Promise<void> => {
    for (const one of foldersTo(folder)) await once(one)
  }
}
