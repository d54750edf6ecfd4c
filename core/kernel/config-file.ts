/** Changes one setting in config.toml, and keeps everything else. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure, sentence } from '../../schema/errors.ts'
import { type SettingName, settingNames, settingsTable } from '../../schema/settings.ts'
import { createDisk } from '../files/disk.ts'
import { bytesOfText } from '../files/names.ts'
import { outputFailure } from '../files/output-paths.ts'
import { flatten, mostSimilar, readConfigFile } from './settings.ts'

/** The setting of this name; throws `invalid` with a suggestion if there is none. */
export function settingNamed(word: string): SettingName {
  const found = settingNames.find(name => name === word)
  if (found !== undefined) return found
  const meant = mostSimilar(word, settingNames)
  throw new Failure(
    'invalid',
    sentence`There is no setting '${word}'. ${meant === null ? `There are: ${settingNames.join(', ')}.` : `Did you mean '${meant}'?`}`,
    { field: word },
  )
}

/** A value in TOML: numbers and booleans unquoted, lists from comma-separated text, texts quoted. */
function tomlValue(name: SettingName, text: string): string {
  const usual: unknown = settingsTable[name].default
  const quoted = (part: string) => JSON.stringify(part)
  if (Array.isArray(usual)) {
    const parts = text.split(',').map(part => part.trim())
    const quotedParts = parts.filter(part => part !== '').map(quoted)
    return `[${quotedParts.join(', ')}]`
  }
  if (typeof usual === 'number' && /^-?\d+$/.test(text)) return text
  if (typeof usual === 'boolean' && /^(true|false)$/.test(text)) return text
  return quoted(text)
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The lines after replacing, adding or (null) removing the setting's line. Only one-line values are recognized. */
function withSettingLine(lines: readonly string[], name: string, value: string | null): string[] {
  const table = name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : ''
  const short = name.slice(table === '' ? 0 : table.length + 1)
  const whole = new RegExp(`^\\s*(${escaped(name)}|"${escaped(name)}")\\s*=`)
  const inTable = new RegExp(`^\\s*(${escaped(short)}|"${escaped(short)}")\\s*=`)
  let section = ''
  let firstTable = lines.length
  for (const [at, line] of lines.entries()) {
    const [, heading] = /^\s*\[([^[\]]+)\]\s*(#.*)?$/.exec(line) ?? []
    if (heading !== undefined) {
      section = heading.trim()
      firstTable = Math.min(firstTable, at)
    }
    const isIt = section === '' ? whole.test(line) : section === table && inTable.test(line)
    if (!isIt) continue
    const key = section === '' ? (table === '' ? name : JSON.stringify(name)) : short
    return [...lines.slice(0, at), ...(value === null ? [] : [`${key} = ${value}`]), ...lines.slice(at + 1)]
  }
  if (value === null) return [...lines]
  const line = `${table === '' ? name : JSON.stringify(name)} = ${value}`
  return [...lines.slice(0, firstTable), line, ...lines.slice(firstTable)]
}

/** Sets or removes (null) a setting in `config.toml`. Returns whether it changed; throws `invalid` for wrong values. */
export async function writeSetting(
  data: string,
  name: SettingName,
  text: string | null,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<boolean> {
  const path = join(data, 'config.toml')
  if (text !== null) {
    const usual: unknown = settingsTable[name].default
    const { error } = settingsTable[name].schema.safeParse(typeof usual === 'number' ? Number(text) : text)
    const why = error?.issues[0]?.message ?? 'is malformed'
    if (error) throw new Failure('invalid', sentence`Setting '${name}': '${text}' ${why}`, { field: name })
  }
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const value = text === null ? null : tomlValue(name, text)
  const lines = before === '' ? [] : before.replace(/\n$/, '').split('\n')
  const now = withSettingLine(lines, name, value)
  const after = now.length === 0 ? '' : `${now.join('\n')}\n`
  // `withSettingLine` does not recognize multi-line values. So both texts, parsed as TOML, must be equal except for this
  // setting.
  const wanted = readConfigFile(path)
  wanted.delete(name)
  const parsed = flatten(Bun.TOML.parse(after))
  if (parsed.delete(name) !== (value !== null) || !Bun.deepEquals(parsed, wanted))
    throw new Failure(
      'conflict',
      sentence`${path} is written in a way that cannot be changed from here. Change it with an editor.`,
    )
  if (after === before) return false
  requireWritable(path)
  if (!dryRun)
    try {
      await createDisk().write({ root: data, path: bytesOfText('config.toml') }, Buffer.from(after), {
        replace: true,
        mode: 0o600,
      })
    } catch (error) {
      throw outputFailure(error, path)
    }
  return true
}

/** Throws unless this user can write the file's directory: the file is replaced, so its own mode does not matter. */
function requireWritable(path: string): void {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (!existsSync(at) && dirname(at) !== at) continue
    try {
      accessSync(at, constants.W_OK)
      return
    } catch (error) {
      throw new Failure('denied', sentence`${path} cannot be written by this user. Run as the owner of ${at}.`, {
        cause: error,
      })
    }
  }
}
