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

/** The ids of all favourites after a change of some items. */
const withChanged = (changed: readonly number[], favourite: boolean) => {
  const next = new Set(ids.peek())
  for (const id of changed)
    if (favourite) next.add(id)
    else next.delete(id)
  return next
}

/** Makes items favourites; if all of them are favourites already, removes them from the favourites. */
export async function toggleFavourites(items: readonly Item[]): Promise<void> {
  const changed = items.map(({ id }) => id)
  const favourite = !changed.every(id => ids.peek().has(id))
  ids.value = withChanged(changed, favourite)
  try {
    for (let at = 0; at < changed.length; at += limits.maxFavourites)
      await api.favourites.set({ body: { items: changed.slice(at, at + limits.maxFavourites), favourite } })
  } catch (error) {
    report(error, selectionTexts.failedToSaveFavourite)
    loadIds()
  }
}

/**
 * The heart on a card: a small mark if the item is a favourite. On an `active` card (under the pointer or with the tab
 * stop) a button takes its place.
 */
export function CardHeart({ item, active, tabIndex }: { item: Item; active: boolean; tabIndex: 0 | -1 }) {
  useSignals()
  const isFavourite = ids.value.has(item.id)
  return (
    <>
      {isFavourite && (
        <span className="heart-mark" role="img" aria-label={selectionTexts.favourite}>
          <Heart size={14} fill="currentColor" aria-hidden="true" />
        </span>
      )}
      {active && (
        <button
          type="button"
          className="card-heart on-hover"
          aria-label={selectionTexts.favourite}
          aria-pressed={isFavourite}
          title={isFavourite ? selectionTexts.removeFromFavourites : selectionTexts.addToFavourites}
          tabIndex={tabIndex}
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

/** The heart in the viewer. `phone`: it has a text, as the other actions of a phone's row have. */
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
