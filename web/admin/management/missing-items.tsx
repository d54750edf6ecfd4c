/** Tab Missing Items: items whose file is gone from the disk, and forgetting them. */
import { useSignals } from '@preact/signals-react/runtime'
import { FileQuestionMark, X } from 'lucide-react'
import { plural } from '../../../schema/figures.ts'
import { shortDate } from '../../kit/dates.ts'
import { Empty } from '../../kit/empty.tsx'
import { removeGone, removeMissing } from './gone-items.ts'
import { GoneTable } from './gone-table.tsx'
import { useGone } from './use-gone.ts'

export function MissingItems() {
  useSignals()
  const gone = useGone('missing')
  const { shown, collection } = gone
  const total = shown?.total ?? 0
  return (
    <GoneTable
      gone={gone}
      caption="Missing Items"
      said={
        <>
          <span aria-live="polite">{plural(total, 'item')}.</span>{' '}
          {total === 1
            ? 'Its file is gone from the disk; a scan that finds it again brings it back.'
            : 'Their files are gone from the disk; a scan that finds them again brings them back.'}
        </>
      }
      columns={[
        {
          name: 'taken',
          head: 'Taken',
          width: 140,
          cell: item => <span className="soft">{shortDate(item.taken)}</span>,
        },
      ]}
      actionsWidth={60}
      endAll={{
        icon: X,
        text: 'Remove all',
        words: `${collection === 0 ? '' : `Those of ${gone.nameOf(collection)}. `}Their tags are forgotten. An item whose file is back is shown again instead.`,
        act: () => removeMissing(collection),
      }}
      endOne={item => ({
        icon: X,
        text: 'Remove',
        name: item.path,
        words: 'Its tags are forgotten. If its file is back, it is shown again instead.',
        act: () => removeGone('missing', item),
      })}
      empty={
        <Empty icon={FileQuestionMark} title="No missing items">
          Items whose file is gone from the disk are listed here.
        </Empty>
      }
    />
  )
}
