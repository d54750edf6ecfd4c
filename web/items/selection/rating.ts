/** Rates items with the keys 0 to 5: shown at once, and reverted if saving fails. */
import type { Item } from '../../../schema/api/items.ts'
import { api } from '../../api.ts'
import { report, say } from '../../app/messages.ts'
import { mayUpdateAll } from '../../app/rights.ts'
import { baseTexts } from '../../texts/base.ts'
import { patchEverywhere } from '../item-patch.ts'
import { openId } from '../open-item.ts'

/** For items whose rating is being saved: their rating on the server, by id. */
const saved = new Map<number, number | null>()
/** For items whose rating is being saved: the rating that the user chose last, by id. */
const wanted = new Map<number, number>()

/** Saves the wanted rating, and again if the user has changed it meanwhile. */
async function save(id: number): Promise<void> {
  for (let sent: number | null = null; wanted.get(id) !== sent; ) {
    sent = wanted.get(id) ?? 0
    await api.tags.update({ params: { id, tagName: 'Rating' }, query: {}, body: { data: sent } })
    saved.set(id, sent)
  }
}

async function rateOne(item: Item, rating: number): Promise<void> {
  const { id } = item
  patchEverywhere([id], { rating })
  const isSaving = wanted.has(id)
  wanted.set(id, rating)
  if (isSaving) return
  saved.set(id, item.rating)
  try {
    await save(id)
  } catch (error) {
    patchEverywhere([id], { rating: saved.get(id) ?? null })
    report(error, baseTexts.failedToSaveRating)
  } finally {
    wanted.delete(id)
    saved.delete(id)
  }
}

/** Rates several items as one step of the history. */
async function rateMany(items: readonly Item[], rating: number): Promise<void> {
  const ids = items.map(({ id }) => id)
  patchEverywhere(ids, { rating })
  try {
    await api.tags.bulk({
      query: {},
      body: { items: ids, changes: [{ tagName: 'Rating', mode: 'set', data: rating }] },
    })
    say(baseTexts.itemsRated({ count: items.length, rating: ratingText(rating) }))
  } catch (error) {
    for (const item of items) patchEverywhere([item.id], { rating: item.rating })
    report(error, baseTexts.failedToSaveRating)
  }
}

function ratingText(rating: number): string {
  return rating === 0 ? baseTexts.noStarsLower : baseTexts.starCount({ count: rating })
}

/** Rates items; does nothing if the user may not change them. */
export function rate(items: readonly Item[], rating: number): void {
  const [first] = items
  if (first === undefined || !mayUpdateAll(items)) return
  if (items.length > 1) void rateMany(items, rating)
  else {
    // The viewer may not show stars, so a message confirms the rating. Cards show them.
    if (openId.peek() !== null) say(rating === 0 ? baseTexts.noStars : baseTexts.starCount({ count: rating }))
    void rateOne(first, rating)
  }
}
