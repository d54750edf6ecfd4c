/** `keepsake audit`: logins, refusals, changes of accounts and rights, large downloads. */
import { Command, InvalidArgumentError } from 'commander'
import { formatFullTime } from '../../../ink-tui/text.ts'
import type { AuditEntry, AuditQuery } from '../../../schema/api/audit.ts'
import { plural } from '../../../schema/figures.ts'
import { inSession, type Session } from '../../session.ts'
import { countNumber } from '../items/item.ts'

const maxPage = 500

const unitSeconds: Record<string, number> = { m: 60, h: 3600, d: 86_400, w: 7 * 86_400 }

function ageSeconds(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,4})([mhdw])$/.exec(text) ?? []
  const seconds = unitSeconds[unit]
  if (seconds === undefined) throw new InvalidArgumentError('It must be a time such as 30m, 24h, 7d or 2w.')
  return Number(amount) * seconds
}

interface Options {
  user?: string
  action?: AuditQuery['action']
  address?: string
  since?: number
  limit: number
}

async function* entriesOf({ client }: Session, options: Options, now: number): AsyncGenerator<AuditEntry> {
  const { user, action, address, since, limit } = options
  const query = { user, action, address, from: since === undefined ? undefined : now - since }
  let [before, left]: [number | undefined, number] = [undefined, limit]
  while (left > 0) {
    const page: { entries: AuditEntry[]; next: number | null } = await client.audit.list({
      query: { ...query, limit: Math.min(maxPage, left), before },
    })
    yield* page.entries
    if (page.next === null) return
    before = page.next
    left -= page.entries.length
  }
}

async function list(session: Session, options: Options): Promise<number> {
  const { output } = session
  const rows: string[][] = []
  for await (const entry of entriesOf(session, options, Math.floor(Date.now() / 1000))) {
    if (output.json) output.object({ type: 'audit', ...entry })
    rows.push([formatFullTime(entry.at * 1000), entry.who, entry.address, entry.text])
  }
  if (!output.json && rows.length > 0) output.table(rows, ['WHEN', 'WHO', 'FROM', 'WHAT'])
  output.end(
    { entries: rows.length },
    rows.length === 0 ? 'No matching entries.' : plural(rows.length, 'entry', 'entries'),
  )
  return 0
}

export function auditCommand(): Command {
  return new Command('audit')
    .description('list logins, refusals, changes of accounts and rights, and large downloads, newest first')
    .option('--user <name>', 'only entries of this account, failed logins included')
    .option(
      '--action <name>',
      'only this action, or kind of action: logins, refusals, accounts, access, tokens, downloads …',
    )
    .option('--address <address>', 'only from this address')
    .option('--since <time>', 'only entries of the last 30m, 24h, 7d, 2w …', ageSeconds)
    .option('--limit <n>', 'maximum number of entries', countNumber, 50)
    .action(inSession(list))
}
