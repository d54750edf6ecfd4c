/** Parts of a share's page: the picture's glow behind it, who shares it, and until when. */
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

/** The glow behind the picture and, unless the screen is `small`, the text below it; a small screen's footer has it. */
export function SharedParts({ item, small }: { item: Item; small: boolean }) {
  return (
    <>
      <div className="viewer-light" style={{ backgroundImage: `url("${pictureOf(item, 'tiny')}")` }} />
      {!small && (
        <footer className="viewer-shared viewer-control">
          <h1 className="date-head font-semibold">{longDate(item.taken)}</h1>
          <p>
            <SharedBy />
          </p>
        </footer>
      )}
    </>
  )
}
