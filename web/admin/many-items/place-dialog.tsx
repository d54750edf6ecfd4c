/** Gives many items one place, or removes their places. */
import { useState } from 'react'
import type { Item } from '../../../schema/api/items.ts'
import { closeDialog } from '../../app/dialogs.ts'
import { Button } from '../../kit/button.tsx'
import { Modal } from '../../kit/layers/modal.tsx'
import { useBusy } from '../../kit/use-busy.ts'
import { manyTexts } from '../../texts/many-items.ts'
import { metadataTexts } from '../../texts/metadata.ts'
import { type FormPlace, itemFormOf, noPlace, placeFault } from '../metadata/item-form.ts'
import { PlaceFields } from '../metadata/location.tsx'
import { changeMany } from './change-many.ts'
import { ManyFoot } from './many-foot.tsx'
import { Strip } from './strip.tsx'

const isSame = (a: FormPlace, b: FormPlace) => JSON.stringify(a) === JSON.stringify(b)

export function PlaceDialog({ items }: { items: readonly Item[] }) {
  const places = items.map(item => itemFormOf(item).place)
  const [first = noPlace] = places
  const areSame = places.every(place => isSame(place, first))
  const [before] = useState(areSame ? first : noPlace)
  const [place, setPlace] = useState(before)
  const { busy, run } = useBusy()
  const isEmpty = place.latitude === null && place.placeName.trim() === ''
  const isFaulty = Object.keys(placeFault(place)).length > 0
  const count = items.length
  async function save(data: unknown, done: (count: number) => string) {
    const words = { failure: metadataTexts.failedToSaveLocation, done }
    const changes = [{ tagName: 'Locations', mode: 'set', data } as const]
    if ((await run(() => changeMany(items, changes, words))) === true) closeDialog()
  }
  return (
    <Modal title={manyTexts.placeOfItems({ count })} width={600} busy={busy} onClose={closeDialog}>
      <div className="px-6 pt-3 grid gap-4">
        <Strip items={items} />
        <PlaceFields shown="many" place={place} onChange={setPlace} />
        {places.some(one => !isSame(one, noPlace)) && (
          <Button
            look="link"
            className="justify-self-start -ms-1.5"
            text={metadataTexts.removeThePlace}
            disabled={busy}
            onClick={() => void save([], changed => manyTexts.placesRemoved({ count: changed }))}
          />
        )}
      </div>
      <ManyFoot
        hint={areSame ? manyTexts.youCanUndoIt : manyTexts.theyHaveOthers}
        action={manyTexts.setPlace({ count })}
        disabled={busy || isEmpty || isFaulty || isSame(place, before)}
        onAct={() =>
          void save({ ...place, placeName: place.placeName.trim() }, changed => manyTexts.placesSet({ count: changed }))
        }
      />
    </Modal>
  )
}
