/** `keepsake user create|list|passwd`: accounts from the terminal. */
import { Command } from 'commander'
import type { UserRow } from '../../../core/accounts/user-rows.ts'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { Library } from '../../../core/library.ts'
import { Failure } from '../../../schema/errors.ts'
import { openFor } from '../../options.ts'
import type { Output } from '../../output.ts'
import { type DryRun, dryRunOption, printDryRun } from '../../plans/dry-run.ts'
import { readSecret } from '../../secret.ts'
import { withOutput } from '../../session.ts'

interface CreateOptions {
  admin?: boolean
  fullName?: string
  email?: string
  pin?: string
  dryRun?: boolean
}

async function printRow(output: Output, row: UserRow) {
  const { userJson } = await import('../../../core/accounts/user-rows.ts')
  output.object({ type: 'user', ...userJson(row), disabled: row.disabled })
}

async function printAccount(output: Output, row: UserRow) {
  await printRow(output, row)
  output.end({ state: 'done', users: 1 })
}

async function create(name: string, options: CreateOptions, command: Command, output: Output): Promise<number> {
  const { localEmail, registration } = await import('../../../schema/api/users.ts')
  const { terminalViewer } = await import('../../../core/accounts/access.ts')
  const library = await openFor(command, { create: 'pretend' })
  if (library.users.byName(name) !== null) throw new Failure('conflict', `There is already a user '${name}'.`)
  const checked = registration.safeParse({
    username: name,
    name: options.fullName ?? name,
    email: options.email ?? localEmail(name),
    password: await readSecret('Password: '),
    unlockPin: options.pin ?? crypto.randomUUID().slice(0, 4),
  })
  if (!checked.success) throw new Failure('invalid', checked.error.issues[0]?.message ?? 'Invalid input')
  const request = { ...checked.data, globalAdmin: options.admin === true }
  const make = (target: Library) => target.users.create(terminalViewer, request)
  if (options.dryRun === true) {
    await library.db.rehearse(() => make(library))
    library.close()
    return printDryRun(output, `An account '${name}' would be created.`)
  }
  library.close()
  // The library so far may have been a temporary one ('pretend'). Now the real one is opened or created.
  const real = await openFor(command, { create: make })
  const row = await make(real)
  if (output.json) await printAccount(output, row)
  else output.say(`Created ${options.admin === true ? 'global admin' : 'user'} '${forTerminal(row.username)}'.`)
  real.close()
  return 0
}

async function passwd(name: string, { dryRun }: DryRun, command: Command, output: Output): Promise<number> {
  const { login } = await import('../../../schema/api/users.ts')
  const { terminalViewer } = await import('../../../core/accounts/access.ts')
  const library = await openFor(command, { create: false })
  const row = library.users.byName(name)
  if (row === null) throw new Failure('notFound', `There is no user '${name}'. See: keepsake user list`)
  const checked = login.shape.password.safeParse(await readSecret('New password: '))
  if (!checked.success) throw new Failure('invalid', checked.error.issues[0]?.message ?? 'Invalid password')
  if (dryRun === true) {
    await library.db.rehearse(() => library.users.setPassword(terminalViewer, name, checked.data))
    library.close()
    return printDryRun(
      output,
      `The password of '${name}' would be changed, all sessions of that user would end, and devices and scripts would be signed out.`,
    )
  }
  await library.users.setPassword(terminalViewer, name, checked.data)
  if (output.json) await printAccount(output, row)
  else
    output.say(
      `The password of '${forTerminal(name)}' is changed; all sessions of that user have ended, and devices and scripts are signed out.`,
    )
  library.close()
  return 0
}

async function list(command: Command, output: Output): Promise<number> {
  const library = await openFor(command, { create: false })
  const rows = library.users.all()
  if (output.json) for (const row of rows) await printRow(output, row)
  else if (rows.length > 0)
    output.table(
      rows.map(row => [
        row.username,
        row.name,
        row.email,
        row.globalAdmin ? 'global admin' : '',
        row.disabled ? 'disabled' : '',
      ]),
      ['USER', 'NAME', 'E-MAIL', 'ROLE', ''],
    )
  const words = rows.length === 0 ? 'No users. The first one who registers becomes global admin.' : undefined
  output.end({ users: rows.length }, words)
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
    .option('--full-name <name>', 'display name')
    .option('--email <address>', 'e-mail address')
    .option('--pin <pin>', 'PIN that unlocks hidden items, at most 4 characters (default: a random one)')
    .option(...dryRunOption)
    .action((name: string, options: CreateOptions, command: Command) =>
      withOutput(command, output => create(name, options, command, output)),
    )
  user
    .command('list')
    .description('list accounts')
    .action((_options: object, command: Command) => withOutput(command, output => list(command, output)))
  user
    .command('passwd')
    .description("set a password; ends the user's sessions and signs out devices and scripts")
    .argument('<name>', 'user name')
    .option(...dryRunOption)
    .action((name: string, options: DryRun, command: Command) =>
      withOutput(command, output => passwd(name, options, command, output)),
    )
  return user
}
