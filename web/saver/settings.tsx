/** Tab Settings: the existing screen savers and their filters. */
import { useSignals } from '@preact/signals-react/runtime'
import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Screensaver } from '../../schema/api/screensavers.ts'
import { limits } from '../../schema/limits.ts'
import { collections } from '../app/collections.ts'
import { filtered } from '../app/current-filter.ts'
import { signedIn } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/form/field.tsx'
import { Confirm } from '../kit/layers/confirm.tsx'
import { Slider } from '../kit/slider.tsx'
import { Switch } from '../kit/switch.tsx'
import { listText } from '../kit/words.ts'
import { baseTexts } from '../texts/base.ts'
import { saverTexts } from '../texts/saver.ts'
import { CreateSaver } from './create-saver.tsx'
import { saverText } from './saver-text.ts'
import { changePlaySettings, chosenSaver, devices, loadDevices, removeSaver, savers, saveSaver } from './savers.ts'

function collectionName(id: number): string | null {
  return collections.value?.find(one => one.id === id)?.name ?? null
}

function RemoveSaver({ saver, onClose }: { saver: Screensaver; onClose: () => void }) {
  useSignals()
  useEffect(() => {
    if (signedIn.peek()) void loadDevices()
  }, [])
  const using = devices.value?.filter(({ screensaverid }) => screensaverid === saver.id) ?? []
  return (
    <Confirm
      title={saverTexts.delete({ name: saver.name })}
      action={baseTexts.delete}
      onConfirm={() => removeSaver(saver.id)}
      onClose={onClose}
    >
      <p className="soft">
        {using.length === 0
          ? saverTexts.deleteHint
          : saverTexts.devicesLeftWithout({ list: listText(using.map(({ name }) => name)) })}
      </p>
    </Confirm>
  )
}

function Editor({ saver }: { saver: Screensaver }) {
  useSignals()
  const [name, setName] = useState(saver.name)
  const [seconds, setSeconds] = useState(saver.seconds)
  const [random, setRandom] = useState(saver.random)
  const [removing, setRemoving] = useState(false)
  // Shows a value that was changed elsewhere; what the user typed into the other fields stays.
  useEffect(() => setName(saver.name), [saver.name])
  useEffect(() => setSeconds(saver.seconds), [saver.seconds])
  useEffect(() => setRandom(saver.random), [saver.random])
  const isNameMissing = name.trim() === ''
  const changed = name.trim() !== saver.name || seconds !== saver.seconds || random !== saver.random
  return (
    <section className="panel grid gap-5 max-w-[520px]" aria-label={saver.name}>
      <Field
        label={baseTexts.name}
        value={name}
        maxLength={100}
        fault={isNameMissing ? baseTexts.nameIsRequired : undefined}
        onChange={event => setName(event.target.value)}
      />
      <Slider
        label={saverTexts.eachPictureStaysFor}
        value={seconds}
        least={limits.minSaverSeconds}
        most={limits.maxSaverSeconds}
        text={baseTexts.seconds({ seconds })}
        onChange={setSeconds}
      />
      <Switch label={saverTexts.inRandomOrder} checked={random} onChange={setRandom} />
      <div className="grid gap-2">
        <p className="text-xs font-semibold">{saverTexts.shows}</p>
        <p>{saverText(saver.filters, collectionName)}</p>
        <Button
          look="quiet"
          className="justify-self-start"
          text={filtered.value ? saverTexts.useTheCurrentFilter : saverTexts.showEverything}
          onClick={() => void saveSaver(saver.id, { filters: true })}
        />
      </div>
      <div className="flex gap-2">
        <Button look="ghost" className="text-error -ms-4" text={baseTexts.delete} onClick={() => setRemoving(true)} />
        <Button
          look="primary"
          className="ms-auto"
          text={baseTexts.save}
          disabled={!changed || isNameMissing}
          onClick={() =>
            void saveSaver(saver.id, { seconds, random, ...(name.trim() === saver.name ? {} : { name: name.trim() }) })
          }
        />
      </div>
      {removing && <RemoveSaver saver={saver} onClose={() => setRemoving(false)} />}
    </section>
  )
}

export function SettingsTab() {
  useSignals()
  const [creating, setCreating] = useState(false)
  const saver = chosenSaver.value
  return (
    <div className="grid gap-6 lg:grid-cols-[280px_minmax(0,1fr)] items-start">
      <div className="grid gap-3">
        <ul className="grid gap-0.5" aria-label={saverTexts.screenSavers}>
          {savers.value?.map(one => (
            <li key={one.id}>
              <button
                type="button"
                className="row-nav"
                aria-current={one.id === saver?.id ? 'true' : undefined}
                onClick={() => changePlaySettings({ saver: one.id })}
              >
                <span className="truncate">{one.name}</span>
                <span className="n">{baseTexts.seconds({ seconds: one.seconds })}</span>
              </button>
            </li>
          ))}
        </ul>
        <Button
          look="quiet"
          className="justify-self-start"
          icon={Plus}
          text={saverTexts.newScreenSaver}
          onClick={() => setCreating(true)}
        />
      </div>
      {saver === null ? (
        <p className="soft py-2">{saverTexts.noScreenSaverSelected}</p>
      ) : (
        <Editor key={saver.id} saver={saver} />
      )}
      {creating && <CreateSaver onClose={() => setCreating(false)} />}
    </div>
  )
}
