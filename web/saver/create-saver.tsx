/** The dialog that creates a screen saver from the present filter. */
import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { limits } from '../../schema/limits.ts'
import { filtered } from '../app/current-filter.ts'
import { list } from '../items/items.ts'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/form/field.tsx'
import { Modal } from '../kit/layers/modal.tsx'
import { Slider } from '../kit/slider.tsx'
import { Switch } from '../kit/switch.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { baseTexts } from '../texts/base.ts'
import { saverTexts } from '../texts/saver.ts'
import { createSaver } from './savers.ts'

export function CreateSaver({ onClose }: { onClose: () => void }) {
  useSignals()
  const [name, setName] = useState('')
  const [hasLeftField, setHasLeftField] = useState(false)
  const [seconds, setSeconds] = useState<number>(limits.saverSeconds)
  const [random, setRandom] = useState(true)
  const [onThisDay, setOnThisDay] = useState(false)
  const { busy, run } = useBusy()
  const isNameMissing = name.trim() === ''
  const total = list.value?.total
  return (
    <Modal title={saverTexts.newScreenSaver} onClose={onClose}>
      <form
        className="px-6 pt-4 pb-6 grid gap-5"
        onSubmit={async event => {
          event.preventDefault()
          setHasLeftField(true)
          if (isNameMissing) return
          if (await run(() => createSaver({ name: name.trim(), random, seconds, onThisDay }))) onClose()
        }}
      >
        <Field
          label={baseTexts.name}
          value={name}
          maxLength={100}
          data-autofocus
          fault={hasLeftField && isNameMissing ? baseTexts.nameIsRequired : undefined}
          onChange={event => setName(event.target.value)}
          onBlur={() => setHasLeftField(name !== '')}
        />
        <p className="soft -mt-2">
          {filtered.value
            ? total === undefined
              ? saverTexts.showsFilter
              : saverTexts.showsFilterNow({ count: total })
            : saverTexts.showsEverythingHint}
        </p>
        <Slider
          label={saverTexts.eachPictureStaysFor}
          value={seconds}
          least={limits.minSaverPlay}
          most={limits.maxSaverSeconds}
          text={baseTexts.seconds({ seconds })}
          onChange={setSeconds}
        />
        <div className="grid gap-1">
          <Switch label={saverTexts.inRandomOrder} checked={random} onChange={setRandom} />
          <Switch label={saverTexts.onlyThisDayHint} checked={onThisDay} onChange={setOnThisDay} />
        </div>
        <div className="flex justify-end gap-2">
          <Button look="ghost" text={baseTexts.cancel} onClick={onClose} />
          <Button type="submit" look="primary" text={baseTexts.create} disabled={busy} />
        </div>
      </form>
    </Modal>
  )
}
