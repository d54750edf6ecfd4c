#!/usr/bin/env bun
/** Entry of the executable: reads the command line and the environment, and runs the command. */
import { meansTui, startLight } from './tui/light-runtime.ts'

// First of all: what is loaded before it starts anew is loaded twice.
if (meansTui(process.argv.slice(2))) startLight()

const { demandKnownNames, forgetTwins, giveTwins } = await import('./environment.ts')
const { endRefused } = await import('./exit.ts')
const { createProgram } = await import('./program.ts')

// What draws on the terminal goes by this one alone, when it is loaded.
if ((process.env.NO_COLOR ?? '') !== '') process.env.FORCE_COLOR = '0'

const program = createProgram()
let twins = new Set<string>()
try {
  twins = giveTwins(program, process.env)
} catch (error) {
  await endRefused(error)
}
program.hook('preAction', async () => {
  await demandKnownNames(twins, process.env).catch(endRefused)
  forgetTwins(twins, process.env)
})
await program.parseAsync(process.argv)
