/** Screen savers and their devices. */
import { computed, signal } from '@preact/signals-react'
import { z } from 'zod'
import type { DeviceToken, Screensaver } from '../../schema/api/screensavers.ts'
import { Refused } from '../../schema/client.ts'
import { limits } from '../../schema/limits.ts'
import { api } from '../api.ts'
import { filter, filterQuery } from '../app/current-filter.ts'
import { calendarQuery } from '../app/filter.ts'
import { createResource } from '../app/loading/resource.ts'
import { attempt, attemptValue, report, say } from '../app/messages.ts'
import { readStored, writeStored } from '../kit/stored.ts'
import { saverTexts } from '../texts/saver.ts'

export const {
  value: savers,
  failed: saversFailed,
  load: loadSavers,
} = createResource<readonly Screensaver[]>(saverTexts.failedToLoadScreenSavers, () => api.screensavers.list())
export const {
  value: devices,
  failed: devicesFailed,
  load: loadDevices,
} = createResource<readonly DeviceToken[]>(saverTexts.failedToLoadDevices, () => api.tokens.list())

const stored = z.object({
  saver: z.int().nullable().catch(null),
  seconds: z.number().min(limits.minSaverPlay).max(limits.maxSaverSeconds).catch(limits.saverPlaySeconds),
  videos: z.boolean().catch(false),
})
type Play = z.output<typeof stored>

/** This browser's settings for playing. */
export const playSettings = signal<Play>(readStored('keepsake.screensaver', stored) ?? stored.parse({}))

export function changePlaySettings(change: Partial<Play>): void {
  playSettings.value = { ...playSettings.value, ...change }
  writeStored('keepsake.screensaver', playSettings.value)
}

/** Seconds that the user has set for one saver on the open screen, without saving them. */
export interface UnsavedSeconds {
  saver: number
  seconds: number
}

/** Seconds per picture: the saver's, unless changed by the slider; without a saver, this browser's. */
export function secondsFor(saver: Pick<Screensaver, 'id' | 'seconds'> | null, other: UnsavedSeconds | null): number {
  if (saver === null) return playSettings.value.seconds
  return other?.saver === saver.id ? other.seconds : saver.seconds
}

export const chosenSaver = computed(() => savers.value?.find(({ id }) => id === playSettings.value.saver) ?? null)

/** The present filter in the format of a saver. */
function presentFilter() {
  const { includeHidden: _, ...query } = filterQuery.peek()
  const { collection, calendar } = filter.peek()
  return { ...query, ...calendarQuery(calendar), ...(collection === 0 ? {} : { collection_id: collection }) }
}

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Creates a saver from the present filter and chooses it. On failure, reports the error and returns null. */
export async function createSaver(request: {
  name: string
  random: boolean
  seconds: number
  onThisDay?: boolean
}): Promise<Screensaver | null> {
  const { onThisDay = false, ...rest } = request
  return attemptValue(saverTexts.failedToCreateScreenSaver, async () => {
    const made = await api.screensavers.create({
      query: { ...presentFilter(), ...rest, ...(onThisDay ? { onthisdayTz: timeZone() } : {}) },
    })
    savers.value = [...(savers.value ?? []), made]
    changePlaySettings({ saver: made.id })
    return made
  })
}

/** Name of the saver that plays Home's items. */
const homeSaverName = 'web'

/** Changes or creates the saver 'web' with the present filter. On failure, reports the error and returns null. */
export async function saveHomeSaver(seconds: number): Promise<Screensaver | null> {
  if (savers.peek() === null) await loadSavers()
  const known = savers.peek()?.find(({ name }) => name === homeSaverName)
  if (known === undefined) return createSaver({ name: homeSaverName, random: true, seconds })
  return attemptValue(saverTexts.failedToCreateScreenSaver, async () => {
    const saved = await api.screensavers.save({
      params: { id: known.id },
      query: { setfilters: true, ...presentFilter(), random: true, seconds },
    })
    savers.value = (savers.peek() ?? []).map(one => (one.id === saved.id ? saved : one))
    changePlaySettings({ saver: saved.id })
    return saved
  })
}

/** Changes a saver; returns true on success. `filters`: whether to save the present filter, too. */
export async function saveSaver(
  id: number,
  change: { name?: string; random?: boolean; seconds?: number; filters?: boolean; onThisDay?: boolean },
): Promise<boolean> {
  const { filters = false, onThisDay = false, ...rest } = change
  return attempt(saverTexts.failedToSaveScreenSaver, async () => {
    const saved = await api.screensavers.save({
      params: { id },
      query: {
        ...rest,
        ...(filters ? { setfilters: true, ...presentFilter(), ...(onThisDay ? { onthisdayTz: timeZone() } : {}) } : {}),
      },
    })
    savers.value = (savers.value ?? []).map(one => (one.id === id ? saved : one))
    say(saverTexts.screenSaverSaved)
  })
}

export async function removeSaver(id: number): Promise<boolean> {
  return attempt(saverTexts.failedToDeleteScreenSaver, async () => {
    await api.screensavers.remove({ params: { id } })
    savers.value = (savers.value ?? []).filter(one => one.id !== id)
    if (playSettings.value.saver === id) changePlaySettings({ saver: null })
  })
}

/** Registers a device by its token. Returns true on success; failures are not reported. */
export async function registerDevice(value: string, name: string): Promise<boolean> {
  try {
    const { id } = await api.tokens.create({ body: { value, name, type: 'ScreenSaver' } })
    return id > 0
  } catch {
    return false
  }
}

export async function saveDevice(
  id: number,
  change: { name?: string; screensaverid?: number | null },
): Promise<boolean> {
  return attempt(saverTexts.failedToSaveDevice, async () => {
    const saved = await api.tokens.save({ params: { id }, body: { token: change } })
    devices.value = (devices.value ?? []).map(one => (one.id === id ? saved : one))
  })
}

export async function removeDevice(id: number): Promise<boolean> {
  try {
    await api.tokens.remove({ params: { id } })
    devices.value = (devices.value ?? []).filter(one => one.id !== id)
    return true
  } catch (error) {
    if (error instanceof Refused && error.status === 404) {
      devices.value = (devices.value ?? []).filter(one => one.id !== id)
      return true
    }
    report(error, saverTexts.failedToRemoveDevice)
    return false
  }
}
