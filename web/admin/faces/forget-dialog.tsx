/** Asks whose faces to forget: everybody’s, or one person’s. */
import { useSignals } from '@preact/signals-react/runtime'
import { X } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../kit/icon-button.tsx'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { Segmented } from '../../kit/segmented.tsx'
import { adminTexts } from '../../texts/admin.ts'
import { peopleTexts } from '../../texts/people.ts'
import { forgetFacesOf, type PersonChoice } from './face-naming.ts'
import { PersonField } from './person-field.tsx'

export function ForgetDialog({ onClose }: { onClose: () => void }) {
  useSignals()
  const [whose, setWhose] = useState<'one' | 'all'>('one')
  const [who, setWho] = useState<PersonChoice | null>(null)
  const isReady = whose === 'all' || who !== null
  return (
    <Confirm
      title={peopleTexts.forgetFacesTitle}
      action={
        whose === 'all'
          ? peopleTexts.forgetAll
          : who === null
            ? adminTexts.forget
            : peopleTexts.forget({ name: who.name })
      }
      disabled={!isReady}
      onClose={onClose}
      onConfirm={() => forgetFacesOf(whose === 'all' ? null : who)}
    >
      <div className="grid gap-4">
        <Segmented
          label={peopleTexts.whose}
          value={whose}
          choices={['one', 'all']}
          text={one => (one === 'one' ? peopleTexts.onePerson : adminTexts.everybody)}
          onChange={setWhose}
        />
        {whose === 'one' &&
          (who === null ? (
            <PersonField
              label={peopleTexts.person}
              placeholder={peopleTexts.whoIsToBeForgotten}
              allowsNew={false}
              onPick={setWho}
            />
          ) : (
            <p className="flex items-center gap-2 min-h-10">
              <b className="font-semibold truncate" dir="auto">
                {who.name}
              </b>
              <IconButton icon={X} size={18} aria-label={adminTexts.somebodyElse} onClick={() => setWho(null)} />
            </p>
          ))}
        <p>{whose === 'all' ? peopleTexts.forgetAllHint : peopleTexts.forgetPersonHint}</p>
        <p className="soft text-xs">{peopleTexts.forgetHint}</p>
      </div>
    </Confirm>
  )
}
