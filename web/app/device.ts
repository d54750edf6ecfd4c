/** This screen as a device: its token, whether it is registered, and what it shows. */
import { computed, signal } from '@preact/signals-react'
import { z } from 'zod'
import type { Screensaver } from '../../schema/api/screensavers.ts'
import { Refused } from '../../schema/client.ts'
import { deviceClient } from '../api.ts'
import { readStored, writeStored } from '../kit/stored.ts'

const shape = z.object({ token: z.string().regex(/^[\w-]{22}$/), paired: z.boolean() })

const device = signal(readStored('keepsake.device', shape))
/** Whether this screen is registered; if so, it plays when the page is opened. */
export const paired = computed(() => device.value?.paired === true)

/** 'waiting' to be registered, 'idle' while no screen saver is chosen for it, or the screen saver that it plays. */
export type DeviceState = 'waiting' | 'idle' | Screensaver
export const deviceState = signal<DeviceState | null>(null)

/** 128 bits in base64url. */
function makeToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The token of this screen; created when first needed. */
function deviceToken(): string {
  if (device.value === null) store({ token: makeToken(), paired: false })
  return device.value?.token ?? ''
}

function store(next: z.output<typeof shape>): void {
  device.value = next
  writeStored('keepsake.device', next)
}

/** The address encoded in the QR code. */
export function pairingAddress(): string {
  return `${location.origin}/screen-saver/token/${deviceToken()}`
}

/** A client that makes calls as this device, whoever is signed in. */
export function clientOfDevice() {
  return deviceClient(deviceToken())
}

/** Asks the server what to show. Returns null if the call fails; a 401 means that the device is 'waiting'. */
export async function loadDeviceState(): Promise<DeviceState | null> {
  try {
    const [saver] = await clientOfDevice().screensavers.list()
    store({ token: deviceToken(), paired: true })
    deviceState.value = saver ?? 'idle'
  } catch (error) {
    if (!(error instanceof Refused && error.status === 401)) return null
    // A revoked token can never be registered again.
    if (paired.value) store({ token: makeToken(), paired: false })
    deviceState.value = 'waiting'
  }
  return deviceState.value
}
