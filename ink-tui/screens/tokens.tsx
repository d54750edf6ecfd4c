/** Tokens: lists and revokes those of scripts and devices; issues those of scripts, whose secret is shown once. */
import { type ReactElement, useState } from 'react'
import type { Calls } from '../../schema/api/calls.ts'
import type { OutputOf } from '../../schema/api/contract.ts'
import type { Binding } from '../keys.ts'
import type { Line } from '../line.ts'
import { isUserEvent, useLive } from '../live.ts'
import { keysFor } from '../parts/keys-for.ts'
import { idOf, useRows } from '../parts/list.ts'
import { Row, Rows } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { dayAndTime, safe, wrap } from '../text.ts'
import { type Ui, useKeys, useUi } from '../ui.ts'
import { nameCheck } from './people.tsx'

type IssuedToken = OutputOf<Calls['tokens']['issued']>[number]

function timeText(seconds: number | null, never: string): string {
  return seconds === null ? never : dayAndTime(seconds * 1000, Date.now())
}

const columns: Column<IssuedToken>[] = [
  { id: 'name', title: 'token', width: 'rest', least: 14, cell: ({ name }) => name },
  { id: 'id', title: 'no', width: 4, cell: ({ id }) => String(id) },
  { id: 'type', title: 'for', width: 12, cell: ({ type }) => (type === 'api' ? 'scripts' : 'a television') },
  { id: 'username', title: 'acts as', width: 14, cell: ({ username }) => username },
  { id: 'created', title: 'made', width: 17, drop: 2, style: 'dim', cell: ({ created }) => timeText(created, '') },
  {
    id: 'expires',
    title: 'good until',
    width: 17,
    drop: 1,
    cell: ({ expires }) =>
      expires !== null && expires * 1000 < Date.now()
        ? { text: 'expired', style: 'amber' }
        : expires === null
          ? { text: 'no end date', style: 'dim' }
          : new Date(expires * 1000).toISOString().slice(0, 10),
  },
  { id: 'used', title: 'last used', width: 17, drop: 3, cell: ({ used }) => timeText(used, 'never') },
]

const lengths = [
  { id: '30', key: '1', label: '30 days' },
  { id: '90', key: '2', label: '90 days' },
  { id: '365', key: '3', label: 'a year' },
  { id: '0', key: '0', label: 'until it is revoked' },
] as const

interface Secret {
  token: string
  name: string
  username: string
}

/** Asks for a user, a name and an expiry, and issues the token; null if cancelled. */
async function issue(ui: Ui): Promise<Secret | null> {
  const { library, viewer, client } = ui.session
  const users = (await client.users.list()).filter(({ disabled }) => disabled !== true)
  if (users.length === 0) {
    ui.notice('There is no user yet for a token to act as. See: Users and access')
    return null
  }
  const username = await ui.choose({
    title: 'Which user does the token act as?',
    choices: users.map(one => ({ id: one.username, label: one.username, about: one.name })),
  })
  if (username === null) return null
  const name = await ui.prompt({
    label: 'Name of the token:',
    value: 'script',
    hint: 'To recognise it later: backup, photo frame, laptop.',
    check: nameCheck,
  })
  if (name === null) return null
  const days = await ui.choose({ title: 'How long is it valid?', choices: lengths })
  if (days === null) return null
  const expiresAt = days === '0' ? null : Math.floor(library.clock.now() / 1000) + Number(days) * 86_400
  const { token } = await library.tokens.issueApi(viewer, { username, name: name.trim(), expiresAt })
  return { token, name: name.trim(), username }
}

/** The complete secret, on as many lines as necessary; blank lines are dropped if there is no room. */
function secretLines({ token, name, username }: Secret, width: number, height: number): Line[] {
  const wrapSafely = (text: string) => wrap(safe(text), width - 2)
  const lines: Line[] = [
    [],
    ...wrapSafely(`The secret of '${name}', which acts as ${username}:`).map(
      (text): Line => [' ', { text, style: 'bold' }],
    ),
    [],
    ...wrap(token, width - 4).map((text): Line => ['   ', text]),
    [],
    ...wrapSafely('It is not stored and is not shown again.').map((text): Line => [' ', { text, style: 'amber' }]),
  ]
  return lines.length < height ? lines : lines.filter(line => line.length > 0)
}

export function Tokens({ width, height }: ScreenProps): ReactElement {
  const ui = useUi()
  const { client } = ui.session
  const [secret, setSecret] = useState<Secret | null>(null)
  const { value, error, reload } = useLive(() => client.tokens.issued(), isUserEvent)
  const shown = secret === null ? [] : secretLines(secret, width, height - 1)
  const list = useRows(value ?? [], Math.max(1, height - 1 - shown.length), idOf)
  const key = keysFor(ui, ui)
  const bindings: Binding[] = [
    ...list.keys,
    key('n', 'issue', 'create a token that acts as a user; its secret is shown once', async () => {
      const made = await issue(ui)
      if (made === null) return
      setSecret(made)
      reload()
    }),
    keysFor(ui, list.here, reload)('d delete', 'revoke', 'revoke the token at once', async one => {
      const { id, name, username } = one
      const title = `Revoke '${name}' of ${username}? It stops working at once.`
      if (!(await ui.confirm({ title, yes: 'revoke' }))) return
      await client.tokens.revoke({ params: { id } })
      return `'${name}' of ${username} is revoked.`
    }),
  ]
  useKeys({ title: 'Tokens', bindings })
  const secretKey = keysFor(ui, secret)
  const ofSecret = [
    secretKey('y', 'copy', 'copy the secret', ({ token }) => copySecret(ui, token)),
    secretKey('esc enter q', 'done', 'close; the secret is not shown again', () => setSecret(null)),
  ]
  useKeys({ title: 'The new token', bindings: ofSecret }, 'pane', secret !== null)
  return (
    <>
      <Table
        columns={columns}
        {...list}
        width={width}
        isCursorHidden={secret !== null}
        empty={error ?? (value === null ? '' : 'No tokens. n makes one for scripts, or for --server.')}
      />
      {secret === null ? <Row line={[]} width={width} /> : <Rows lines={shown} width={width} />}
    </>
  )
}

/** Copies the secret to the clipboard. The notice replaces the one of `ui.copy`, which contains the secret. */
function copySecret(ui: Ui, token: string) {
  ui.copy(token)
  ui.notice('Copied the secret.')
}
