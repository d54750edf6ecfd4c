/** Which plugins are on, and bringing the page in step with them. The code for that comes when there is one. */
import type { Plugin } from '../../schema/api/plugins.ts'
import { api } from '../api.ts'
import { fault } from '../app/messages.ts'
import { pluginsReady, pluginTurns } from '../app/plugin-slots.ts'

let following = false
/** Asked again while an answer was on its way. */
let again = false

const isOn = ({ active, problem, elements }: Plugin) => active && problem === null && elements.length > 0

/** A plugin that never comes keeps nobody waiting for the others. Milliseconds. */
const patience = 10_000

function settled(): void {
  pluginsReady.value = true
}

async function follow(): Promise<void> {
  let active: Plugin[]
  try {
    active = (await api.plugins.list()).filter(isOn)
  } catch {
    // Without the server there is nothing to load; it is asked again when it is back.
    return
  }
  if (active.length === 0 && !following) return settled()
  following = true
  try {
    const { followPlugins } = await import('./loader.ts')
    // Not waited for: whoever switches off one that hangs is heard all the same.
    void followPlugins(active).then(settled)
    setTimeout(settled, patience)
  } catch (error) {
    fault('Plugins could not be loaded', error instanceof Error ? error.message : '')
  }
}

let running: Promise<void> | null = null

/** Asks which plugins are on and follows. However often it is called, one question is under way. */
export function loadPlugins(): Promise<void> {
  if (running !== null) {
    again = true
    return running
  }
  running = follow().finally(() => {
    running = null
    if (again) {
      again = false
      void loadPlugins()
    }
  })
  return running
}

function idOf(told: unknown): number | null {
  const id: unknown = typeof told === 'object' && told !== null ? Reflect.get(told, 'id') : null
  return typeof id === 'number' ? id : null
}

/** The server says that a plugin has come, gone, was switched, or has got other options. */
export function pluginTold(told: unknown): void {
  const id = idOf(told)
  const isSwitched = typeof told === 'object' && told !== null && 'active' in told
  if (id !== null && !isSwitched) {
    pluginTurns.value = new Map(pluginTurns.peek()).set(id, (pluginTurns.peek().get(id) ?? 0) + 1)
  }
  void loadPlugins()
}
