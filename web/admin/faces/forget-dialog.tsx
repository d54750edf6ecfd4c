/** Asks whose faces to forget: everybody’s, or one person’s. */
import { useSignals } from '@preact/signals-react/runtime'
import { X } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../kit/icon-button.tsx'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { Segmented } from '../../kit/segmented.tsx'
import { forgetLooks, type Who } from './face-naming.ts'
import { PersonField } from './person-field.tsx'

export function ForgetDialog({ onClose }: { onClose: () => void }) {
  useSignals()
  const [whose, setWhose] = useState<'one' | 'all'>('one')
  const [who, setWho] = useState<Who | null>(null)
  const isReady = whose === 'all' || who !== null
  return (
    <Confirm
      title="Forget faces"
      action={whose === 'all' ? 'Forget all' : who === null ? 'Forget' : `Forget ${who.name}`}
      disabled={!isReady}
      onClose={onClose}
      onConfirm={() => forgetLooks(whose === 'all' ? null : who)}
    >
      <div className="grid gap-4">
        <Segmented
          label="Whose"
          value={whose}
          choices={['one', 'all']}
          text={one => (one === 'one' ? 'One person' : 'Everybody')}
          onChange={setWhose}
        />
        {whose === 'one' &&
          (who === null ? (
            <PersonField label="Person" placeholder="Who is to be forgotten?" anybodyNew={false} onPick={setWho} />
          ) : (
            <p className="flex items-center gap-2 min-h-10">
              <b className="font-semibold truncate" dir="auto">
                {who.name}
              </b>
              <IconButton icon={X} size={18} aria-label="Somebody else" onClick={() => setWho(null)} />
            </p>
          ))}
        <p>
          {whose === 'all'
            ? 'The library forgets what every face looks like, and the groups with them. Nobody is suggested any more until faces are looked for and named again.'
            : 'The library forgets what this person looks like, and suggests nobody by it any more.'}
        </p>
        <p className="soft text-xs">Names and boxes on pictures stay. It cannot be undone.</p>
      </div>
    </Confirm>
  )
}
