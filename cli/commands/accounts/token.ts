/** `keepsake token issue|list|revoke`: tokens of scripts, and of devices. */
import { Command, Option } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { Failure } from '../../../schema/errors.ts'
import { dayOf, printList } from '../../output.ts'
import { type DryRun, dryRunOption, rehearseChange } from '../../plans/dry-run.ts'
import { inSession, parseId, requireLocalLibrary, withNotFoundMessage } from '../../session.ts'

interface IssueOptions extends DryRun {
  user: string
  name: string
  expires?: string
}

const units: Record<string, number> = { d: 86_400, w: 7 * 86_400, y: 365 * 86_400 }

/** Parses '90d' as an expiry in seconds since the epoch; null means never. */
function parseExpiry(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const [, count = '', unit = ''] = /^([1-9]\d{0,3})([dwy])$/.exec(text) ?? []
  const length = units[unit]
  if (length !== undefined) return now + Number(count) * length
  throw new Failure('invalid', `--expires takes days, weeks or years, such as 90d, not '${text}'.`)
}

export function tokenCommand(): Command {
  const token = new Command('token').description('manage tokens of scripts and devices')
  token
    .command('issue')
    .description('create a token that acts as a user; it is printed once and not stored')
    .addOption(new Option('--type <type>', 'purpose of the token').choices(['api']).default('api'))
    .requiredOption('--user <name>', 'user name')
    .option('--name <name>', 'name of the token', 'script')
    .option('--expires <time>', 'how long it is valid: 90d, 8w, 1y (default: until it is revoked)')
    .option(...dryRunOption)
    .action(
      inSession(async (session, options: IssueOptions) => {
        const { output } = session
        const { library, viewer } = requireLocalLibrary(session)
        const expiresAt = parseExpiry(options.expires, Math.floor(library.clock.now() / 1000))
        const { user: username, name } = options
        const issue = () =>
          withNotFoundMessage(
            `There is no user '${username}'. See: keepsake user list`,
            library.tokens.issueApi(viewer, { username, name, expiresAt }),
          )
        if (options.dryRun === true)
          return rehearseChange(session, issue, `A token '${name}' for '${username}' would be created.`)
        const issued = await issue()
        if (output.json) output.object({ type: 'token', ...issued })
        else output.line(issued.token)
        const until = expiresAt === null ? 'until it is revoked' : `until ${dayOf(expiresAt)}`
        output.end({ state: 'done' }, `It acts as '${forTerminal(username)}' ${until}. It is not shown again.`)
        return 0
      }),
    )
  token
    .command('list')
    .description('list tokens, without their values')
    .action(
      inSession(async ({ client, output }) => {
        const all = (await client.tokens.issued()).map(({ type, ...one }) => ({ kind: type, ...one }))
        return printList(output, all, {
          type: 'token',
          countName: 'tokens',
          heading: ['ID', 'TYPE', 'USER', 'NAME', 'MADE', 'EXPIRES', 'USED'],
          none: 'No tokens.',
          row: one => [
            String(one.id),
            one.kind,
            one.username,
            one.name,
            dayOf(one.created),
            dayOf(one.expires, 'never'),
            dayOf(one.used, 'never'),
          ],
        })
      }),
    )
  token
    .command('revoke')
    .description('revoke a token at once')
    .argument('<id>', 'token id')
    .option(...dryRunOption)
    .action(
      inSession(async (session, word: string, options: DryRun) => {
        const { client, output } = session
        const id = parseId(word, 'token', 'keepsake token list')
        const missing = `There is no token ${id}. See: keepsake token list`
        if (options.dryRun === true) {
          const found = (await client.tokens.issued()).find(one => one.id === id)
          if (found === undefined) throw new Failure('notFound', missing)
          const words = `Token ${id} ('${found.name}' of '${found.username}') would be revoked.`
          return rehearseChange(session, ({ tokens }) => tokens.revoke({ params: { id } }), words)
        }
        await withNotFoundMessage(missing, client.tokens.revoke({ params: { id } }))
        output.end({ revoked: id }, `Token ${id} is revoked.`)
        return 0
      }),
    )
  return token
}
