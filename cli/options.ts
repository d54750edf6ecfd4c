/** Options that several commands share. */
import type { Command } from 'commander'
import type { Library, Role } from '../core/library.ts'

/** `--data` stands before or after the command's name. */
export function dataOf(command: Command): string | undefined {
  const { data } = command.optsWithGlobals<{ data?: string }>()
  return data
}

/** Opens the library of `--data`; the modules behind it are only loaded now. */
export async function openFor(
  command: Command,
  options: { create: boolean | 'pretend'; role?: Role },
): Promise<Library> {
  const { openLibrary } = await import('../core/library.ts')
  return openLibrary({ role: options.role ?? 'terminal', data: dataOf(command), create: options.create })
}
