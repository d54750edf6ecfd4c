/** Files that a stopped scan did not find: loaded page by page while they are shown. */
import { signal } from '@preact/signals-react'
import { api } from '../../api.ts'
import { succeeds } from '../../app/messages.ts'
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

const pageOf = 100

export const safetyFiles = signal<SafetyFiles | null>(null)

/** The first page, or one more. */
export async function loadSafetyFiles(collection: number): Promise<void> {
  const known = safetyFiles.value?.collection === collection ? safetyFiles.value.files : []
  await succeeds(baseTexts.unableToLoadCollection, async () => {
    const page = Math.floor(known.length / pageOf) + 1
    const response = await api.collections.safetyFiles({ params: { id: collection }, query: { limit: pageOf, page } })
    const files = [...known, ...response.files.filter(({ item }) => !known.some(one => one.item === item))]
    safetyFiles.value = { collection, total: response._meta.total_records, files }
  })
}
