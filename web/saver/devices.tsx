/** Tab Devices: registered screens with tokens of their own, and this screen's code to become one. */
import { useSignals } from '@preact/signals-react/runtime'
import { CloudOff, MonitorSmartphone, Trash2, Tv } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { DeviceToken } from '../../schema/api/screensavers.ts'
import { askBinding, binding, pairingAddress } from '../app/device.ts'
import { signedIn } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { momentText } from '../kit/dates.ts'
import { Empty } from '../kit/empty.tsx'
import { Confirm } from '../kit/layers/confirm.tsx'
import { type Column, DataTable } from '../kit/table/data-table.tsx'
import { RowAction } from '../kit/table/row-action.tsx'
import { TryAgain } from '../kit/try-again.tsx'
import { QrCode } from './qr.tsx'
import { devices, devicesFailed, loadDevices, removeDevice, saveDevice, savers } from './savers.ts'

const pollMs = 3_000
const nowSeconds = 120

function lastSeen({ used }: DeviceToken): string {
  if (used === null) return 'Not yet'
  return Date.now() / 1000 - used < nowSeconds ? 'Now' : momentText(new Date(used * 1000).toISOString())
}

function RemoveDevice({ device, onClose }: { device: DeviceToken; onClose: () => void }) {
  return (
    <Confirm
      title={`Remove ‘${device.name}’`}
      action="Remove"
      onConfirm={() => removeDevice(device.id)}
      onClose={onClose}
    >
      <p className="soft">It stops at its next picture. To show pictures again, register it again.</p>
    </Confirm>
  )
}

/** Unsaved choices of what each device shows; null: nothing. */
type Picked = ReadonlyMap<number, number | null>

function columnsOf(picked: Picked, pick: (device: DeviceToken, saver: number | null) => void): Column<DeviceToken>[] {
  return [
    {
      name: 'device',
      head: 'Device',
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
      head: 'Shows',
      width: 224,
      card: 'line',
      cell: device => (
        <select
          className="input h-[max(36px,var(--tap))] w-full min-w-0"
          aria-label={`What ${device.name} shows`}
          value={chosenOf(picked, device) ?? 0}
          onChange={event => pick(device, Number(event.target.value) || null)}
        >
          <option value={0}>Nothing</option>
          {savers.value?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      ),
    },
    {
      name: 'seen',
      head: 'Last seen',
      width: 128,
      drops: 1,
      cell: device => <span className="soft whitespace-nowrap">{lastSeen(device)}</span>,
    },
  ]
}

function chosenOf(picked: Picked, { id, screensaverid }: DeviceToken): number | null {
  return picked.has(id) ? (picked.get(id) ?? null) : screensaverid
}

function Table() {
  useSignals()
  const [picked, setPicked] = useState<Picked>(new Map())
  const [removing, setRemoving] = useState<DeviceToken | null>(null)
  const list = devices.value
  if (list === null) {
    if (!devicesFailed.value) return null
    return (
      <Empty
        icon={CloudOff}
        title="The devices could not be loaded"
        actions={<TryAgain className="btn btn-primary" again={loadDevices} />}
      />
    )
  }
  if (list.length === 0) {
    return (
      <div className="py-10 grid justify-items-center text-center gap-3">
        <MonitorSmartphone size={40} strokeWidth={1.25} className="soft" aria-hidden="true" />
        <p className="text-base font-semibold">No devices yet</p>
        <p className="soft max-w-[360px] text-balance">
          Open this page on the television, scan its code with a phone that is signed in, and give it a name.
        </p>
      </div>
    )
  }
  return (
    <div>
      <DataTable
        caption="Devices"
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
                text="Save Device"
                onClick={() => void saveDevice(device.id, { screensaverid: chosenOf(picked, device) })}
              />
            )}
            <RowAction icon={Trash2} text="Remove" of={device.name} onClick={() => setRemoving(device)} />
          </>
        )}
        empty={null}
        loading={false}
      />
      {removing !== null && <RemoveDevice device={removing} onClose={() => setRemoving(null)} />}
      <p className="text-xs soft mt-5 max-w-[380px]">
        A device sees only the pictures of its own screen saver. When you remove it here, it stops at its next picture.
      </p>
    </div>
  )
}

/** This screen's code; it disappears when it is registered. */
function ThisScreen() {
  useSignals()
  const address = pairingAddress()
  const now = binding.value
  const waiting = now === null || now === 'waiting'
  useEffect(() => {
    if (!waiting) return
    let timer: ReturnType<typeof setTimeout>
    let gone = false
    const ask = async () => {
      const answer = document.visibilityState === 'visible' ? await askBinding() : null
      if (!gone && (answer === null || answer === 'waiting')) timer = setTimeout(() => void ask(), pollMs)
      else if (!gone && signedIn.peek()) await loadDevices()
    }
    void ask()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [waiting])
  return (
    <section className="panel grid gap-4 justify-items-start" aria-label="This screen">
      <div>
        <h2 className="text-base font-semibold">Show pictures on this screen</h2>
        <p className="soft mt-1">
          {waiting
            ? 'Scan with a phone that is signed in, and give this screen a name.'
            : 'This screen is registered. Choose what it shows in the list of devices.'}
        </p>
      </div>
      {waiting && (
        <>
          <div className="justify-self-center">
            <QrCode text={address} size={208} label="QR code with the address to register this screen" />
          </div>
          <div className="justify-self-center text-center min-w-0 max-w-full">
            <p className="text-xs soft mb-1">or open on any device</p>
            <p className="font-mono text-sm break-all select-all">
              {address.replace(/^https?:\/\//, '').replace('/screen-saver/token/', '/t/')}
            </p>
          </div>
          <p className="soft w-full border-t hair pt-4 flex items-center justify-center gap-2" role="status">
            <i className="w-1.5 h-1.5 rounded-full bg-current" aria-hidden="true" />
            Waiting for the phone
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
      {signedIn.value ? <Table /> : <p className="soft">Sign in to see the devices that show your pictures.</p>}
      <ThisScreen />
    </div>
  )
}
