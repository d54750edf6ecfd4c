/** The user's links to selections, albums and people. */
import type { Link } from '../../schema/api/shares.ts'
import { api } from '../api.ts'
import { createLoading, type LoadOptions } from '../app/loading/resource.ts'
import { attempt, attemptValue, say } from '../app/messages.ts'
import { user } from '../app/session.ts'
import { userSignal } from '../app/user-data.ts'
import { sharingTexts } from '../texts/sharing.ts'

/** Newest first; null until loaded. */
export const links = userSignal<readonly Link[] | null>(null)
const { failed: linksFailed, load } = createLoading(sharingTexts.failedToLoadShares)

export { linksFailed }

export function loadLinks(how?: LoadOptions): Promise<boolean> {
  return load(
    () => api.links.list(),
    response => {
      links.value = response.links
    },
    how,
  )
}

export const addressOfLink = ({ name }: Pick<Link, 'name'>): string => `${location.origin}/link/${name}`

type NewLink = NonNullable<Parameters<typeof api.links.create>[0]>['body']
type Changes = NonNullable<Parameters<typeof api.links.update>[0]>['body']

const replaceLink = (link: Link) => {
  links.value = (links.peek() ?? []).map(one => (one.id === link.id ? link : one))
}

/** Returns the new link; null on failure, which is reported. */
export async function createLink(link: NewLink): Promise<Link | null> {
  const made = await attemptValue(sharingTexts.failedToSaveLink, () => api.links.create({ body: link }))
  if (made !== null && links.peek() !== null) links.value = [made, ...(links.peek() ?? [])]
  return made
}

/** Returns the changed link; null on failure, which is reported. */
export async function updateLink({ id }: Link, changes: Changes): Promise<Link | null> {
  const changed = await attemptValue(sharingTexts.failedToSaveLink, () =>
    api.links.update({ params: { id }, body: changes }),
  )
  if (changed !== null) replaceLink(changed)
  return changed
}

export async function endLink(link: Link): Promise<boolean> {
  const { id, title } = link
  return attempt(sharingTexts.failedToEndTheShare, async () => {
    await api.links.end({ params: { id } })
    // The link of another user is deleted.
    if (link.username !== user.peek()?.username) links.value = (links.peek() ?? []).filter(one => one.id !== id)
    else replaceLink({ ...link, active: false, items: 0, cover: null, expires: Math.floor(Date.now() / 1000) })
    say(sharingTexts.linkHasEnded, title)
  })
}
