/** A scan that stopped for safety: what happened, what was left unchanged, and what the user can do. */
import { Unplug } from 'lucide-react'
import { useState } from 'react'
import type { Collection } from '../../../schema/api/collections.ts'
import { scanCollection } from '../../app/collections.ts'
import { checkServer } from '../../app/loading/recovery.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
import { SafetyFilesDialog } from './safety-files.tsx'

function ConfirmMissing({ of, items, onClose }: { of: Collection; items: number; onClose: () => void }) {
  const accept = async () => {
    const started = await scanCollection(of.id, { acceptMissing: true })
    if (started) checkServer()
    return started
  }
  const title = collectionsTexts.markItemsMissing({ count: items })
  return (
    <Confirm title={title} action={title} onConfirm={accept} onClose={onClose}>
      <p>{collectionsTexts.willLeaveTheGallery({ count: items, name: <b className="font-semibold">{of.name}</b> })}</p>
    </Confirm>
  )
}

export function SafetyStop({ of, onScan }: { of: Collection; onScan: () => void }) {
  const [asking, setAsking] = useState(false)
  const [showing, setShowing] = useState(false)
  if (of.safetyStop === null) return null
  const { reason, items } = of.safetyStop
  return (
    <div className="notice mb-4" role="alert">
      <Unplug size={20} aria-hidden="true" />
      <div className="min-w-0">
        <p className="font-semibold">
          {items > 0
            ? collectionsTexts.scanStoppedFor({ count: items, name: of.name })
            : collectionsTexts.scanStopped({ name: of.name })}
        </p>
        <p className="soft mt-1 text-pretty">{collectionsTexts.everyTagIsKept({ reason })}</p>
        <div className="flex flex-wrap gap-2 mt-3">
          <Button look="quiet" small className="text-sm" text={baseTexts.scanAgain} onClick={onScan} />
          {items > 0 && (
            <Button
              look="ghost"
              small
              className="text-sm"
              text={collectionsTexts.showTheFiles}
              onClick={() => setShowing(true)}
            />
          )}
          {items > 0 && (
            <Button
              look="ghost"
              small
              className="text-sm text-error"
              text={collectionsTexts.markItemsMissing({ count: items })}
              onClick={() => setAsking(true)}
            />
          )}
        </div>
      </div>
      {showing && <SafetyFilesDialog of={of} onClose={() => setShowing(false)} />}
      {asking && <ConfirmMissing of={of} items={items} onClose={() => setAsking(false)} />}
    </div>
  )
}
