/** The access of a collection. Changes are staged: Save applies them, Cancel drops them. */
import { useSignals } from '@preact/signals-react/runtime'
import { CircleAlert, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Collection } from '../../../schema/api/collections.ts'
import { say } from '../../app/messages.ts'
import { Button } from '../../kit/button.tsx'
import { Menu } from '../../kit/layers/menu.tsx'
import { Modal } from '../../kit/layers/modal.tsx'
import { useSlow } from '../../kit/time/use-slow.ts'
import { useBusy } from '../../kit/use-busy.ts'
import { listText } from '../../kit/words.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
import { accounts, loadAccounts } from '../accounts.ts'
import {
  accessCalls,
  accessChangeCount,
  type DraftGroup,
  draftFaults,
  isRemovable,
  positionsOf,
} from './access-draft.ts'
import { AccessGroup } from './access-group.tsx'
import {
  type AttachableGroup,
  attachableGroups,
  loadAccess,
  loadAttachable,
  loadLooseGroups,
  otherCollectionsOf,
  saveAccess,
} from './access-state.ts'

const rectOf = (element: Element) => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x, y, width, height }
}

/** The group's name, with the collections that the group already opens, except those that the name contains. */
function attachableName({ group, of }: AttachableGroup): string {
  if (of.length === 0) return collectionsTexts.notUsedYet({ name: group.name })
  const rest = of.filter(name => !group.name.includes(name))
  return rest.length === 0 ? group.name : `${group.name} (${listText(rest)})`
}

function useDraft(of: Collection, onClose: () => void) {
  const [before, setBefore] = useState<readonly DraftGroup[] | null>(null)
  const [after, setAfter] = useState<readonly DraftGroup[]>([])
  const createdCount = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft starts from the state at opening time
  useEffect(() => {
    void loadAccess(of).then(groups => {
      if (groups === null) return onClose()
      setBefore(groups)
      setAfter(groups)
    })
    void loadAccounts()
    void loadLooseGroups()
  }, [])
  const createDraftGroup = (): DraftGroup => ({
    key: `new ${++createdCount.current}`,
    id: null,
    name: collectionsTexts.nextGroupName({ name: of.name, number: after.length + 1 }),
    admin: false,
    public: false,
    view: true,
    create: false,
    update: false,
    members: [],
    place: null,
  })
  return {
    before,
    after,
    change: (key: string, change: Partial<DraftGroup>) =>
      setAfter(groups => groups.map(group => (group.key === key ? { ...group, ...change } : group))),
    remove: (key: string) => setAfter(groups => groups.filter(group => group.key !== key)),
    add: () => setAfter(groups => [...groups, createDraftGroup()]),
    attach: (group: DraftGroup) => {
      setBefore(groups => [...(groups ?? []).filter(({ key }) => key !== group.key), group])
      setAfter(groups => [...groups, group])
    },
    rebase: (rest: { before: readonly DraftGroup[]; after: readonly DraftGroup[] }) => {
      setBefore(rest.before)
      setAfter(rest.after)
    },
  }
}

/** Adds a new group or, if other groups can be attached, offers the choice. */
function AddGroup({
  of,
  draft,
  onNew,
  onAttach,
}: {
  of: Collection
  draft: readonly DraftGroup[]
  onNew: () => void
  onAttach: (group: DraftGroup) => void
}) {
  useSignals()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const others = attachableGroups(of, draft)
  return (
    <>
      <Button
        look="ghost"
        small
        className="-ms-3 text-sm"
        icon={Plus}
        text={collectionsTexts.addGroup}
        ref={button}
        aria-haspopup={others.length > 0 ? 'menu' : undefined}
        onClick={() => (others.length > 0 ? setOpen(true) : onNew())}
      />
      {open && button.current !== null && (
        <Menu
          label={collectionsTexts.addGroup}
          at={rectOf(button.current)}
          onClose={() => setOpen(false)}
          entries={[
            { text: collectionsTexts.newGroup, act: onNew },
            ...others.map(other => ({
              text: attachableName(other),
              act: () => void loadAttachable(other).then(group => group !== null && onAttach(group)),
            })),
          ]}
        />
      )}
    </>
  )
}

export function AccessDialog({ of, onClose }: { of: Collection; onClose: () => void }) {
  useSignals()
  const draft = useDraft(of, onClose)
  const { before, after } = draft
  const { busy, run } = useBusy()
  const slow = useSlow(before === null)
  const faults = draftFaults(before ?? [], after)
  // One error is enough to explain why nothing can be saved.
  const fault = Object.values(faults)[0]
  const places = positionsOf(before ?? [], after)
  const changes = before === null ? 0 : accessChangeCount(accessCalls(before, after))
  const save = async () => {
    if (before === null) return
    const rest = await saveAccess(of.id, before, after)
    if (rest !== null) return draft.rebase(rest)
    say(collectionsTexts.accessToIsSaved({ name: of.name }))
    onClose()
  }
  return (
    <Modal title={collectionsTexts.accessTo({ name: of.name })} onClose={onClose} width={600} busy={busy}>
      <div className="px-6 pt-1 pb-4" aria-busy={before === null}>
        <p className="soft text-pretty pb-3">{collectionsTexts.accessHint}</p>
        {before === null ? (
          <div className="h-72">{slow && <p className="soft">{adminTexts.loading}</p>}</div>
        ) : (
          <>
            {after.map(group => (
              <AccessGroup
                key={group.key}
                group={group}
                place={places.get(group.key) ?? after.length}
                accounts={accounts.value}
                fault={faults[group.key] ?? ''}
                otherCollections={otherCollectionsOf(of.id, group.id)}
                removable={isRemovable(after, group.key)}
                onChange={change => draft.change(group.key, change)}
                onRemove={() => draft.remove(group.key)}
              />
            ))}
            <div className="border-t hair pt-3">
              <AddGroup of={of} draft={after} onNew={draft.add} onAttach={draft.attach} />
            </div>
          </>
        )}
      </div>
      <footer className="dialog-foot">
        <p
          className={`me-auto text-xs flex items-center gap-1.5 ${fault === undefined ? 'soft' : 'text-error'}`}
          aria-live="polite"
        >
          {fault !== undefined && <CircleAlert size={14} aria-hidden="true" />}
          {fault ?? (changes === 0 ? '' : baseTexts.changeCount({ count: changes }))}
        </p>
        <Button look="ghost" text={baseTexts.cancel} onClick={onClose} />
        <Button
          look="primary"
          text={baseTexts.save}
          disabled={changes === 0 || busy || Object.keys(faults).length > 0}
          onClick={() => void run(save)}
        />
      </footer>
    </Modal>
  )
}
