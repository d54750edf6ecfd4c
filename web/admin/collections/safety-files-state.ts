/** Files that a stopped scan did not find, loaded page by page while they are shown. */
import { api } from '../../api.ts'
import { createLoading, type LoadOptions } from '../../app/loading/resource.ts'
import { userSignal } from '../../app/user-data.ts'
import { baseTexts } from '../../texts/base.ts'

interface LostFile {
  item: number
  /** Relative to the collection. */
  path: string
  taken_at: string
}

export interface SafetyFiles {
  collection: number
  total: number
  files: readonly LostFile[]
}

const pageSize = 100

export const safetyFiles = userSignal<SafetyFiles | null>(null)

const loading = createLoading(baseTexts.unableToLoadCollection)
export const safetyFilesFailed = loading.failed

/** Loads the first page of a collection's files or, if pages are already loaded, the next one. */
export async function loadSafetyFiles(collection: number, how?: LoadOptions): Promise<void> {
  const known = safetyFiles.value?.collection === collection ? safetyFiles.value.files : []
  const page = Math.floor(known.length / pageSize) + 1
  await loading.load(
    () => api.collections.safetyFiles({ params: { id: collection }, query: { limit: pageSize, page } }),
    response => {
      const files = [...known, ...response.files.filter(({ item }) => !known.some(one => one.item === item))]
      safetyFiles.value = { collection, total: response._meta.total_records, files }
    },
    how,
  )
}
