/** What the page of a link shows, its password, and its pictures. */
import { computed, signal } from '@preact/signals-react'
import type { ImageSize } from '../../schema/addresses.ts'
import { linkImageAddress, linkStreamAddress } from '../../schema/addresses.ts'
import type { LinkedItem, OpenLink } from '../../schema/api/shares.ts'
import { Refused } from '../../schema/client.ts'
import { api, base } from '../api.ts'
import { address } from '../app/address.ts'
import { createLoading } from '../app/loading/resource.ts'
import { leaveDeadLink, rememberLink } from '../items/dead-link.ts'
import { playSlideshow } from '../items/selection/slideshow.ts'
import { baseTexts } from '../texts/base.ts'

export const linkName = computed(() => /^\/link\/([^/]+)\/?$/.exec(address.value.path)?.[1] ?? '')

/** Null until it is loaded; `link` is null while the password is missing. */
export const openedLink = signal<{ link: OpenLink | null } | null>(null)
export const linkedItems = signal<readonly LinkedItem[]>([])
/** The key for the password that was given in this tab. */
const key = signal<string | undefined>(undefined)

const { load, failed } = createLoading(baseTexts.failedToLoadItemShared, error => {
  if (!(error instanceof Refused && error.status < 500)) return false
  leaveDeadLink(linkName.peek())
  return true
})

export { failed as linkFailed }

const loadPage = (page: number) =>
  api.links.items({ params: { name: linkName.peek() }, query: { key: key.peek(), page } })

/** Its title, end and rights can change while its page is open. */
function showLink(link: OpenLink): void {
  if (JSON.stringify(link) !== JSON.stringify(openedLink.peek()?.link)) openedLink.value = { link }
}

async function loadItems(): Promise<void> {
  let found: LinkedItem[] = []
  for (let page = 1; ; page++) {
    const { link, items, total } = await loadPage(page)
    showLink(link)
    found = [...found, ...items]
    const isLast = items.length === 0 || found.length >= total
    // While items are loaded again, those that are shown stay until all are known.
    if (isLast || found.length > linkedItems.peek().length) linkedItems.value = found
    if (isLast) return
  }
}

export async function loadLink({ quiet = false } = {}): Promise<boolean> {
  const name = linkName.peek()
  return load(
    () => api.links.open({ params: { name }, query: { key: key.peek() } }),
    async response => {
      openedLink.value = response
      if (response.link === null) return
      rememberLink(name, response.link.expires)
      await loadItems()
    },
    { quiet },
  )
}

/** Loads the items again: they and the link can change, and the link can end, while its page is open. */
export async function refreshLink(): Promise<void> {
  if (openedLink.peek()?.link == null) return
  try {
    // The first page and the total tell whether something has changed, so that large links are not read each time.
    const { link, items, total } = await loadPage(1)
    showLink(link)
    const known = linkedItems.peek()
    const isSame = JSON.stringify(items) === JSON.stringify(known.slice(0, items.length))
    if (!isSame || total !== known.length) await loadItems()
  } catch (error) {
    // The password may have changed. If the link has ended, this shows its page.
    if (error instanceof Refused && error.status < 500) await loadLink({ quiet: true })
  }
}

/** Returns the error's text; null if the password was right. */
export async function unlockLink(password: string): Promise<string | null> {
  try {
    key.value = (await api.links.unlock({ params: { name: linkName.peek() }, body: { password } })).key
  } catch (error) {
    return error instanceof Refused ? error.message : baseTexts.failedToLoadItemShared
  }
  await loadLink()
  return null
}

const linkReference = () => ({ name: linkName.value, key: key.value })

export const pictureOfLink = (item: LinkedItem, size: ImageSize): string =>
  base.value + linkImageAddress(linkReference(), item, size)
export const streamOfLink = ({ id }: LinkedItem): string => base.value + linkStreamAddress(linkReference(), id)

/** Plays all pictures of the link. */
export function playLink(): void {
  playSlideshow(async () =>
    linkedItems.peek().map(item => ({
      ...item,
      problem: null,
      place: item.place ?? '',
      picture: pictureOfLink(item, 'large'),
      film: streamOfLink(item),
    })),
  )
}
export { linkReference }
