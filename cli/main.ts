#!/usr/bin/env bun
/** Entry of the executable: reads the command line and the environment, and runs the command. */
import { applyEnvironment, refuseMisspeltNames, removeFlagVariables } from './environment.ts'
import { endRefused } from './exit.ts'
import { createProgram } from './program.ts'

// Ink's chalk ignores NO_COLOR, and reads FORCE_COLOR once, when the terminal UI is imported.
if ((process.env.NO_COLOR ?? '') !== '') process.env.FORCE_COLOR = '0'

const program = createProgram()
let flagVariables = new Set<string>()
try {
  flagVariables = applyEnvironment(program, process.env)
} catch (error) {
  await endRefused(error)
}
program.hook('preAction', async () => {
  await refuseMisspeltNames(flagVariables, process.env).catch(endRefused)
  removeFlagVariables(flagVariables, process.env)
})
await program.parseAsync(process.argv)
