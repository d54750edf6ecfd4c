/** Accounts: create, passwords, global admins, disabling. */
import type { ReactElement } from 'react'
import { type Account, localEmail, registration } from '../../../schema/api/users.ts'
import { Failure, reasonOf } from '../../../schema/errors.ts'
import { plural } from '../../../schema/figures.ts'
import { faultIn } from '../../../schema/issue-words.ts'
import type { Binding } from '../../keys.ts'
import { isUserEvent, useLive } from '../../live.ts'
import { keysFor } from '../../parts/keys-for.ts'
import { idOf, useRows } from '../../parts/list.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { dayAndTime } from '../../text.ts'
import { type Ui, useKeys, useUi } from '../../ui.ts'

const accountColumns: Column<Account>[] = [
  { id: 'username', title: 'user', width: 'rest', least: 14, cell: ({ username }) => username },
  { id: 'name', title: 'name', width: 20, drop: 2, cell: ({ name }) => name },
  { id: 'email', title: 'e-mail', width: 24, drop: 4, style: 'dim', cell: ({ email = '' }) => email },
  { id: 'role', title: 'role', width: 12, cell: ({ globaladmin }) => (globaladmin === true ? 'global admin' : '') },
  {
    id: 'sessions',
    title: 'sessions',
    width: 8,
    align: 'end',
    drop: 3,
    cell: ({ sessions = 0 }) => (sessions === 0 ? { text: '0', style: 'dim' } : String(sessions)),
  },
  {
    id: 'created',
    title: 'since',
    width: 17,
    drop: 5,
    style: 'dim',
    cell: ({ created = 0 }) => (created === 0 ? '' : dayAndTime(created * 1000, Date.now())),
  },
  {
    id: 'state',
    title: 'state',
    width: 8,
    cell: ({ disabled }) => (disabled === true ? { text: 'disabled', style: 'amber' } : ''),
  },
]

const checkOf = (field: 'username' | 'name' | 'password') => (text: string) =>
  faultIn(registration.shape[field], text, 'This is not possible.')

/** Asks for a password twice; null if cancelled. */
async function promptPassword(ui: Ui, label: string): Promise<string | null> {
  const first = await ui.prompt({ label, hidden: true, check: checkOf('password') })
  if (first === null) return null
  const again = await ui.prompt({
    label: 'Repeat it:',
    hidden: true,
    check: text => (text === first ? null : 'The two passwords differ.'),
  })
  return again === null ? null : first
}

async function createAccount(ui: Ui) {
  const { library, viewer } = ui.session
  const username = await ui.prompt({
    label: 'User name:',
    hint: 'Used to sign in.',
    check: text =>
      library.users.byName(text.trim()) === null
        ? checkOf('username')(text)
        : `There is already a user '${text.trim()}'.`,
  })
  if (username === null) return
  const name = await ui.prompt({ label: 'Display name:', value: username, check: checkOf('name') })
  if (name === null) return
  const password = await promptPassword(ui, `Password of ${username}:`)
  if (password === null) return
  const role = await ui.choose({
    title: `What may ${username} do?`,
    choices: [
      { id: 'user', key: 'u', label: 'User', about: 'sees the collections of the groups' },
      { id: 'admin', key: 'a', label: 'Global admin', about: 'may do everything' },
    ],
  })
  if (role === null) return
  const checked = registration.safeParse({
    username,
    name,
    email: localEmail(username),
    password,
    // A PIN shows hidden items, so this one is random and nobody knows it; users set their own in the profile.
    unlockPin: crypto.randomUUID().slice(0, 4),
  })
  if (!checked.success) throw new Failure('invalid', reasonOf(checked.error))
  await library.users.create(viewer, { ...checked.data, globalAdmin: role === 'admin' })
  ui.notice(`Made ${role === 'admin' ? 'the global admin' : 'the user'} ${username}.`)
}

export function Accounts({ width, height }: { width: number; height: number }): ReactElement {
  const ui = useUi()
  const { client } = ui.session
  const { value, error, reload } = useLive(() => client.users.list(), isUserEvent)
  const list = useRows(value ?? [], Math.max(1, height - 1), idOf)
  const key = keysFor(ui, list.here, reload)
  const bindings: Binding[] = [
    ...list.keys,
    keysFor(ui, true)('n', 'new', 'create an account', () => createAccount(ui).then(reload)),
    key('p', 'password', 'set a password; ends the sessions, signs out devices and scripts', async one => {
      const { id, username } = one
      const password = await promptPassword(ui, `New password of ${username}:`)
      if (password === null) return
      await client.users.reset({ params: { id }, body: { password } })
      return `The password of ${username} is changed; all sessions have ended, devices and scripts are signed out.`
    }),
    key('a', 'admin', 'make it a global admin, or an ordinary user again', async one => {
      const { id, username, globaladmin = false } = one
      const title = globaladmin
        ? `Make ${username} an ordinary user?`
        : `Make ${username} a global admin, who may do everything?`
      if (!(await ui.confirm({ title, yes: 'do it' }))) return
      await client.users.put({ body: { user: { id, globaladmin: !globaladmin } } })
      return `${username} is ${globaladmin ? 'an ordinary user' : 'a global admin'} now.`
    }),
    key('x', list.here?.disabled === true ? 'let in' : 'shut out', 'disable or enable an account', async one => {
      const { id, username, disabled = false } = one
      const title = `Disable ${username}? All sessions end.`
      if (!disabled && !(await ui.confirm({ title, yes: 'shut out' }))) return
      await client.users.disable({ params: { id }, body: { disabled: !disabled } })
      return disabled ? `${username} may sign in again.` : `${username} is disabled.`
    }),
    key('e', 'end sessions', 'end every session of the user, sign out devices and scripts', async one => {
      const { id, username, sessions = 0 } = one
      const title = `End ${plural(sessions, 'session')} of ${username}, and sign out devices and scripts?`
      if (!(await ui.confirm({ title, yes: 'end them' }))) return
      const { ended, tokens } = await client.users.endSessions({ params: { id } })
      const more = tokens === 0 ? '' : ` and signed out ${plural(tokens, 'device or script', 'devices and scripts')}`
      return `Ended ${plural(ended, 'session')} of ${username}${more}.`
    }),
  ]
  useKeys({ title: 'Accounts', bindings }, 'pane')
  const words = value === null ? '' : 'No accounts. n creates one; the first user to register becomes global admin.'
  return <Table columns={accountColumns} {...list} width={width} empty={error ?? words} />
}
