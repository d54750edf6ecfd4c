/** The vocabulary of keywords for Tag Options: names, hiding, merging. */
import { computed, signal } from '@preact/signals-react'
import type { Keystring } from '../../../schema/api/keystrings.ts'
import { Refused } from '../../../schema/client.ts'
import { searchKey } from '../../../schema/search-text.ts'
import { api } from '../../api.ts'
import { openPin } from '../../app/dialogs.ts'
import { hiddenQuery } from '../../app/hidden.ts'
import { followWork } from '../../app/jobs/follow-job.ts'
import { createResource } from '../../app/loading/resource.ts'
import { markStale } from '../../app/loading/stale.ts'
import { attempt, report, say } from '../../app/messages.ts'
import { reloadItemsAndWords } from '../../items/reload-items-and-words.ts'
import { offerUndo } from '../../items/undo.ts'
import { wordKey } from '../../kit/words.ts'
import { taggingTexts } from '../../texts/admin/tagging.ts'
import { adminTexts } from '../../texts/admin.ts'

/** Whether the server refused the list, because the user may not change items of any collection. */
export const keystringsDenied = signal(false)
export const {
  value: keystrings,
  failed: keystringsFailed,
  loading: keystringsLoading,
  load: loadKeystrings,
} = createResource<readonly Keystring[]>(
  taggingTexts.failedToLoadAllKeystrings,
  async () => {
    const list = await api.keystrings.listAll({ query: hiddenQuery() })
    keystringsDenied.value = false
    return list
  },
  error => {
    keystringsDenied.value = error instanceof Refused && error.status === 403
    return keystringsDenied.value
  },
)
export const keystringSearch = signal('')

export const foundKeystrings = computed(() => {
  const wanted = searchKey(keystringSearch.value.trim())
  const all = keystrings.value ?? []
  return wanted === '' ? all : all.filter(({ content }) => searchKey(content).includes(wanted))
})

export type KeystringChange = Partial<Pick<Keystring, 'content' | 'isHidden' | 'isAssociatedItemsHidden'>>

function setOption(id: number, change: KeystringChange): void {
  keystrings.value = keystrings.value?.map(one => (one.id === id ? { ...one, ...change } : one)) ?? null
}

/** Shows the change at once, and reverts it on failure. Returns the error; '' if the change was saved. */
export async function saveKeystring(id: number, change: KeystringChange): Promise<string> {
  const before = keystrings.peek()?.find(one => one.id === id)
  if (before === undefined) return ''
  setOption(id, change)
  try {
    setOption(id, await api.keystrings.update({ params: { id }, body: change }))
    markStale('words')
    return ''
  } catch (error) {
    setOption(id, before)
    const isName = error instanceof Refused && (error.status === 400 || error.status === 409)
    if (change.content !== undefined && isName) return error.message
    // Only an unlocked session may stop hiding a keyword's items.
    if (error instanceof Refused && error.status === 409 && change.isAssociatedItemsHidden === false) openPin()
    else report(error, taggingTexts.failedToSaveKeystring)
    return taggingTexts.failedToSaveKeystring
  }
}

/** Another keyword with this name; null if there is none. */
export function namesake(id: number, content: string): Keystring | null {
  return keystrings.value?.find(one => one.id !== id && wordKey(one.content) === wordKey(content)) ?? null
}

/** Replaces `other` with `into` on all items, and deletes `other`. Returns whether the job has started. */
export async function mergeKeystrings(into: Keystring, other: Keystring): Promise<boolean> {
  return attempt(taggingTexts.failedToMergeKeystrings, async () => {
    const { taskid, step } = await api.keystrings.merge({ params: { id: into.id, otherId: other.id } })
    keystrings.value = keystrings.value?.filter(({ id }) => id !== other.id) ?? null
    void followMerge(taskid, step, taggingTexts.isNow({ from: other.content, into: into.content }))
  })
}

async function followMerge(taskid: number, step: string, text: string): Promise<void> {
  const job = await followWork(taskid, { text: taggingTexts.merging, failure: adminTexts.failedToStopMerging })
  if (job.state === 'done') offerUndo(text, step)
  else say(taggingTexts.mergeDidNotEnd, job.error ?? taggingTexts.mergeStoppedHint)
  await reloadItemsAndWords()
}
