/** What the page of a share has beside its picture: the picture's light as ground, and who shares it until when. */
import { useSignals } from '@preact/signals-react/runtime'
import type { Item } from '../../schema/api/items.ts'
import { pictureOf } from '../api.ts'
import { openedShare } from '../items/shared-item.ts'
import { endText, longDate } from '../kit/dates.ts'
import { sharingTexts } from '../texts/sharing.ts'

/** 'Inés shared this with you. Open until 29 Nov 2026, 22:10.' */
export function SharedBy() {
  useSignals()
  const share = openedShare.value
  if (share === null) return null
  return (
    <>
      {share.from !== '' && sharingTexts.sharedThis({ name: <bdi>{share.from}</bdi> })}{' '}
      {sharingTexts.openUntilDay({ day: endText(share.expires) })}
    </>
  )
}

/** The picture's light behind it and, except on a `small` screen, whose foot has them, the words below it. */
export function SharedParts({ item, small }: { item: Item; small: boolean }) {
  return (
    <>
      <div className="viewer-light" style={{ backgroundImage: `url("${pictureOf(item, 'tiny')}")` }} />
      {!small && (
        <footer className="viewer-shared viewer-control">
          <h1 className="font-semibold">{longDate(item.taken)}</h1>
          <p>
            <SharedBy />
          </p>
        </footer>
      )}
    </>
  )
}
