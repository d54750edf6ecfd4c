/** Users, for global admins: accounts, roles, and actions on them. */

import { useSignals } from '@preact/signals-react/runtime'
import { Ban, CircleCheck, KeyRound, LogOut, ShieldCheck, ShieldMinus, ShieldPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Account } from '../../../schema/api/users.ts'
import { figure } from '../../../schema/figures.ts'
import { compareNames } from '../../../schema/locale.ts'
import { globalAdmin, user } from '../../app/session.ts'
import { dayOf } from '../../kit/dates.ts'
import { Empty } from '../../kit/empty.tsx'
import { Confirm } from '../../kit/layers/confirm.tsx'
import type { MenuEntry } from '../../kit/layers/menu.tsx'
import { type Column, DataTable } from '../../kit/table/data-table.tsx'
import { usersTexts } from '../../texts/admin/users.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import {
  accounts,
  accountsFailed,
  endSessions,
  loadAccounts,
  setDisabled,
  setGlobalAdmin,
  subscribeToAccounts,
} from '../accounts.ts'
import { ResetDialog } from './reset-user.tsx'

const pageSize = 50

type UserAction = 'disable' | 'admin' | 'reset' | 'sessions'

function Name({ account }: { account: Account }) {
  useSignals()
  return (
    <span className="block min-w-0 py-1">
      <span className="flex items-center gap-2 min-w-0">
        <span className="truncate font-semibold" title={account.username}>
          <bdi>{account.username}</bdi>
        </span>
        {account.id === user.value?.id && <span className="soft text-xs">{usersTexts.you}</span>}
      </span>
      {account.name !== account.username && (
        <span className="block truncate text-xs soft" title={account.name}>
          <bdi>{account.name}</bdi>
        </span>
      )}
    </span>
  )
}

function State({ account }: { account: Account }) {
  if (account.disabled === true) {
    return (
      <span className="inline-flex items-center gap-2 text-warning">
        <Ban size={16} aria-hidden="true" />
        {usersTexts.disabled}
      </span>
    )
  }
  const Icon = account.globaladmin === true ? ShieldCheck : CircleCheck
  return (
    <span className="inline-flex items-center gap-2 soft whitespace-nowrap">
      <Icon size={16} aria-hidden="true" />
      {account.globaladmin === true ? usersTexts.globalAdmin : usersTexts.active}
    </span>
  )
}

const columns: Column<Account>[] = [
  {
    name: 'name',
    head: usersTexts.user,
    compare: (a, b) => compareNames(a.username, b.username),
    cell: account => <Name account={account} />,
  },
  {
    name: 'email',
    head: baseTexts.email,
    drops: 2,
    cell: ({ email = '' }) => (
      <span className="block truncate soft" title={email}>
        {email}
      </span>
    ),
  },
  { name: 'state', head: adminTexts.state, width: 152, card: 'plain', cell: account => <State account={account} /> },
  {
    name: 'sessions',
    head: usersTexts.sessions,
    width: 104,
    align: 'end',
    drops: 3,
    compare: (a, b) => (a.sessions ?? 0) - (b.sessions ?? 0),
    cell: ({ sessions = 0 }) => figure(sessions),
  },
  {
    name: 'created',
    head: usersTexts.since,
    width: 184,
    drops: 1,
    compare: (a, b) => (a.created ?? 0) - (b.created ?? 0),
    cell: ({ created = 0 }) => (
      <span className="soft">{created === 0 ? '' : dayOf(new Date(created * 1000).toISOString().slice(0, 10))}</span>
    ),
  },
]

function entriesFor(account: Account, ask: (what: UserAction) => void): MenuEntry[] {
  const isOwn = account.id === user.value?.id
  const entries: (MenuEntry | false)[] = [
    // Administrators change their own password in the profile, which asks for the present one.
    !isOwn && { text: usersTexts.resetPassword, icon: KeyRound, act: () => ask('reset') },
    // Also offered without a session, because devices and scripts are signed out, too.
    { text: usersTexts.endSessions, icon: LogOut, act: () => ask('sessions') },
    account.globaladmin === true
      ? { text: usersTexts.removeGlobalAdmin, icon: ShieldMinus, act: () => ask('admin') }
      : account.disabled !== true && { text: usersTexts.makeGlobalAdmin, icon: ShieldPlus, act: () => ask('admin') },
    account.disabled === true
      ? { text: usersTexts.enable, icon: CircleCheck, act: () => void setDisabled(account, false) }
      : !isOwn && { text: usersTexts.disable, icon: Ban, danger: true, act: () => ask('disable') },
  ]
  return entries.filter(entry => entry !== false)
}

function Confirmation({ account, what, onClose }: { account: Account; what: UserAction; onClose: () => void }) {
  useSignals()
  const name = <b className="font-semibold break-words">{account.username}</b>
  if (what === 'reset') return <ResetDialog account={account} onClose={onClose} />
  if (what === 'disable') {
    return (
      <Confirm
        title={usersTexts.disable}
        action={usersTexts.disable}
        onClose={onClose}
        onConfirm={() => setDisabled(account, true)}
      >
        <p>{usersTexts.disableQuestion({ name })}</p>
        <p className="soft text-xs mt-1">{usersTexts.disableHint}</p>
      </Confirm>
    )
  }
  if (what === 'sessions') {
    return (
      <Confirm
        title={usersTexts.endSessions}
        action={usersTexts.endSessions}
        onClose={onClose}
        onConfirm={() => endSessions(account)}
      >
        <p>
          {account.sessions === 0
            ? usersTexts.endAllSessionsQuestion({ name })
            : usersTexts.endSessionsQuestion({ count: account.sessions ?? 0, name })}
        </p>
        <p className="soft text-xs mt-1">
          {usersTexts.endSessionsHint} {account.id === user.value?.id && usersTexts.soDoesThisBrowser}
        </p>
      </Confirm>
    )
  }
  const isAdmin = account.globaladmin === true
  return (
    <Confirm
      title={isAdmin ? usersTexts.removeGlobalAdmin : usersTexts.makeGlobalAdmin}
      action={isAdmin ? baseTexts.remove : usersTexts.makeGlobalAdmin}
      danger={isAdmin}
      onClose={onClose}
      onConfirm={() => setGlobalAdmin(account, !isAdmin)}
    >
      <p>{isAdmin ? usersTexts.removeAdminQuestion({ name }) : usersTexts.makeAdminQuestion({ name })}</p>
      <p className="soft text-xs mt-1">{usersTexts.makeGlobalAdminHint}</p>
    </Confirm>
  )
}

export function Users() {
  useSignals()
  const [pending, setPending] = useState<{ account: Account; what: UserAction } | null>(null)
  const admin = globalAdmin.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on whether the user is a global admin
  useEffect(() => {
    if (admin) return subscribeToAccounts()
  }, [admin])
  if (!admin) {
    return <Empty title={baseTexts.users}>{usersTexts.onlyGlobalAdmin}</Empty>
  }
  const loaded = accounts.value
  return (
    <div className="page-screen">
      <header className="admin-head pt-0!">
        <h1 className="text-xl font-semibold">{baseTexts.users}</h1>
        {loaded !== null && <p className="soft">{usersTexts.accountCount({ count: loaded.length })}</p>}
      </header>
      <DataTable
        caption={baseTexts.users}
        columns={columns}
        rows={loaded ?? []}
        keyOf={({ id }) => id}
        nameOf={({ username }) => username}
        menu={account => entriesFor(account, what => setPending({ account, what }))}
        empty={usersTexts.noUsers}
        loading={loaded === null && !accountsFailed.value}
        {...(loaded === null && accountsFailed.value ? { onRetry: loadAccounts } : {})}
        pageSize={pageSize}
      />
      {pending !== null && <Confirmation {...pending} onClose={() => setPending(null)} />}
    </div>
  )
}
