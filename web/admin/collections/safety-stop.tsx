/** A scan that stopped for safety: what happened, what was not touched, what can be done. */
import { Unplug } from 'lucide-react'
import { useState } from 'react'
import type { Collection } from '../../../schema/api/collections.ts'
import { figure, plural } from '../../../schema/figures.ts'
import { scanCollection } from '../../app/collections.ts'
import { checkServer } from '../../app/loading/recovery.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { SafetyFilesDialog } from './safety-files.tsx'

function Accept({ of, items, onClose }: { of: Collection; items: number; onClose: () => void }) {
  const accept = async () => {
    const started = await scanCollection(of.id, { acceptMissing: true })
    if (started) checkServer()
    return started
  }
  const title = `Mark ${plural(items, 'item')} missing`
  return (
    <Confirm title={title} action={title} onConfirm={accept} onClose={onClose}>
      <p>
        {items === 1 ? 'One item' : `${figure(items)} items`} of <b className="font-semibold">{of.name}</b> will leave
        the gallery. Their tags are kept, and they come back when their files do.
      </p>
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
          The scan of {of.name} stopped
          {items > 0 && `: ${items === 1 ? 'an item was' : `${figure(items)} items were`} not there`}.
        </p>
        <p className="soft mt-1 text-pretty">{reason} Every tag is kept.</p>
        <div className="flex flex-wrap gap-2 mt-3">
          <Button look="quiet" small className="text-sm" text="Scan again" onClick={onScan} />
          {items > 0 && (
            <Button look="ghost" small className="text-sm" text="Show the files" onClick={() => setShowing(true)} />
          )}
          {items > 0 && (
            <Button
              look="ghost"
              small
              className="text-sm text-error"
              text={`Mark ${plural(items, 'item')} missing`}
              onClick={() => setAsking(true)}
            />
          )}
        </div>
      </div>
      {showing && <SafetyFilesDialog of={of} onClose={() => setShowing(false)} />}
      {asking && <Accept of={of} items={items} onClose={() => setAsking(false)} />}
    </div>
  )
}
