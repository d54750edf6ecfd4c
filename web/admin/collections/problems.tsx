/** Files that could not be read or shown, and why. */
import { useSignals } from '@preact/signals-react/runtime'
import type { Collection } from '../../../schema/api/collections.ts'
import { problems } from '../../app/jobs/jobs.ts'
import { momentText } from '../../kit/dates.ts'
import { Modal } from '../../kit/layers/modal.tsx'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
import { serverMessage } from '../../texts/language/server-message.ts'

export function ProblemsDialog({ collection, onClose }: { collection: Collection | null; onClose: () => void }) {
  useSignals()
  const listed = (problems.value ?? []).filter(one => one.collection_id === collection?.id)
  return (
    <Modal
      title={collectionsTexts.problemsIn({ name: collection?.name ?? baseTexts.theLibrary })}
      onClose={onClose}
      width={720}
    >
      <div className="px-6 pb-6 pt-1">
        <p className="soft">{collectionsTexts.problemsHint}</p>
        <ul className="mt-4 divide-y divide-base-content/10">
          {listed.map(one => (
            <li key={one.id} className="py-2.5">
              <p className="font-mono text-xs break-all" dir="auto">
                {one.path}
              </p>
              <p className="text-xs soft mt-1">
                {serverMessage(one.reason)} · {momentText(new Date(one.at).toISOString())}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </Modal>
  )
}
