/** The user's favourites: loaded once, kept up to date, and shown as hearts on cards and in the viewer. */
import { effect } from '@preact/signals-react'
import { useSignals } from '@preact/signals-react/runtime'
import { Heart } from 'lucide-react'
import type { Item } from '../../../schema/api/items.ts'
import { limits } from '../../../schema/limits.ts'
import { channels } from '../../../schema/realtime.ts'
import { api } from '../../api.ts'
import { hiddenQuery, includeHidden } from '../../app/hidden.ts'
import { createLoading } from '../../app/loading/resource.ts'
import { report } from '../../app/messages.ts'
import { user } from '../../app/session.ts'
import { userSignal } from '../../app/user-data.ts'
import { live, subscribe } from '../../socket.ts'
import { selectionTexts } from '../../texts/selection.ts'

const ids = userSignal<ReadonlySet<number>>(new Set())
const { load } = createLoading(selectionTexts.failedToLoadFavourites)

function loadIds(): void {
  const take = ({ items }: { items: readonly number[] }) => {
    ids.value = new Set(items)
  }
  void load(() => api.favourites.list({ query: hiddenQuery() }), take, { quiet: true })
}

// Loads the favourites of each user who signs in, and again when messages may have been missed.
effect(() => {
  const id = user.value?.id
  void [live.value, includeHidden.value]
  if (id === undefined) return
  queueMicrotask(loadIds)
  return subscribe(channels.rpc(String(id)), ({ favourite }) => {
    if (favourite !== undefined) loadIds()
  })
})

const marked = (these: readonly number[], favourite: boolean) => {
  const next = new Set(ids.peek())
  for (const id of these)
    if (favourite) next.add(id)
    else next.delete(id)
  return next
}

/** Makes items favourites, or if all of them are, no longer. */
export async function toggleFavourites(items: readonly Item[]): Promise<void> {
  const these = items.map(({ id }) => id)
  const favourite = !these.every(id => ids.peek().has(id))
  ids.value = marked(these, favourite)
  try {
    for (let at = 0; at < these.length; at += limits.maxFavourites)
      await api.favourites.set({ body: { items: these.slice(at, at + limits.maxFavourites), favourite } })
  } catch (error) {
    report(error, selectionTexts.failedToSaveFavourite)
    loadIds()
  }
}

/** On a card: a mark, if the item is a favourite, and under the pointer and with the focus a button instead. */
export function CardHeart({ item, near, reach }: { item: Item; near: boolean; reach: 0 | -1 }) {
  useSignals()
  const isFavourite = ids.value.has(item.id)
  return (
    <>
      {isFavourite && (
        <span className="heart-mark" role="img" aria-label={selectionTexts.favourite}>
          <Heart size={14} fill="currentColor" aria-hidden="true" />
        </span>
      )}
      {near && (
        <button
          type="button"
          className="card-heart on-hover"
          aria-label={selectionTexts.favourite}
          aria-pressed={isFavourite}
          title={isFavourite ? selectionTexts.removeFromFavourites : selectionTexts.addToFavourites}
          tabIndex={reach}
          onClick={() => void toggleFavourites([item])}
        >
          <i className="on-pic">
            <Heart size={18} fill={isFavourite ? 'currentColor' : 'none'} aria-hidden="true" />
          </i>
        </button>
      )}
    </>
  )
}

/** In the viewer: `phone`: with its word, in the row of actions. */
export function ViewerHeart({ item, phone }: { item: Item; phone: boolean }) {
  useSignals()
  const isFavourite = ids.value.has(item.id)
  const title = isFavourite ? selectionTexts.removeFromFavourites : selectionTexts.addToFavourites
  return (
    <button
      type="button"
      className={phone ? undefined : 'viewer-button'}
      aria-label={selectionTexts.favourite}
      aria-pressed={isFavourite}
      title={title}
      onClick={() => void toggleFavourites([item])}
    >
      <Heart size={phone ? 22 : 20} fill={isFavourite ? 'currentColor' : 'none'} aria-hidden="true" />
      {phone && selectionTexts.favourite}
    </button>
  )
}
