/** The rows of people in the details of an item. Pure. */
import type { Item } from '../../schema/api/items.ts'
import { boxAsShares, type PictureBox } from '../items/pictures/region-rules.ts'

export interface PersonRow {
  key: string
  /** 0 for a face that nobody has named. */
  person: number
  name: string
  /** The face, in shares of the picture; null if only the name is known. */
  share: PictureBox | null
}

/** Named people, each once and with a face if there is one, then faces without a name. */
export function peopleRows(item: Pick<Item, 'tags' | 'width' | 'height'>): PersonRow[] {
  const rows = (item.tags.People?.data ?? []).map(region => ({
    key: String(region.id),
    person: region.person,
    name: region.name,
    share: region.width > 0 && region.height > 0 ? boxAsShares(region, item) : null,
  }))
  const named = new Map<number, PersonRow>()
  for (const row of rows)
    if (row.person !== 0 && (named.get(row.person)?.share ?? null) === null) named.set(row.person, row)
  return [...named.values(), ...rows.filter(({ person, share }) => person === 0 && share !== null)]
}
