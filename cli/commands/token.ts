/** `keepsake token issue|list|revoke`: tokens of scripts, and of devices. */
import { Command, Option } from 'commander'
import { endWith } from '../exit.ts'
import { openFor } from '../options.ts'
import { createOutput, endingWithSummary, forTerminal, table } from '../output.ts'
import { named } from '../with-library.ts'

interface IssueOptions {
  user: string
  name: string
  expires?: string
  json?: boolean
}

const units: Record<string, number> = { d: 86_400, w: 7 * 86_400, y: 365 * 86_400 }

/** '90d' as seconds since the epoch when it is over; null: never. */
async function expiryOf(text: string | undefined, now: number): Promise<number | null> {
  if (text === undefined) return null
  const [, count = '', unit = ''] = /^([1-9]\d{0,3})([dwy])$/.exec(text) ?? []
  const length = units[unit]
  if (length !== undefined) return now + Number(count) * length
  const { Failure } = await import('../../schema/errors.ts')
  throw new Failure('invalid', `--expires takes days, weeks or years, like 90d: '${text}' is none.`)
}

function dayOf(seconds: number | null, never: string): string {
  return seconds === null ? never : new Date(seconds * 1000).toISOString().slice(0, 10)
}

export function tokenCommand(): Command {
  const token = new Command('token').description('tokens of scripts and devices')
  token
    .command('issue')
    .description('make a token that acts as a user; it is printed once and kept nowhere')
    .addOption(new Option('--type <type>', 'what it is for').choices(['api']).default('api'))
    .requiredOption('--user <name>', 'user name')
    .option('--name <name>', 'what the token is called', 'script')
    .option('--expires <time>', 'how long it is good: 90d, 8w, 1y (without it: until it is revoked)')
    .option('--json', 'one object a line')
    .action((options: IssueOptions, command: Command) =>
      endWith(async () => {
        const output = createOutput(options)
        return endingWithSummary(output, async () => {
          const library = await openFor(command, { create: false })
          const { terminalViewer } = await import('../../core/access.ts')
          const expiresAt = await expiryOf(options.expires, Math.floor(library.clock.now() / 1000))
          const issued = await library.tokens.issueApi(terminalViewer, {
            username: options.user,
            name: options.name,
            expiresAt,
          })
          if (output.json) {
            output.object({ ...issued, type: 'token' })
            output.object({ type: 'summary', schema: 1, state: 'done' })
          } else {
            output.line(issued.token)
            output.say(
              `It acts as '${forTerminal(options.user)}' ${expiresAt === null ? 'until it is revoked' : `until ${dayOf(expiresAt, '')}`}, and is not shown again.`,
            )
          }
          library.close()
          return 0
        })
      }),
    )
  token
    .command('list')
    .description('tokens, without their values')
    .option('--json', 'one object a line')
    .action((options: { json?: boolean }, command: Command) =>
      endWith(async () => {
        const library = await openFor(command, { create: false })
        const { terminalViewer } = await import('../../core/access.ts')
        const output = createOutput(options)
        const list = library.tokens.listIssued(terminalViewer)
        if (output.json) {
          for (const { type, ...one } of list) output.object({ type: 'token', kind: type, ...one })
          output.object({ type: 'summary', schema: 1, tokens: list.length })
        } else if (list.length === 0) output.say('No tokens.')
        else {
          const rows = list.map(one => [
            String(one.id),
            one.type,
            forTerminal(one.username),
            forTerminal(one.name),
            dayOf(one.created, ''),
            dayOf(one.expires, 'never'),
            dayOf(one.used, 'never'),
          ])
          for (const line of table([['ID', 'TYPE', 'USER', 'NAME', 'MADE', 'EXPIRES', 'USED'], ...rows]))
            output.line(line)
        }
        library.close()
        return 0
      }),
    )
  token
    .command('revoke')
    .description('shut a token out at once')
    .argument('<id>', 'id of the token')
    .option('--json', 'one object a line')
    .action((id: string, options: { json?: boolean }, command: Command) =>
      endWith(async () => {
        const output = createOutput(options)
        return endingWithSummary(output, async () => {
          const { Failure } = await import('../../schema/errors.ts')
          if (!/^[1-9]\d{0,14}$/.test(id))
            throw new Failure('invalid', `'${id}' is no token id. See: keepsake token list`)
          const library = await openFor(command, { create: false })
          const { terminalViewer } = await import('../../core/access.ts')
          await named(
            `There is no token ${id}. See: keepsake token list`,
            library.tokens.revoke(terminalViewer, Number(id)),
          )
          if (output.json) output.object({ type: 'summary', schema: 1, revoked: Number(id) })
          output.say(`Token ${id} is revoked.`)
          library.close()
          return 0
        })
      }),
    )
  return token
}
