/** Transfer Items: moves the selected items and their files into another collection. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowRight } from 'lucide-react'
import { useId } from 'react'
import { collections, ownCollections } from '../../app/collections.ts'
import { filter, setFilter } from '../../app/current-filter.ts'
import { UntilCollections } from '../../app/loading/until-collections.tsx'
import { signedIn } from '../../app/session.ts'
import { selected } from '../../items/selection/selection.ts'
import { Button } from '../../kit/button.tsx'
import { namedChoices, Select } from '../../kit/form/select.tsx'
import { ProgressBar } from '../../kit/progress-bar.tsx'
import { baseTexts } from '../../texts/base.ts'
import { filesTexts } from '../../texts/files.ts'
import { ItemTable, useItemTable } from '../item-table.tsx'
import { ItemTableFoot } from '../item-table-foot.tsx'
import {
  destination,
  destinationId,
  destinations,
  startTransfer,
  stopTransfer,
  transferFault,
  transferPageSize,
  transferRun,
} from './transfer-state.ts'

function From() {
  useSignals()
  const id = useId()
  return (
    <div className="field min-w-0">
      <span>
        <label htmlFor={id}>{filesTexts.from}</label>
      </span>
      <Select
        id={id}
        value={filter.value.collection}
        choices={[{ value: 0, text: filesTexts.all }, ...namedChoices(ownCollections.value)]}
        onChoose={chosen => setFilter({ collection: Number(chosen) })}
      />
    </div>
  )
}

function To() {
  useSignals()
  const id = useId()
  return (
    <div className="field min-w-0">
      <span>
        <label htmlFor={id}>{filesTexts.to}</label>
      </span>
      <Select
        id={id}
        value={destination.value?.id ?? ''}
        choices={[
          { value: '', text: filesTexts.chooseACollection },
          ...namedChoices(destinations.value).map(one => ({ ...one, disabled: one.value === filter.value.collection })),
        ]}
        onChoose={chosen => {
          destinationId.value = chosen === '' ? null : Number(chosen)
        }}
      />
    </div>
  )
}

/** The consequences, or what is missing; during the run, its progress. */
function Start() {
  useSignals()
  const hint = useId()
  const run = transferRun.value
  if (run !== null) {
    const title = filesTexts.movingItemsTo({ into: run.into })
    return (
      <div className="transfer-run">
        <p role="status" className="min-w-0 truncate">
          {run.stopping ? baseTexts.stopping : title}
          <span className="soft"> · {baseTexts.doneOfTotal({ done: run.done, total: run.total })}</span>
        </p>
        <ProgressBar className="grow" label={title} done={run.done} total={run.total} />
        <Button
          look="ghost"
          text={baseTexts.cancel}
          disabled={run.job === null || run.stopping}
          onClick={stopTransfer}
        />
      </div>
    )
  }
  const fault = transferFault.value
  return (
    <div className="flex items-center gap-4 flex-wrap">
      <Button
        look="primary"
        text={filesTexts.transfer}
        disabled={fault !== ''}
        aria-describedby={hint}
        onClick={() => void startTransfer()}
      />
      <p id={hint} className="soft min-w-0" dir="auto">
        {fault === ''
          ? filesTexts.itemsMove({ count: selected.value.size, name: destination.value?.name ?? '' })
          : fault}
      </p>
    </div>
  )
}

export function TransferItems() {
  useSignals()
  useItemTable(() => transferPageSize.value)
  if (!signedIn.value) return null
  if (collections.value === null) return <UntilCollections />
  return (
    <div className="item-screen">
      <div className="item-screen-scroll">
        <header className="admin-head">
          <h1 className="text-xl font-semibold">{baseTexts.transferItems}</h1>
        </header>
        <div className="transfer-form">
          <From />
          <ArrowRight size={20} className="soft mb-2.5 max-sm:hidden" aria-hidden="true" />
          <To />
        </div>
        <div className="transfer-start">
          <Start />
        </div>
        <ItemTable />
      </div>
      <ItemTableFoot />
    </div>
  )
}
