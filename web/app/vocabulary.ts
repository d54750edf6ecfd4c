/** Names of keystrings, people and objects that the user can see; loaded when first read, and again after changes. */
import { computed } from '@preact/signals-react'
import type { KnownName } from '../../schema/suggestion-match.ts'
import { api } from '../api.ts'
import { baseTexts } from '../texts/base.ts'
import { hiddenQuery, includeHidden } from './hidden.ts'
import { createCached } from './loading/resource.ts'
import { versionOf } from './loading/stale.ts'
import { user } from './session.ts'

export type WordTag = 'Keywords' | 'Category' | 'Author'

const ownerNow = () => JSON.stringify([user.value?.id ?? 0, includeHidden.value])
const versionNow = () => versionOf('words')

export const people = createCached(baseTexts.failedToLoadPersonData, ownerNow, versionNow, () =>
  api.people.list({ query: hiddenQuery() }),
)
export const objects = createCached(baseTexts.failedToLoadObjects, ownerNow, versionNow, () =>
  api.objects.list({ query: hiddenQuery() }),
)

const wordsOf = (tag: WordTag) => {
  const { read } = createCached(baseTexts.failedToLoadKeystrings, ownerNow, versionNow, () =>
    api.keystrings.byTag({ params: { tag }, query: hiddenQuery() }),
  )
  return computed(() =>
    read().map(({ id, content, itemcount, isHidden }) => ({
      kind: tag,
      id,
      name: content,
      count: itemcount,
      isHidden,
    })),
  )
}

export const words = {
  Keywords: wordsOf('Keywords'),
  Category: wordsOf('Category'),
  Author: wordsOf('Author'),
}

/** Every name that a person has or had. */
export const personNames = computed<readonly KnownName[]>(() =>
  people
    .read()
    .flatMap(({ id, names, itemcount }) => names.map(({ name }) => ({ kind: 'People', id, name, count: itemcount }))),
)

export const objectNames = computed<readonly KnownName[]>(() =>
  objects.read().map(({ id, name, itemcount }) => ({ kind: 'Objects', id, name, count: itemcount })),
)
