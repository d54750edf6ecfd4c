/** The rows of 'My links': links to single items, and links to selections, albums and people. */
import type { Link, Share } from '../../schema/api/shares.ts'
import type { TablePicture } from '../items/pictures/table-picture.tsx'
import { shortDate } from '../kit/dates.ts'
import { baseTexts } from '../texts/base.ts'
import { sharingTexts } from '../texts/sharing.ts'
import { addressOfLink } from './links.ts'
import { addressOfShare, type sharedItems } from './shares.ts'

/** Times in seconds since the epoch. */
export interface LinkEntry {
  key: string
  of: { share: Share } | { link: Link }
  name: string
  /** What it shows: 'Album · 87 items'. */
  about: string
  cover: Parameters<typeof TablePicture>[0]['item'] | null
  /** null for links that the user may only end. */
  address: string | null
  username: string
  created: number
  /** null for links that never end. */
  expires: number | null
  active: boolean
  /** null where views are not counted. */
  views: number | null
  /** null: not opened yet. */
  viewed: number | null
}

const kinds = { items: sharingTexts.selection, album: sharingTexts.album, person: sharingTexts.person } as const

function entryOfLink(link: Link): LinkEntry {
  const { id, kind, title, items, active, cover, username, created, expires, views, viewed } = link
  const count = baseTexts.itemCount({ count: items })
  return {
    key: `link-${id}`,
    of: { link },
    name: title === '' ? (active ? count : kinds[kind]) : title,
    about: [kinds[kind], active && title !== '' ? count : ''].filter(Boolean).join(' · '),
    cover,
    address: link.name === '' ? null : addressOfLink(link),
    username,
    created,
    expires,
    active,
    views,
    viewed,
  }
}

function entryOfShare(share: Share, items: typeof sharedItems.value, now: number): LinkEntry {
  const item = items.get(share.item)
  const { created, expires, username } = share
  return {
    key: `share-${share.name}`,
    of: { share },
    name: item?.name ?? sharingTexts.anItem,
    about: [sharingTexts.oneItem, item === undefined ? '' : shortDate(item.taken)].filter(Boolean).join(' · '),
    cover: { id: share.item, share: share.name, reloads: '', type: item?.type },
    address: addressOfShare(share),
    username,
    created,
    expires,
    active: expires > now,
    views: null,
    viewed: null,
  }
}

/** Open ones first, newest first. `now` in seconds since the epoch. */
export function linkEntries(
  known: { links: readonly Link[]; shares: readonly Share[]; items: typeof sharedItems.value },
  now: number,
): LinkEntry[] {
  return [
    ...known.links.map(entryOfLink),
    ...known.shares.map(share => entryOfShare(share, known.items, now)).filter(({ active }) => active),
  ].sort((a, b) => Number(b.active) - Number(a.active) || b.created - a.created)
}
