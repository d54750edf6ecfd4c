/** The environment variable of each flag: its name, its values, and likely misspellings. */
import type { Command, Option } from 'commander'
import { Failure } from '../schema/errors.ts'

/** Flags that mean the same in every command, so their variables contain no command's name. `listen` is also a setting. */
const sharedFlags = new Set(['data', 'json', 'quiet', 'server', 'token', 'dry-run', 'yes', 'listen'])

/** Variables whose names are not checked: for tests, for builds, and for the data directory. */
const uncheckedVariables = /^KEEPSAKE_(TEST_.*|SAMPLES|CI|BINARY|DATA)$/

/**
 * The environment variable of a flag, with the command's name ('KEEPSAKE_SCAN_ACCEPT_MISSING' for `scan
 * --accept-missing`) unless the flag means the same everywhere ('KEEPSAKE_DRY_RUN').
 */
export function variableOf(command: Command, option: Pick<Option, 'name'>): string {
  const path: string[] = []
  for (let at: Command | null = command; at?.parent != null; at = at.parent) path.unshift(at.name())
  const parts = sharedFlags.has(option.name()) ? [option.name()] : [...path, option.name()]
  return ['keepsake', ...parts].join('_').replaceAll('-', '_').toUpperCase()
}

type Environment = Record<string, string | undefined>

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)]
}

const offValues = /^(0|false|no|off|)$/i
const onValues = /^(1|true|yes|on)$/i

/** Sets an option from its variable, because commander does so only for options that had one when they were added. */
function applyVariable(command: Command, option: Option, text: string | undefined): void {
  const set = (value: unknown) => command.setOptionValueWithSource(option.attributeName(), value, 'env')
  // A switch such as --no-folder sets false.
  if (text === undefined) return void set(!option.negate)
  try {
    set(option.parseArg === undefined ? text : option.parseArg<unknown>(text, option.defaultValue))
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    command.error(`error: ${option.envVar}: '${text}' is not valid for ${option.flags}. ${why}`)
  }
}

/**
 * Gives every option its variable, which help then shows; returns the variables' names. A switch that is off and an
 * empty value count as absent; a switch that is neither on nor off is a failure.
 */
export function applyEnvironment(program: Command, environment: Environment): Set<string> {
  const flagVariables = new Set<string>()
  for (const command of commandsOf(program)) {
    for (const option of command.options) {
      if (option.name() === 'version') continue
      const name = variableOf(command, option)
      option.env(name)
      command.on(`optionEnv:${option.name()}`, (text?: string) => applyVariable(command, option, text))
      flagVariables.add(name)
      const value = environment[name]
      if (value === undefined) continue
      const isSwitch = !option.required && !option.optional
      if (value === '' || (isSwitch && offValues.test(value))) delete environment[name]
      else if (isSwitch && !onValues.test(value))
        throw new Failure('invalid', `${name} is on or off (1 or 0), not '${value}'.`, { field: name })
    }
  }
  return flagVariables
}

/** Refuses a variable whose name almost matches a known one, because a misspelt KEEPSAKE_DRY_RUN would be ignored. */
export async function refuseMisspeltNames(flagVariables: ReadonlySet<string>, environment: Environment): Promise<void> {
  const given = Object.keys(environment).filter(name => name.startsWith('KEEPSAKE_') && !uncheckedVariables.test(name))
  if (given.every(name => flagVariables.has(name))) return
  const { environmentName, settingNames } = await import('../schema/settings.ts')
  const { mostSimilar } = await import('../core/kernel/settings.ts')
  const known = [...flagVariables, ...settingNames.map(environmentName)]
  for (const name of given) {
    if (known.includes(name)) continue
    const meant = mostSimilar(name, known)
    if (meant !== null)
      throw new Failure('invalid', `There is no environment variable ${name}. Did you mean ${meant}?`, { field: name })
  }
}

/** Removes the flags' variables, because child processes have their own command lines; keeps two that they need. */
export function removeFlagVariables(flagVariables: ReadonlySet<string>, environment: Environment): void {
  for (const name of flagVariables) if (name !== 'KEEPSAKE_DATA' && name !== 'KEEPSAKE_LISTEN') delete environment[name]
}
