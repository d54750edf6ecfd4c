/** The dialog that creates a screen saver of the present filter. */
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
import { createSaver } from './savers.ts'

export function CreateSaver({ onClose }: { onClose: () => void }) {
  useSignals()
  const [name, setName] = useState('')
  const [left, setLeft] = useState(false)
  const [seconds, setSeconds] = useState<number>(limits.saverSeconds)
  const [random, setRandom] = useState(true)
  const [onThisDay, setOnThisDay] = useState(false)
  const [busy, setBusy] = useState(false)
  const missing = name.trim() === ''
  const total = list.value?.total
  return (
    <Modal title="New screen saver" onClose={onClose}>
      <form
        className="px-6 pt-4 pb-6 grid gap-5"
        onSubmit={async event => {
          event.preventDefault()
          setLeft(true)
          if (missing || busy) return
          setBusy(true)
          const made = await createSaver({ name: name.trim(), random, seconds, onThisDay })
          setBusy(false)
          if (made !== null) onClose()
        }}
      >
        <Field
          label="Name"
          value={name}
          maxLength={100}
          data-autofocus
          fault={left && missing ? 'Name is required' : undefined}
          onChange={event => setName(event.target.value)}
          onBlur={() => setLeft(name !== '')}
        />
        <p className="soft -mt-2">
          {filtered.value
            ? `It shows what the filter leaves${total === undefined ? '' : `: ${total.toLocaleString()} now`}, and what will come to that.`
            : 'It shows everything that you can see. To show less, set a filter on Home first.'}
        </p>
        <Slider
          label="Each picture stays for"
          value={seconds}
          least={limits.saverPlayLeast}
          most={limits.saverSecondsMost}
          text={`${seconds} s`}
          onChange={setSeconds}
        />
        <div className="grid gap-1">
          <Switch label="In random order" checked={random} onChange={setRandom} />
          <Switch label="Only what was taken on this day of any year" checked={onThisDay} onChange={setOnThisDay} />
        </div>
        <div className="flex justify-end gap-2">
          <Button look="ghost" text="Cancel" onClick={onClose} />
          <Button type="submit" look="primary" text="Create" disabled={busy} />
        </div>
      </form>
    </Modal>
  )
}
