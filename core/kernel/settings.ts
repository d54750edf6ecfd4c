/** Reads the settings: flags, then the environment, then config.toml, then defaults, with the source of each. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Failure, reasonOf, sentence } from '../../schema/errors.ts'
import { environmentName, type SettingName, type Settings, settingNames, settingsTable } from '../../schema/settings.ts'
import { DiskError } from '../files/disk-error.ts'
import { readNamedFile } from '../files/open-file.ts'

/** The source of a value, as `keepsake config` prints it. */
export type Origin = string

export interface EffectiveSettings {
  values: Settings
  origins: Record<SettingName, Origin>
  /** The values as written. */
  written: Record<SettingName, unknown>
}

type Environment = Record<string, string | undefined>

/** The data directory: `--data`, else KEEPSAKE_DATA, else `keepsake` in the XDG data home. Absolute. */
export function dataDirectory(flag: string | undefined, environment: Environment): { path: string; origin: Origin } {
  if (flag !== undefined && flag !== '') return { path: resolve(flag), origin: 'flag --data' }
  const named = environment.KEEPSAKE_DATA
  if (named !== undefined && named !== '') return { path: resolve(named), origin: 'environment KEEPSAKE_DATA' }
  const home = environment.XDG_DATA_HOME
  if (home?.startsWith('/')) return { path: join(home, 'keepsake'), origin: 'environment XDG_DATA_HOME' }
  return { path: join(environment.HOME ?? homedir(), '.local', 'share', 'keepsake'), origin: 'default' }
}

/** `[map] tiles = …` and `"map.tiles" = …` are the same setting. */
export function flatten(table: object, prefix = ''): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  for (const [key, value] of Object.entries(table)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [inner, deep] of flatten(value, `${prefix}${key}.`)) flat.set(inner, deep)
    } else flat.set(prefix + key, value)
  }
  return flat
}

/** A file's text; null if there is no file. */
function textOf(path: string): string | null {
  try {
    return Buffer.from(readNamedFile(path)).toString()
  } catch (error) {
    if (error instanceof Failure && error.code === 'notFound') return null
    if (error instanceof Failure) throw error
    const why = error instanceof DiskError ? error.reason : reasonOf(error)
    throw new Failure('denied', sentence`${path} cannot be read by this user: ${why}`, { cause: error })
  }
}

/** The known name that is most similar to a misspelt one; null if more than `maxDistance` letters differ. */
export function mostSimilar(name: string, known: readonly string[], maxDistance = 3): string | null {
  const distance = (a: string, b: string): number => {
    let row = Array.from({ length: b.length + 1 }, (_, column) => column)
    for (let i = 1; i <= a.length; i++) {
      const next = [i]
      for (let j = 1; j <= b.length; j++) {
        next.push(
          Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
        )
      }
      row = next
    }
    return row[b.length] ?? 99
  }
  const [best] = known
    .map(other => ({ other, distance: distance(name, other) }))
    .sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= maxDistance ? best.other : null
}

export function readConfigFile(path: string): Map<string, unknown> {
  const text = textOf(path)
  if (text === null) return new Map()
  let parsed: unknown
  try {
    parsed = Bun.TOML.parse(text)
  } catch (error) {
    throw new Failure('invalid', sentence`${path} is not valid TOML: ${reasonOf(error)}`, { cause: error })
  }
  const flat = typeof parsed === 'object' && parsed !== null ? flatten(parsed) : new Map<string, unknown>()
  for (const key of flat.keys()) {
    if (settingNames.some(name => name === key)) continue
    const meant = mostSimilar(key, settingNames)
    const hint = meant === null ? '' : `. Did you mean '${meant}'?`
    throw new Failure('invalid', sentence`${path}: there is no setting '${key}'${hint}`, { field: key })
  }
  return flat
}

/** Environment variables of Keepsake that are neither settings nor flags of one command. */
const otherVariables = [
  'KEEPSAKE_DATA',
  'KEEPSAKE_SAMPLES',
  'KEEPSAKE_CI',
  'KEEPSAKE_TOKEN',
  'KEEPSAKE_SERVER',
  'KEEPSAKE_BINARY',
]

function checkEnvironment(environment: Environment) {
  const known = [...settingNames.map(environmentName), ...otherVariables]
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('KEEPSAKE_') || known.includes(name) || name.startsWith('KEEPSAKE_TEST_')) continue
    // Flags have other environment variables (KEEPSAKE_SCAN_JOBS): only a name that resembles a setting is refused.
    const meant = mostSimilar(name, known)
    if (meant !== null)
      throw new Failure('invalid', sentence`There is no environment variable ${name}. Did you mean ${meant}?`, {
        field: name,
      })
  }
}

/** Effective settings of a data directory. Throws `invalid` for malformed or unknown ones, with their key and place. */
export function readSettings(
  data: string,
  options: { flags?: Partial<Record<SettingName, unknown>>; environment?: Environment } = {},
): EffectiveSettings {
  const environment = options.environment ?? {}
  checkEnvironment(environment)
  const path = join(data, 'config.toml')
  const file = readConfigFile(path)

  const found = settingNames.map((name): [SettingName, unknown, Origin] => {
    const flag = options.flags?.[name]
    if (flag !== undefined) return [name, flag, `flag --${name.replace(/_/g, '-')}`]
    const variable = environmentName(name)
    if (environment[variable] !== undefined) return [name, environment[variable], `environment ${variable}`]
    if (file.has(name)) return [name, file.get(name), path]
    return [name, settingsTable[name].default, 'default']
  })
  const values = Object.fromEntries(
    found.map(([name, written, origin]) => {
      const parsed = settingsTable[name].schema.safeParse(written)
      if (parsed.success) return [name, parsed.data]
      const why = parsed.error.issues[0]?.message ?? 'is malformed'
      throw new Failure('invalid', sentence`Setting '${name}' (${origin}): ${JSON.stringify(written)} ${why}`, {
        field: name,
      })
    }),
  )
  return {
    values: values as Settings,
    origins: Object.fromEntries(found.map(([name, , origin]) => [name, origin])) as Record<SettingName, Origin>,
    written: Object.fromEntries(found.map(([name, written]) => [name, written])) as Record<SettingName, unknown>,
  }
}
