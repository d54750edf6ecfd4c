/** The host object of a plugin's element (`docs/plugins.md`). All that the element does with it can be undone. */
import { computed } from '@preact/signals-react'
import { useSignals } from '@preact/signals-react/runtime'
import { Puzzle } from 'lucide-react'
import * as React from 'react'
import { z } from 'zod'
import type { Item } from '../../schema/api/items.ts'
import { type Plugin, pluginFileAddress } from '../../schema/api/plugins.ts'
import type { RealtimeMessage } from '../../schema/realtime.ts'
import { api, base } from '../api.ts'
import { go } from '../app/address.ts'
import { collections } from '../app/collections.ts'
import { filter } from '../app/current-filter.ts'
import { say, showError } from '../app/messages.ts'
import {
  addTo,
  type PluginComponent,
  pluginActions,
  pluginAddress,
  pluginEntries,
  pluginOptions,
  pluginScreens,
  uniqueText,
} from '../app/plugin-slots.ts'
import { user } from '../app/session.ts'
import { actionTexts, addSelectionAction } from '../items/selection/selection-actions.ts'
import { subscribe } from '../socket.ts'
import { createRemote } from './remote.ts'

/** A function, or a component made by `memo` or `lazy`. */
const component = z.custom<PluginComponent>(
  value =>
    typeof value === 'function' ||
    (typeof value === 'object' && value !== null && typeof Reflect.get(value, '$$typeof') === 'symbol'),
  'is no component of React',
)
const act = z.custom<(...given: unknown[]) => unknown>(value => typeof value === 'function', 'is no function')
const path = z.string().regex(/^(?:[\w.~-]+(?:\/[\w.~-]+)*)?$/, 'has letters, digits and -_.~, with / between')
const label = z.string().trim().min(1).max(80)

const route = z.object({ path, title: label, component })
const entry = z.object({ label, path, who: z.enum(['all', 'signedIn', 'globalAdmin']).default('all') })
const option = z.object({ component })
const action = z.object({ label, act, offered: act.optional() })

/** Validates a plugin's argument; throws an error that explains it. */
function validate<Shape extends z.ZodType>(shape: Shape, given: unknown, call: string): z.output<Shape> {
  const found = shape.safeParse(given)
  if (found.success) return found.data
  const [issue] = found.error.issues
  throw new Error(`${call}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim())
}

/** The page's own entries in the menu of an item. */
const menuTexts = ['Edit Metadata', 'Locate on Map', 'Copy to clipboard', 'Open original', 'Share']

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Reports that a plugin has failed; the page continues. */
export function pluginFailed({ name }: Pick<Plugin, 'name'>, error: unknown): void {
  showError(`The plugin ${name} failed`, messageOf(error))
}

/** A list of undo functions. After `end`, further functions run at once. */
function createUndoList() {
  const undos: (() => void)[] = []
  let ended = false
  return {
    /** Adds an undo function. Returns a function that runs it now. */
    onUndo(undo: () => void): () => void {
      if (ended) {
        undo()
        return undo
      }
      undos.push(undo)
      return () => {
        const at = undos.indexOf(undo)
        if (at < 0) return
        undos.splice(at, 1)
        undo()
      }
    },
    end() {
      ended = true
      for (const undo of undos.splice(0).reverse()) undo()
    },
  }
}

/** The host of one element, and `end`, which undoes everything done with the host. */
export function createHost(plugin: Plugin, element: string): { host: object; end: () => void } {
  const { onUndo, end } = createUndoList()
  let count = 0

  const slotFields = () => ({ key: `${plugin.id} ${element} ${++count}`, plugin, host })
  const remote = createRemote(plugin, end => onUndo(end))
  const file = (name: string) => pluginFileAddress(plugin, element, name, base.peek())

  /** Calls a plugin's function; errors, even asynchronous ones, are only reported. */
  function safely(call: () => unknown): void {
    try {
      Promise.resolve(call()).catch(error => pluginFailed(plugin, error))
    } catch (error) {
      pluginFailed(plugin, error)
    }
  }

  function addAction(given: unknown): () => void {
    const wanted = validate(action, given, 'items.add')
    const text = uniqueText(wanted.label, plugin.name, [...menuTexts, ...actionTexts()])
    const offered = (items: readonly Item[]) => {
      try {
        return wanted.offered === undefined || wanted.offered(items) === true
      } catch {
        return false
      }
    }
    const run = (items: readonly Item[]) => safely(() => wanted.act(items))
    const removeFromMenu = addTo(pluginActions, { ...slotFields(), label: text, offered, act: run })
    const removeFromBar = addSelectionAction({
      text,
      icon: Puzzle,
      order: 60,
      inBar: 9,
      offered,
      act: items => run(items),
    })
    return onUndo(() => {
      removeFromMenu()
      removeFromBar()
    })
  }

  const host = Object.freeze({
    React,
    useSignals,
    api,
    plugin: Object.freeze({ id: plugin.id, module: plugin.module, name: plugin.name, version: plugin.version }),
    routes: Object.freeze({
      add(given: unknown) {
        const { title, ...request } = validate(route, given, 'routes.add')
        const address = pluginAddress(plugin.id, request.path)
        if (pluginScreens.peek().some(screen => screen.address === address)) {
          throw new Error(`routes.add: there is a screen at '${request.path}' already`)
        }
        return onUndo(addTo(pluginScreens, { ...slotFields(), address, title, component: request.component }))
      },
    }),
    menu: Object.freeze({
      add(given: unknown) {
        const { label: text, who, ...request } = validate(entry, given, 'menu.add')
        const address = pluginAddress(plugin.id, request.path)
        return onUndo(addTo(pluginEntries, { ...slotFields(), label: text, who, address }))
      },
    }),
    options: Object.freeze({
      add: (given: unknown) =>
        onUndo(addTo(pluginOptions, { ...slotFields(), ...validate(option, given, 'options.add') })),
    }),
    items: Object.freeze({ add: addAction }),
    rpc: remote.call,
    start: remote.start,
    subscribe: (channel: string, listener: (message: RealtimeMessage) => unknown) =>
      onUndo(subscribe(channel, message => safely(() => listener(message)))),
    /** Read-only copies, so that a plugin's writes to them change nothing. */
    stores: Object.freeze({
      user: computed(() => user.value),
      collections: computed(() => collections.value),
      filter: computed(() => filter.value),
    }),
    style(name: string) {
      const link = document.createElement('link')
      link.rel = 'stylesheet'
      link.href = file(name)
      document.head.append(link)
      return onUndo(() => link.remove())
    },
    file,
    go: (to: string) => go(pluginAddress(plugin.id, to)),
    say: (text: string, detail = '') => say(String(text), String(detail)),
    onEnd: (given: unknown) => {
      const call = validate(act, given, 'onEnd')
      return onUndo(() => safely(() => call()))
    },
  })

  return { host, end }
}
