/** The form of a plugin's options: its fields, grouped by their dotted names, its errors and its changes. Pure. */
import { flatOptions, treeOfOptions } from '../../../schema/api/parts/option-tree.ts'
import type { OptionTree, OptionType, OptionValue, PluginOptions } from '../../../schema/api/plugins.ts'
import { managementTexts } from '../../texts/admin/management.ts'

export interface OptionField {
  name: string
  label: string
  type: OptionType
}

export interface OptionGroup {
  /** Dotted name; '' is the root. */
  name: string
  title: string
  fields: OptionField[]
  groups: OptionGroup[]
}

/** Values of the fields by their names: numbers as text; for a secret, '' leaves it unchanged and null deletes it. */
export type OptionsDraft = Readonly<Record<string, string | boolean | null>>

/** Converts 'orderOfYears' and 'order_of-years' to 'Order of years'. */
function titleOf(part: string): string {
  const words = part
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

export function optionGroups(types: PluginOptions['types']): OptionGroup {
  const root: OptionGroup = { name: '', title: '', fields: [], groups: [] }
  for (const [name, type] of Object.entries(types)) {
    const parts = name.split('.')
    const last = parts.pop() ?? name
    let at = root
    for (const part of parts) {
      const within = at.name === '' ? part : `${at.name}.${part}`
      let next = at.groups.find(group => group.name === within)
      if (next === undefined) {
        next = { name: within, title: titleOf(part), fields: [], groups: [] }
        at.groups.push(next)
      }
      at = next
    }
    at.fields.push({ name, label: type.label ?? titleOf(last), type })
  }
  return root
}

export function optionsDraft({ types, values }: PluginOptions): OptionsDraft {
  const set = flatOptions(values)
  return Object.fromEntries(
    Object.entries(types).map(([name, { type, secret }]) => {
      // Undefined for a secret, and if there is neither a value nor a default.
      const value = secret === true ? undefined : set.get(name)
      if (type === 'boolean') return [name, value === true]
      return [name, value === undefined ? '' : String(value)]
    }),
  )
}

/** Errors by field; valid fields are absent. */
export function optionFaults(options: PluginOptions, draft: OptionsDraft): Record<string, string> {
  const before = optionsDraft(options)
  const faults: Record<string, string> = {}
  for (const [name, { type }] of Object.entries(options.types)) {
    const typed = draft[name]
    if (type !== 'number' || typeof typed !== 'string' || typed === before[name]) continue
    if (typed.trim() === '' || !Number.isFinite(Number(typed))) faults[name] = managementTexts.notANumber
  }
  return faults
}

export function optionChanges(options: PluginOptions, draft: OptionsDraft): OptionTree {
  const before = optionsDraft(options)
  const changes: [string, OptionValue][] = []
  for (const [name, { type }] of Object.entries(options.types)) {
    const typed = draft[name]
    if (typed === undefined || typed === before[name]) continue
    if (typed === null) changes.push([name, ''])
    else changes.push([name, type === 'number' ? Number(typed) : typed])
  }
  return treeOfOptions(changes)
}
