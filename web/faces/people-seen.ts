/** The people that the user sees, most frequent first, each with a face; loaded when they are first shown. */
import { api } from '../api.ts'
import { hiddenQuery, includeHidden } from '../app/hidden.ts'
import { createCached } from '../app/loading/resource.ts'
import { versionOf } from '../app/loading/stale.ts'
import { user } from '../app/session.ts'
import { baseTexts } from '../texts/base.ts'

export const peopleOwner = () => `${user.value?.id ?? 0} ${includeHidden.value}`
export const peopleVersion = () => versionOf('words') + versionOf('items') + versionOf('faces')

export const peopleSeen = createCached(baseTexts.failedToLoadPersonData, peopleOwner, peopleVersion, () =>
  api.people.overview({ query: hiddenQuery() }),
)
