/** The people on the open picture, with their faces; last the faces without a name, for those who may name them. */
import { useSignals } from '@preact/signals-react/runtime'
import { Link } from 'wouter'
import type { Item } from '../../schema/api/items.ts'
import { pictureOf } from '../api.ts'
import { addressOfEditor } from '../app/current-filter.ts'
import { emptyFilter, writeFilter } from '../app/filter.ts'
import { mayUpdate } from '../app/rights.ts'
import { people } from '../app/vocabulary.ts'
import type { PictureBox } from '../items/pictures/region-rules.ts'
import { baseTexts } from '../texts/base.ts'
import { viewerTexts } from '../texts/viewer.ts'
import { Part } from './details-part.tsx'
import { type PersonRow, peopleRows } from './people-rows.ts'

/** The same as in viewer.css. */
const faceSize = 44

/** A round crop of a face, a little larger than its box, so that it looks natural. */
function Face({ item, share }: { item: Item; share: PictureBox }) {
  const [width, height] = [share.width * item.width, share.height * item.height]
  const side = Math.max(width, height) * 1.3
  const factor = faceSize / side
  const middle = { x: (share.x + share.width / 2) * item.width, y: (share.y + share.height / 2) * item.height }
  return (
    <span className="details-face">
      <img
        src={pictureOf(item, 'medium')}
        alt=""
        style={{
          width: item.width * factor,
          height: item.height * factor,
          left: faceSize / 2 - middle.x * factor,
          top: faceSize / 2 - middle.y * factor,
        }}
      />
    </span>
  )
}

/** The name with the number of items that show the person; both lead to these items. */
function PersonLink({ item, row: { person, name, share } }: { item: Item; row: PersonRow }) {
  useSignals()
  const count = people.read().find(({ id }) => id === person)?.itemcount
  const groups = [[{ kind: 'Person' as const, id: person, text: name, not: false }]]
  return (
    <Link href={`/${writeFilter({ ...emptyFilter, groups })}`} title={viewerTexts.showEverythingWith({ word: name })}>
      {share !== null && <Face item={item} share={share} />}
      <span className="min-w-0">
        <span className="block truncate" dir="auto">
          {name}
        </span>
        {/* Reserves the line until the number is known. */}
        <span className="block text-xs soft h-4">{count === undefined ? '' : baseTexts.itemCount({ count })}</span>
      </span>
    </Link>
  )
}

export function People({ item }: { item: Item }) {
  useSignals()
  const rows = peopleRows(item).filter(({ person }) => person !== 0 || mayUpdate(item))
  if (rows.length === 0) return null
  return (
    <Part title={baseTexts.people}>
      <ul className="details-people">
        {rows.map(row => (
          <li key={row.key}>
            {row.person !== 0 ? (
              <PersonLink item={item} row={row} />
            ) : (
              <Link href={addressOfEditor([item.id])}>
                {row.share !== null && <Face item={item} share={row.share} />}
                <span className="details-link">{viewerTexts.whoIsThis}</span>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}
