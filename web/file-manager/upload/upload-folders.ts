/** Creates each folder of dropped files once, before its first file is sent. */
import { type Driver, FileRefused } from '../driver.ts'
import { joinPaths, parentOf, partsOf } from '../paths.ts'
import { foldersTo } from './upload-list.ts'

/** Returns a function that creates a folder below `path`, with its parents; it throws `FileRefused`. */
export function createUploadFolders(driver: Pick<Driver, 'index' | 'newFolder'>, path: string) {
  const creations = new Map<string, Promise<void>>()

  async function createOne(folder: string): Promise<void> {
    const fullPath = joinPaths(path, folder)
    try {
      await driver.newFolder(parentOf(fullPath), partsOf(fullPath).at(-1) ?? '')
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error
      // If the folder already exists, files are added to it. If a file has that name, it is an error.
      const isThere = await driver.index(fullPath).then(
        () => true,
        () => false,
      )
      if (!isThere) throw error
    }
  }

  /** Creates the folder unless that was done before; a folder that failed is tried again. */
  function createOnce(folder: string): Promise<void> {
    const known = creations.get(folder)
    if (known !== undefined) return known
    const making = createOne(folder)
    creations.set(folder, making)
    making.catch(() => creations.delete(folder))
    return making
  }

  return async (folder: string): Promise<void> => {
    for (const one of foldersTo(folder)) await createOnce(one)
  }
}
