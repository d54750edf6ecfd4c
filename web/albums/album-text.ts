/** Texts about an album: its dates, its number of items, and with whom it is shared. Pure. */

import type { Album } from '../../schema/api/albums.ts'
import { ownLocale } from '../../schema/locale.ts'
import { yearOf } from '../kit/dates.ts'
import { listText } from '../kit/words.ts'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'

const daySeconds = 86_400

/** '5 August 2012', '1–14 August 2012', 'June – August 2012', '1998–2026'. Seconds, local times read as if UTC. */
export function datesText(from: number, to: number, locale = ownLocale): string {
  const [first, last] = [new Date(from * 1000), new Date(to * 1000)]
  const style: Intl.DateTimeFormatOptions =
    to - from <= 31 * daySeconds
      ? { day: 'numeric', month: 'long', year: 'numeric' }
      : yearOf(from) === yearOf(to)
        ? { month: 'long', year: 'numeric' }
        : { year: 'numeric' }
  return new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }).formatRange(first, last)
}

/** The names of those who share an album with the user; at most `most`, then 'and 3 more'. */
export function namesText({ members, owner, own }: Album, username: string | undefined, most = 3): string {
  const others = [...(own || owner === null ? [] : [owner]), ...members].filter(one => one.username !== username)
  const names = others.slice(0, most).map(({ name }) => name)
  const list = listText(names)
  return others.length > most ? albumsTexts.andMore({ names: list, count: others.length - most }) : list
}

/** The line beneath an album: dates, number of items, and its most important property. */
export function albumLine(album: Album, username?: string): string {
  const { from, to, items, kind, own, owner, members } = album
  const parts = [baseTexts.itemCount({ count: items })]
  if (from !== null && to !== null) parts.unshift(datesText(from, to))
  if (kind === 'search') parts.push(albumsTexts.fillsItself)
  else if (!own && owner !== null && owner.username !== username) parts.push(albumsTexts.from({ name: owner.name }))
  else if (members.length > 0) parts.push(albumsTexts.withNames({ names: namesText(album, username, 2) }))
  if (album.public) parts.push(albumsTexts.public)
  return parts.join(' · ')
}

/** A folder's line: how many albums and folders are in it, or that it is empty. */
export function folderLine(inside: readonly Pick<Album, 'kind'>[]): string {
  const folders = inside.filter(({ kind }) => kind === 'folder').length
  const albums = inside.length - folders
  const parts: string[] = []
  if (albums > 0) parts.push(albumsTexts.albumCount({ count: albums }))
  if (folders > 0) parts.push(albumsTexts.folderCount({ count: folders }))
  return parts.length === 0 ? albumsTexts.emptyFolder : listText(parts)
}
