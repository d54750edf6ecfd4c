/** Options of a plugin: stored values, validated by type, and defaults of the manifest. */
import { flatOptions } from '../../schema/api/parts/option-tree.ts'
import type { OptionTree, OptionType, OptionValue } from '../../schema/api/plugins.ts'
import { Failure, sentence } from '../../schema/errors.ts'

export type OptionTypes = ReadonlyMap<string, OptionType>
/** By dotted name. */
export type FlatOptions = ReadonlyMap<string, OptionValue>

/** Why a value is invalid for an option; null if it is valid. */
function invalidReason(type: OptionType, value: OptionValue): string | null {
  if (type.type === 'choice') {
    const choices = type.choices ?? []
    return choices.some(choice => choice === value) ? null : `is one of: ${choices.join(', ')}`
  }
  if (typeof value !== type.type) return `is a ${type.type === 'boolean' ? 'switch: true or false' : type.type}`
  return typeof value === 'number' && !Number.isFinite(value) ? 'is a number' : null
}

/** Values from a row of the database; those that match no option of the manifest are dropped. */
export function storedOptions(types: OptionTypes, text: string): FlatOptions {
  const stored: unknown = JSON.parse(text)
  const known = new Map<string, OptionValue>()
  if (typeof stored !== 'object' || stored === null) return known
  for (const [name, value] of Object.entries(stored)) {
    const type = types.get(name)
    const isValue = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (type !== undefined && isValue && invalidReason(type, value) === null) known.set(name, value)
  }
  return known
}

/**
 * Values after `change`: options that it does not name are unchanged. Throws `invalid` with the option's name for an
 * unknown option and for a value of another type. An empty secret is removed.
 */
export function changedOptions(types: OptionTypes, stored: FlatOptions, change: OptionTree): FlatOptions {
  const values = new Map(stored)
  for (const [name, value] of flatOptions(change)) {
    const type = types.get(name)
    if (type === undefined) {
      throw new Failure('invalid', sentence`There is no option '${name}'.`, { field: `options.${name}` })
    }
    const reason = invalidReason(type, value)
    if (reason !== null) throw new Failure('invalid', sentence`'${name}' ${reason}.`, { field: `options.${name}` })
    if (type.secret === true && value === '') values.delete(name)
    else values.set(name, value)
  }
  return values
}

/** All values, including defaults and secrets: for the plugin's own module. */
export function effectiveOptions(types: OptionTypes, stored: FlatOptions): FlatOptions {
  const values = new Map<string, OptionValue>()
  for (const [name, type] of types) {
    const value = stored.get(name) ?? type.default
    if (value !== undefined) values.set(name, value)
  }
  return values
}

/** Like `effectiveOptions`, without secrets: for users. */
export function shownOptions(types: OptionTypes, stored: FlatOptions): FlatOptions {
  return new Map([...effectiveOptions(types, stored)].filter(([name]) => types.get(name)?.secret !== true))
}

/** Names of secret options that are set. */
export function storedSecrets(types: OptionTypes, stored: FlatOptions): string[] {
  return [...types].filter(([name, { secret }]) => secret === true && stored.has(name)).map(([name]) => name)
}
