/** Options that every command has, and opening its library. */
import type { Command } from 'commander'
import type { Library } from '../core/library.ts'
import type { Role } from '../core/opening.ts'
import { Failure } from '../schema/errors.ts'

/** Flags of the program itself: before or after the command's name. */
export interface GlobalOptions {
  data?: string
  json?: boolean
  quiet?: boolean
  server?: string
  token?: string
}

export function optionsOf<Own extends object = object>(command: Command): GlobalOptions & Own {
  return command.optsWithGlobals<GlobalOptions & Own>()
}

/** `--data`, if given as a flag; the environment is read when the data directory is resolved. */
export function dataFlag(command: Command): string | undefined {
  return command.getOptionValueSourceWithGlobals('data') === 'env' ? undefined : optionsOf(command).data
}

/** The data directory and where its name was set; a failure if it is a file. It need not exist. */
export async function dataPlace(command: Command): Promise<{ path: string; origin: string }> {
  const { dataDirectory } = await import('../core/kernel/settings.ts')
  const { requireDirectory } = await import('../core/kernel/data/data-directory.ts')
  const place = dataDirectory(dataFlag(command), process.env)
  requireDirectory(place.path)
  return place
}

/** Refuses contradicting flags, such as `--recycled` and `--missing`. */
export function requireAtMostOne(flags: Record<string, boolean | undefined>): void {
  const given = Object.keys(flags).filter(name => flags[name] === true)
  if (given.length < 2) return
  throw new Failure('invalid', `Give ${given.join(' or ')}, not both.`)
}

export const yesOrNo: Record<string, boolean> = { true: true, yes: true, on: true, false: false, no: false, off: false }

/** Parses `name=value` pairs; the name of a part without '=' is ''. Refuses repeated names. */
export function parseSettings(given: readonly string[]): { part: string; name: string; value: string }[] {
  const names = given.map(part => part.split('=', 1)[0] ?? '')
  const again = names.find((name, at) => names.indexOf(name) !== at)
  if (again !== undefined)
    throw new Failure(
      'invalid',
      `'${again}' is given twice: ${given.filter((_, at) => names[at] === again).join(', ')}.`,
    )
  return given.map((part, at) => {
    const name = names[at] ?? ''
    return { part, name: name === part ? '' : name, value: part.slice(name.length + 1) }
  })
}

/** The command as typed, such as `keepsake token list`. */
export function fullCommandName(command: Command): string {
  const names: string[] = []
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name())
  return names.join(' ')
}

/** Refuses `--server` for commands that use files and the data directory of this machine. */
export function refuseServerFlag(command: Command): void {
  const { server } = optionsOf(command)
  if (server === undefined) return
  throw new Failure(
    'invalid',
    `'${fullCommandName(command)}' works only on the server itself: run it there, without --server (or KEEPSAKE_SERVER).`,
  )
}

/**
 * What happens if there is no library: with false, the command fails; with 'pretend', a temporary library is opened; a
 * function is rehearsed in a temporary library before a real one is created.
 */
export type Creation = false | 'pretend' | ((empty: Library) => Promise<unknown> | unknown)

/** Whether `--new` was given, which sets aside a library whose database is damaged or missing. */
export function wantsNewLibrary(command: Command): boolean {
  return optionsOf<{ new?: boolean }>(command).new === true
}

/** Opens the library of `--data`, loading its modules only now. Refuses `--server`. */
export async function openFor(command: Command, options: { create: Creation; role?: Role }): Promise<Library> {
  refuseServerFlag(command)
  const { openLibrary } = await import('../core/library.ts')
  const { create, role = 'terminal' } = options
  if (typeof create === 'function') await requireCreatable(command, create)
  const asNew = wantsNewLibrary(command)
  return openLibrary({ role, data: dataFlag(command), create: typeof create === 'function' ? true : create, asNew })
}

/** If there is no library, rehearses the change in a temporary one. */
export async function requireCreatable(command: Command, change: (empty: Library) => Promise<unknown> | unknown) {
  const { hasLibrary } = await import('../core/kernel/data/data-directory.ts')
  const { openLibrary } = await import('../core/library.ts')
  const asNew = wantsNewLibrary(command)
  if (hasLibrary((await dataPlace(command)).path) && !asNew) return
  const empty = openLibrary({ role: 'terminal', data: dataFlag(command), create: 'pretend', asNew })
  try {
    await empty.db.rehearse(() => change(empty))
  } finally {
    empty.close()
  }
}

/** Whether two texts are the same, apart from case and Unicode form. */
export function sameText(a: string, b: string): boolean {
  const key = (text: string) => text.normalize('NFC').toLowerCase()
  return key(a) === key(b)
}
