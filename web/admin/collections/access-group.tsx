/** One group of the access dialog: its name, its rights, its members. */
import { useSignals } from '@preact/signals-react/runtime'
import { CircleAlert, Trash2, UserPlus, X } from 'lucide-react'
import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { IconButton } from '../../kit/icon-button.tsx'
import { listText } from '../../kit/words.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
import { checkboxState, type DraftGroup, flags, usernameFault } from './access-draft.ts'

const flagText = {
  admin: collectionsTexts.adminRight,
  public: collectionsTexts.public,
  view: collectionsTexts.viewRight,
  create: collectionsTexts.createRight,
  update: collectionsTexts.updateRight,
} as const

interface AccountName {
  username: string
  name: string
}

function Members({
  group,
  accounts,
  onChange,
}: {
  group: DraftGroup
  accounts: readonly AccountName[] | null
  onChange: (members: readonly string[]) => void
}) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState('')
  const { members } = group
  if (members === null) return null
  const add = (event: SyntheticEvent) => {
    event.preventDefault()
    const wrong = usernameFault(typed, group, accounts?.map(({ username }) => username) ?? null)
    setFault(wrong)
    if (wrong !== '') return
    onChange([...members, typed.trim()])
    setTyped('')
  }
  // All members of an existing group that will be attached get access, so their number and full names are shown.
  const isBeingAttached = group.id !== null && group.place === null
  const left = accounts?.filter(({ username }) => !members.includes(username)) ?? []
  return (
    <>
      {isBeingAttached && members.length > 0 && (
        <p className="pt-2">{collectionsTexts.willGetRights({ count: members.length })}</p>
      )}
      <ul className="access-members" aria-label={collectionsTexts.membersOf({ name: group.name })}>
        {members.map(username => {
          const name = accounts?.find(account => account.username === username)?.name ?? ''
          return (
            <li key={username} className="chip" title={name === '' ? username : `${name} (${username})`}>
              <span className="truncate">{isBeingAttached && name !== '' ? `${name} (${username})` : username}</span>
              <button
                type="button"
                aria-label={collectionsTexts.removeFrom({ username, name: group.name })}
                onClick={() => onChange(members.filter(one => one !== username))}
              >
                <X size={14} />
              </button>
            </li>
          )
        })}
        {members.length === 0 && <li className="soft text-xs py-1">{collectionsTexts.nobodyIsInItYet}</li>}
      </ul>
      <form onSubmit={add} className="grid gap-1">
        <div className="access-add">
          <input
            className={`input grow ${fault === '' ? '' : 'input-error'}`}
            aria-label={collectionsTexts.usernameToAddTo({ name: group.name })}
            placeholder={baseTexts.username}
            list={`${id}-names`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={fault !== ''}
            aria-describedby={`${id}-fault`}
            value={typed}
            onChange={event => {
              setTyped(event.target.value)
              setFault('')
            }}
          />
          <datalist id={`${id}-names`}>
            {left.map(({ username, name }) => (
              <option key={username} value={username}>
                {name}
              </option>
            ))}
          </datalist>
          <Button
            type="submit"
            look="ghost"
            small
            className="text-sm"
            icon={UserPlus}
            text={adminTexts.add}
            disabled={typed.trim() === ''}
          />
        </div>
        <p id={`${id}-fault`} className="text-xs text-error flex items-center gap-1.5" role="alert">
          {fault !== '' && <CircleAlert size={14} aria-hidden="true" />}
          {fault}
        </p>
      </form>
    </>
  )
}

export function AccessGroup({
  group,
  place,
  accounts,
  fault,
  otherCollections,
  removable,
  onChange,
  onRemove,
}: {
  group: DraftGroup
  place: number
  accounts: readonly AccountName[] | null
  /** '' when there is no error. */
  fault: string
  /** Other collections that the group opens. */
  otherCollections: readonly string[]
  removable: boolean
  onChange: (change: Partial<DraftGroup>) => void
  onRemove: () => void
}) {
  useSignals()
  const id = useId()
  const isReadOnly = group.members === null
  const name = useRef<HTMLInputElement>(null)
  const isNew = group.id === null
  useEffect(() => {
    if (isNew) name.current?.select()
  }, [isNew])
  return (
    <section className="access-group" aria-label={group.name}>
      <div className="flex items-center gap-2 min-w-0">
        <input
          ref={name}
          className="access-name"
          aria-label={collectionsTexts.nameOfTheGroup}
          dir="auto"
          value={group.name}
          disabled={isReadOnly}
          aria-invalid={fault !== ''}
          aria-describedby={`${id}-fault`}
          onChange={event => onChange({ name: event.target.value })}
        />
        <IconButton
          icon={Trash2}
          size={18}
          aria-label={collectionsTexts.removeTheGroup({ name: group.name })}
          title={removable ? collectionsTexts.removeThisGroup : collectionsTexts.atLeastOneAdmin}
          className="-me-2"
          disabled={!removable}
          onClick={onRemove}
        />
      </div>
      {otherCollections.length > 0 && (
        <p className="soft text-xs">{collectionsTexts.alsoOpens({ list: listText(otherCollections) })}</p>
      )}
      {isReadOnly && <p className="soft text-xs">{collectionsTexts.onlyItsAdminsChange}</p>}
      <fieldset className="access-boxes" aria-label={collectionsTexts.whatAllows({ name: group.name })}>
        {flags.map(flag => {
          const { checked, reason } = checkboxState(group, flag, place)
          return (
            <label key={flag} title={reason === '' ? undefined : reason}>
              <input
                type="checkbox"
                className="checkbox checkbox-sm"
                checked={checked}
                disabled={reason !== ''}
                aria-describedby={reason === '' ? undefined : `${id}-${flag}`}
                onChange={event => onChange({ [flag]: event.target.checked })}
              />
              {flagText[flag]}
              {reason !== '' && (
                <span id={`${id}-${flag}`} className="sr-only">
                  {reason}
                </span>
              )}
            </label>
          )
        })}
      </fieldset>
      <p id={`${id}-fault`} className="text-xs text-error empty:hidden" role="alert">
        {fault}
      </p>
      <Members group={group} accounts={accounts} onChange={members => onChange({ members })} />
    </section>
  )
}
