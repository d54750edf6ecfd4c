/** `keepsake licenses`: the licences of what the executable carries. */
import { Command } from 'commander'
import { endWith } from '../exit.ts'

export function licensesCommand(): Command {
  return new Command('licenses').description('print the licences of the libraries inside').action(() =>
    endWith(async () => {
      const { noticesFile } = await import('../third-party-notices.ts')
      if (noticesFile === null) process.stderr.write('From source, each library has its licence in node_modules.\n')
      else process.stdout.write(await Bun.file(noticesFile).text())
      return 0
    }),
  )
}
