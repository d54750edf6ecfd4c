/** `keepsake user create|list|passwd`: accounts from the terminal. */
import { Command } from 'commander'
import type { UserRow } from '../../core/users.ts'
import { endWith } from '../exit.ts'
import { openFor } from '../options.ts'
import { createOutput, endingWithSummary, forTerminal, type Output, table } from '../output.ts'

/** Reads a line without showing it; from a pipe, the next line of it. */
async function secret(question: string): Promise<string> {
  const { createInterface } = await import('node:readline')
  const { Writable } = await import('node:stream')
  const shown = process.stdin.isTTY === true
  if (shown) process.stderr.write(question)
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silence, terminal: shown })
  const line = await new Promise<string>(resolve => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
    lines.once('SIGINT', () => process.exit(130))
  })
  lines.close()
  if (shown) process.stderr.write('\n')
  return line
}

interface CreateOptions {
  admin?: boolean
  fullName?: string
  email?: string
  pin?: string
  json?: boolean
}

async function tellRow(output: Output, row: UserRow) {
  const { userJson } = await import('../../core/users.ts')
  output.object({ type: 'user', ...userJson(row), disabled: row.disabled === 1 })
}

/** The account that was made or changed, and that this is all. */
async function tellAccount(output: Output, row: UserRow) {
  await tellRow(output, row)
  output.object({ type: 'summary', schema: 1, state: 'done', users: 1 })
}

async function create(name: string, options: CreateOptions, command: Command, output: Output): Promise<number> {
  const { registration } = await import('../../schema/api/users.ts')
  const { Failure } = await import('../../schema/errors.ts')
  const { terminalViewer } = await import('../../core/access.ts')
  const library = await openFor(command, { create: true })
  if (library.users.byName(name) !== null) throw new Failure('conflict', `There is already a user '${name}'.`)
  const checked = registration.safeParse({
    username: name,
    name: options.fullName ?? name,
    email: options.email ?? `${name.replace(/[^\w.-]/g, '')}@localhost`,
    password: await secret('Password: '),
    unlockPin: options.pin ?? crypto.randomUUID().slice(0, 4),
  })
  if (!checked.success) throw new Failure('invalid', checked.error.issues[0]?.message ?? 'Invalid input')
  const row = await library.users.create(terminalViewer, { ...checked.data, globalAdmin: options.admin === true })
  if (output.json) await tellAccount(output, row)
  else output.say(`Created ${options.admin === true ? 'global admin' : 'user'} '${forTerminal(row.username)}'.`)
  library.close()
  return 0
}

async function passwd(name: string, command: Command, output: Output): Promise<number> {
  const { login } = await import('../../schema/api/users.ts')
  const { Failure } = await import('../../schema/errors.ts')
  const { terminalViewer } = await import('../../core/access.ts')
  const library = await openFor(command, { create: false })
  const row = library.users.byName(name)
  if (row === null) throw new Failure('notFound', `There is no user '${name}'. See: keepsake user list`)
  const checked = login.shape.password.safeParse(await secret('New password: '))
  if (!checked.success) throw new Failure('invalid', checked.error.issues[0]?.message ?? 'Invalid password')
  await library.users.setPassword(terminalViewer, name, checked.data)
  if (output.json) await tellAccount(output, row)
  else output.say(`The password of '${forTerminal(name)}' is changed; all sessions of that user have ended.`)
  library.close()
  return 0
}

export function userCommand(): Command {
  const user = new Command('user').description('accounts')
  user
    .command('create')
    .description('create an account; asks for the password, or reads it from standard input')
    .argument('<name>', 'user name')
    .option('--admin', 'a global admin')
    .option('--full-name <name>', 'the name that is shown')
    .option('--email <address>', 'e-mail address')
    .option('--pin <pin>', 'PIN that shows hidden items, at most 4 characters (without it: one nobody knows)')
    .option('--json', 'one object a line, ending with a summary')
    .action((name: string, options: CreateOptions, command: Command) => {
      const output = createOutput(options)
      return endWith(() => endingWithSummary(output, () => create(name, options, command, output)))
    })
  user
    .command('list')
    .description('list accounts')
    .option('--json', 'one object a line')
    .action((options: { json?: boolean }, command: Command) =>
      endWith(async () => {
        const library = await openFor(command, { create: false })
        const output = createOutput(options)
        const rows = library.users.all()
        if (output.json) {
          for (const row of rows) await tellRow(output, row)
          output.object({ type: 'summary', schema: 1, users: rows.length })
        } else if (rows.length === 0) output.say('No users. The first one who registers becomes global admin.')
        else {
          const cells = rows.map(row => [
            forTerminal(row.username),
            forTerminal(row.name),
            forTerminal(row.email),
            row.global_admin === 1 ? 'global admin' : '',
            row.disabled === 1 ? 'disabled' : '',
          ])
          for (const line of table([['USER', 'NAME', 'E-MAIL', 'ROLE', ''], ...cells])) output.line(line)
        }
        library.close()
        return 0
      }),
    )
  user
    .command('passwd')
    .description('set a password; ends the sessions of that user')
    .argument('<name>', 'user name')
    .option('--json', 'one object a line, ending with a summary')
    .action((name: string, options: { json?: boolean }, command: Command) => {
      const output = createOutput(options)
      return endWith(() => endingWithSummary(output, () => passwd(name, command, output)))
    })
  return user
}
