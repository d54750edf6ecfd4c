#!/usr/bin/env bun
/** Entry of the executable: reads the command line and the environment, and runs the command. */
import { demandKnownNames, forgetTwins, giveTwins } from './environment.ts'
import { endWith } from './exit.ts'
import { createProgram } from './program.ts'

const program = createProgram()
let twins = new Set<string>()
try {
  twins = giveTwins(program, process.env)
} catch (error) {
  await endWith(() => Promise.reject(error))
}
program.hook('preAction', async () => {
  await demandKnownNames(twins, process.env).catch((error: unknown) => endWith(() => Promise.reject(error)))
  forgetTwins(twins, process.env)
})
await program.parseAsync(process.argv)
