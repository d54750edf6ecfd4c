/** Tab Devices: the registered screens, and this screen's code for registering it. */
import { useSignals } from '@preact/signals-react/runtime'
import { CloudOff, MonitorSmartphone, Trash2, Tv } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { DeviceToken } from '../../schema/api/screensavers.ts'
import { deviceState, loadDeviceState, pairingAddress } from '../app/device.ts'
import { signedIn } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { momentText } from '../kit/dates.ts'
import { Empty } from '../kit/empty.tsx'
import { namedChoices, Select } from '../kit/form/select.tsx'
import { Confirm } from '../kit/layers/confirm.tsx'
import { type Column, DataTable } from '../kit/table/data-table.tsx'
import { RowAction } from '../kit/table/row-action.tsx'
import { useRun } from '../kit/time/use-run.ts'
import { TryAgain } from '../kit/try-again.tsx'
import { QrCode } from '../sharing/qr.tsx'
import { baseTexts } from '../texts/base.ts'
import { saverTexts } from '../texts/saver.ts'
import { devices, devicesFailed, loadDevices, removeDevice, saveDevice, savers } from './savers.ts'

const pollMs = 3_000
/** A device seen within this many seconds counts as active now. */
const seenNowSeconds = 120

function lastSeen({ used }: DeviceToken): string {
  if (used === null) return saverTexts.notYet
  return Date.now() / 1000 - used < seenNowSeconds ? baseTexts.now : momentText(new Date(used * 1000).toISOString())
}

function RemoveDevice({ device, onClose }: { device: DeviceToken; onClose: () => void }) {
  return (
    <Confirm
      title={saverTexts.remove({ name: device.name })}
      action={baseTexts.remove}
      onConfirm={() => removeDevice(device.id)}
      onClose={onClose}
    >
      <p className="soft">{saverTexts.removeHint}</p>
    </Confirm>
  )
}

/** Unsaved choices of what each device shows; null means nothing. */
type UnsavedChoices = ReadonlyMap<number, number | null>

function columnsOf(
  picked: UnsavedChoices,
  pick: (device: DeviceToken, saver: number | null) => void,
): Column<DeviceToken>[] {
  return [
    {
      name: 'device',
      head: saverTexts.device,
      cell: device => (
        <span className="flex items-center gap-3 min-w-0 font-semibold">
          <Tv size={18} className="soft shrink-0" aria-hidden="true" />
          <span className="truncate" title={device.name} dir="auto">
            {device.name}
          </span>
        </span>
      ),
    },
    {
      name: 'shows',
      head: saverTexts.shows,
      width: 224,
      card: 'line',
      cell: device => (
        <Select
          className="input h-[max(36px,var(--tap))] w-full min-w-0"
          aria-label={saverTexts.whatShows({ name: device.name })}
          value={chosenOf(picked, device) ?? 0}
          choices={[{ value: 0, text: baseTexts.nothing }, ...namedChoices(savers.value)]}
          onChoose={chosen => pick(device, Number(chosen) || null)}
        />
      ),
    },
    {
      name: 'seen',
      head: saverTexts.lastSeen,
      width: 128,
      drops: 1,
      cell: device => <span className="soft whitespace-nowrap">{lastSeen(device)}</span>,
    },
  ]
}

function chosenOf(picked: UnsavedChoices, { id, screensaverid }: DeviceToken): number | null {
  return picked.has(id) ? (picked.get(id) ?? null) : screensaverid
}

function Table() {
  useSignals()
  const [picked, setPicked] = useState<UnsavedChoices>(new Map())
  const [removing, setRemoving] = useState<DeviceToken | null>(null)
  const list = devices.value
  if (list === null) {
    if (!devicesFailed.value) return null
    return (
      <Empty
        icon={CloudOff}
        title={saverTexts.devicesCouldNotBeLoaded}
        actions={<TryAgain className="btn btn-primary" again={loadDevices} />}
      />
    )
  }
  if (list.length === 0) {
    return (
      <div className="py-10 grid justify-items-center text-center gap-3">
        <MonitorSmartphone size={40} strokeWidth={1.25} className="soft" aria-hidden="true" />
        <p className="text-base font-semibold">{saverTexts.noDevicesYet}</p>
        <p className="soft max-w-[360px] text-balance">{saverTexts.noDevicesHint}</p>
      </div>
    )
  }
  return (
    <div>
      <DataTable
        caption={baseTexts.devices}
        columns={columnsOf(picked, (device, saver) => setPicked(new Map(picked).set(device.id, saver)))}
        rows={list}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        actionsWidth={176}
        actions={device => (
          <>
            {chosenOf(picked, device) !== device.screensaverid && (
              <Button
                look="primary"
                small
                className="h-[max(32px,var(--tap))] whitespace-nowrap"
                text={saverTexts.saveDevice}
                onClick={() => void saveDevice(device.id, { screensaverid: chosenOf(picked, device) })}
              />
            )}
            <RowAction icon={Trash2} text={baseTexts.remove} of={device.name} onClick={() => setRemoving(device)} />
          </>
        )}
        empty={null}
        loading={false}
      />
      {removing !== null && <RemoveDevice device={removing} onClose={() => setRemoving(null)} />}
      <p className="text-xs soft mt-5 max-w-[380px]">{saverTexts.devicesHint}</p>
    </div>
  )
}

/** This screen's code; it disappears when the screen is registered. */
function ThisScreen() {
  useSignals()
  const address = pairingAddress()
  const now = deviceState.value
  const isWaiting = now === null || now === 'waiting'
  useRun(
    async signal => {
      if (!isWaiting) return
      while (!signal.aborted) {
        const response = document.visibilityState === 'visible' ? await loadDeviceState() : null
        if (response !== null && response !== 'waiting') break
        await new Promise(done => setTimeout(done, pollMs))
      }
      if (!signal.aborted && signedIn.peek()) await loadDevices()
    },
    [isWaiting],
  )
  return (
    <section className="panel grid gap-4 justify-items-start" aria-label={saverTexts.thisScreen}>
      <div>
        <h2 className="text-base font-semibold">{saverTexts.showPicturesOnThisScreen}</h2>
        <p className="soft mt-1">{isWaiting ? saverTexts.scanHint : saverTexts.registeredHere}</p>
      </div>
      {isWaiting && (
        <>
          <div className="justify-self-center">
            <QrCode text={address} size={208} label={saverTexts.qrCode} />
          </div>
          <div className="justify-self-center text-center min-w-0 max-w-full">
            <p className="text-xs soft mb-1">{saverTexts.orOpenOnAnyDevice}</p>
            <p className="font-mono text-sm break-all select-all" dir="ltr">
              {address.replace(/^https?:\/\//, '').replace('/screen-saver/token/', '/t/')}
            </p>
          </div>
          <p className="soft w-full border-t hair pt-4 flex items-center justify-center gap-2" role="status">
            <i className="w-1.5 h-1.5 rounded-full bg-current" aria-hidden="true" />
            {saverTexts.waitingForThePhone}
          </p>
        </>
      )}
    </section>
  )
}

export function DevicesTab() {
  useSignals()
  useEffect(() => {
    if (signedIn.value) void loadDevices()
  })
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_336px] items-start">
      {signedIn.value ? <Table /> : <p className="soft">{saverTexts.signInToSee}</p>}
      <ThisScreen />
    </div>
  )
}
