#!/usr/bin/env bun
/** Entry of the executable: reads the command line and the environment, and runs the command. */
import { applyEnvironment, forgetTwins, requireKnownNames } from './environment.ts'
import { endRefused } from './exit.ts'
import { createProgram } from './program.ts'

// Set before the terminal UI is loaded, which reads the variable only then.
if ((process.env.NO_COLOR ?? '') !== '') process.env.FORCE_COLOR = '0'

const program = createProgram()
let twins = new Set<string>()
try {
  twins = applyEnvironment(program, process.env)
} catch (error) {
  await endRefused(error)
}
program.hook('preAction', async () => {
  await requireKnownNames(twins, process.env).catch(endRefused)
  forgetTwins(twins, process.env)
})
await program.parseAsync(process.argv)
