/** The files that a stopped scan did not find; the user decides whether they are gone. */
import { useSignals } from '@preact/signals-react/runtime'
import { useEffect } from 'react'
import type { Collection } from '../../../schema/api/collections.ts'
import { Button } from '../../kit/button.tsx'
import { Modal } from '../../kit/layers/modal.tsx'
import { TryAgain } from '../../kit/try-again.tsx'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
import { loadSafetyFiles, safetyFiles, safetyFilesFailed } from './safety-files-state.ts'

export function SafetyFilesDialog({ of, onClose }: { of: Collection; onClose: () => void }) {
  useSignals()
  useEffect(() => {
    safetyFiles.value = null
    void loadSafetyFiles(of.id)
  }, [of.id])
  const shown = safetyFiles.value?.collection === of.id ? safetyFiles.value : null
  const rest = shown === null ? 0 : shown.total - shown.files.length
  return (
    <Modal title={collectionsTexts.lostFilesOf({ name: of.name })} onClose={onClose} width={720}>
      <div className="px-6 pb-6 pt-1" aria-busy={shown === null}>
        <p className="soft">
          {shown !== null
            ? collectionsTexts.lostFiles({ count: shown.total })
            : safetyFilesFailed.value
              ? baseTexts.unableToLoadCollection
              : adminTexts.loading}
        </p>
        <ul className="mt-4 divide-y divide-base-content/10">
          {shown?.files.map(file => (
            <li key={file.item} className="py-2 flex gap-4 items-baseline">
              <p className="font-mono text-xs break-all grow" dir="auto">
                {file.path}
              </p>
              <p className="text-xs soft shrink-0">{file.taken_at.slice(0, 10)}</p>
            </li>
          ))}
        </ul>
        {safetyFilesFailed.value ? (
          <TryAgain className="btn btn-quiet mt-4" again={how => loadSafetyFiles(of.id, how)} />
        ) : (
          rest > 0 && (
            <Button
              look="quiet"
              small
              className="mt-4"
              text={collectionsTexts.showMore({ number: Math.min(100, rest) })}
              onClick={() => void loadSafetyFiles(of.id)}
            />
          )
        )}
      </div>
    </Modal>
  )
}
