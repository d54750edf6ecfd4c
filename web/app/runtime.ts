/** Addresses and settings from the server, loaded before anything else. */
import { computed, signal } from '@preact/signals-react'
import { type RuntimeConfig, runtimeConfig } from '../../schema/api/system.ts'
import { api, base } from '../api.ts'
import { baseTexts } from '../texts/base.ts'
import { report } from './messages.ts'

export const runtime = signal<RuntimeConfig | null>(null)

/** Whether nobody has an account yet: the first one becomes the administrator's. */
export const firstStart = computed(() => runtime.value?.registration === 'first')
export const mayRegister = computed(() => runtime.value !== null && runtime.value.registration !== 'closed')
export const buildDate = computed(() => runtime.value?.built ?? '')

/** Loads the settings: at the start, and again once the first account exists. */
export async function loadRuntime({ quiet = false } = {}): Promise<void> {
  try {
    const parsed = runtimeConfig.safeParse(await api.system.runtime())
    if (!parsed.success) throw new Error(baseTexts.invalidConfigDataFormat)
    base.value = parsed.data.api.replace(/\/$/, '')
    runtime.value = parsed.data
  } catch (error) {
    if (!quiet)
      report(
        error,
        error instanceof Error && error.message === baseTexts.invalidConfigDataFormat
          ? error.message
          : baseTexts.failedToLoadSettings,
      )
  }
}
