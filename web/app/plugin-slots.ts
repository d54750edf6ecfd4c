/** What plugins have added to the page. Components read it here; `web/plugins` adds it. */
import { computed, type Signal, signal } from '@preact/signals-react'
import type { ComponentType } from 'react'
import type { Item } from '../../schema/api/items.ts'
import type { Plugin } from '../../schema/api/plugins.ts'

type Audience = 'all' | 'signedIn' | 'globalAdmin'

/** A plugin's component only gets its host. */
export type PluginComponent = ComponentType<{ host: unknown }>

interface PluginPart {
  /** Unique. */
  key: string
  plugin: Pick<Plugin, 'id' | 'name'>
  host: unknown
}
export interface PluginScreen extends PluginPart {
  /** For example '/plugin/3/years'. */
  address: string
  title: string
  component: PluginComponent
}
export interface PluginEntry extends PluginPart {
  label: string
  address: string
  who: Audience
}
export interface PluginOption extends PluginPart {
  component: PluginComponent
}
export interface PluginAction extends PluginPart {
  label: string
  offered: (items: readonly Item[]) => boolean
  act: (items: readonly Item[]) => void
}

export const pluginScreens = signal<readonly PluginScreen[]>([])
export const pluginEntries = signal<readonly PluginEntry[]>([])
export const pluginOptions = signal<readonly PluginOption[]>([])
export const pluginActions = signal<readonly PluginAction[]>([])

/** True when every plugin that was active when the page was opened has loaded or failed. */
export const pluginsReady = signal(false)
/** By a plugin's id: a number that grows when the plugin's options change. In keys, it makes its components start again. */
export const pluginVersions = signal<ReadonlyMap<number, number>>(new Map())

/** Adds a part to a slot; returns the function that removes it. */
export function addTo<Part extends PluginPart>(slot: Signal<readonly Part[]>, part: Part): () => void {
  slot.value = [...slot.peek(), part]
  return () => {
    slot.value = slot.peek().filter(one => one !== part)
  }
}

/** Address of a plugin's screen; the path '' is its first screen. */
export function pluginAddress(id: number, path: string): string {
  return path === '' ? `/plugin/${id}` : `/plugin/${id}/${path}`
}

const withoutTrailingSlash = (path: string) => (path.length > 1 ? path.replace(/\/$/, '') : path)

/** The screen at a path; null if there is none. */
export function pluginScreenAt(path: string): PluginScreen | null {
  return pluginScreens.value.find(({ address }) => address === withoutTrailingSlash(path)) ?? null
}

export function entriesFor(who: { signedIn: boolean; globalAdmin: boolean }): readonly PluginEntry[] {
  return pluginEntries.value.filter(
    entry => entry.who === 'all' || (entry.who === 'signedIn' ? who.signedIn : who.globalAdmin),
  )
}

/** Makes a text unique: if `text` is taken, appends the plugin's `name` and, if necessary, a number. */
export function uniqueText(text: string, name: string, taken: readonly string[]): string {
  if (!taken.includes(text)) return text
  const named = `${text} (${name})`
  let n = 2
  let unique = named
  while (taken.includes(unique)) unique = `${named} ${n++}`
  return unique
}

export const pluginTitles = computed(() => new Map(pluginScreens.value.map(({ address, title }) => [address, title])))
