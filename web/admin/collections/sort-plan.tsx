/** The plan of a sort, shown before it runs. */
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import type { Collection } from '../../../schema/api/collections.ts'
import { checkServer } from '../../app/loading/recovery.ts'
import { Button } from '../../kit/button.tsx'
import { Modal } from '../../kit/layers/modal.tsx'
import { Segmented } from '../../kit/segmented.tsx'
import { Switch } from '../../kit/switch.tsx'
import { useRun } from '../../kit/time/use-run.ts'
import { useSlow } from '../../kit/time/use-slow.ts'
import { useBusy } from '../../kit/use-busy.ts'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
import { type SortPlan, sortCollection, sortPlanOf } from './collection-work.ts'

/** Number of lines that are shown at first, and that each press of the button adds. */
const linesPerStep = 200

const Path = ({ path, soft = false }: { path: string; soft?: boolean }) => (
  <span className={`font-mono truncate-front ${soft ? 'soft' : ''}`} title={path}>
    <bdi>{path}</bdi>
  </span>
)

function summaryOf({ moves, stays }: SortPlan): string {
  if (moves.length === 0 && stays.length === 0) return collectionsTexts.everyFileInPlace
  const going =
    moves.length === 0
      ? collectionsTexts.nothingWouldBeMoved
      : collectionsTexts.itemsWouldBeMoved({ count: moves.length })
  if (stays.length === 0) return `${going}.`
  return collectionsTexts.wouldStay({ going, count: stays.length })
}

function PlanLines({ plan, which }: { plan: SortPlan; which: 'moves' | 'stays' }) {
  const [maxLines, setMaxLines] = useState(linesPerStep)
  const total = plan[which].length
  return (
    <section
      className="plan-list"
      aria-label={which === 'moves' ? collectionsTexts.moves : collectionsTexts.stays}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the scrollable list must be reachable by keyboard
      tabIndex={0}
    >
      <ul>
        {which === 'moves'
          ? plan.moves.slice(0, maxLines).map(({ item, from, to }) => (
              <li key={item}>
                <Path path={from} soft />
                <ArrowRight size={14} className="soft" aria-label={collectionsTexts.to} />
                <Path path={to} />
              </li>
            ))
          : plan.stays.slice(0, maxLines).map(({ item, from, reason }) => (
              <li key={item}>
                <Path path={from} />
                <span />
                <span className="soft">{reason}</span>
              </li>
            ))}
      </ul>
      {total > maxLines && (
        <Button
          look="ghost"
          small
          className="my-2"
          text={collectionsTexts.showMoreOf({ number: Math.min(linesPerStep, total - maxLines), total })}
          onClick={() => setMaxLines(maxLines + linesPerStep)}
        />
      )}
    </section>
  )
}

export function SortDialog({ of, onClose }: { of: Collection; onClose: () => void }) {
  const [guess, setGuess] = useState(false)
  const [plan, setPlan] = useState<{ guess: boolean; plan: SortPlan } | null>(null)
  const [chosenList, setChosenList] = useState<'moves' | 'stays'>('moves')
  const { busy, run } = useBusy()
  useRun(
    async signal => {
      const found = await sortPlanOf(of.id, { guess })
      if (signal.aborted) return
      if (found === null) onClose()
      else setPlan({ guess, plan: found })
    },
    [of.id, guess],
  )
  const waiting = plan === null || plan.guess !== guess
  const slow = useSlow(waiting)
  const loaded = plan?.plan ?? null
  const shownList =
    loaded !== null && loaded[chosenList].length === 0 ? (chosenList === 'moves' ? 'stays' : 'moves') : chosenList
  const moving = waiting ? 0 : (loaded?.moves.length ?? 0)
  const sort = async () => {
    if (!(await sortCollection(of.id, { guess }))) return
    checkServer()
    onClose()
  }
  return (
    <Modal title={collectionsTexts.sortWithName({ name: of.name })} onClose={onClose} width={720}>
      <div className="px-6 pt-2 pb-4 grid grid-cols-[minmax(0,1fr)] gap-3" aria-busy={waiting}>
        <p className="min-h-5" aria-live="polite">
          {loaded === null || waiting ? (slow ? collectionsTexts.planningTheSort : '') : summaryOf(loaded)}
        </p>
        <Switch
          label={collectionsTexts.guessDates}
          hint={collectionsTexts.guessDatesHint}
          checked={guess}
          onChange={setGuess}
        />
        {loaded !== null && loaded.moves.length > 0 && loaded.stays.length > 0 && (
          <Segmented
            label={baseTexts.show}
            choices={['moves', 'stays'] as const}
            value={shownList}
            onChange={setChosenList}
            text={choice =>
              choice === 'moves'
                ? collectionsTexts.movesCount({ count: loaded.moves.length })
                : collectionsTexts.staysCount({ count: loaded.stays.length })
            }
          />
        )}
        {loaded === null ? (
          <div className="plan-list" />
        ) : (
          <PlanLines key={shownList} plan={loaded} which={shownList} />
        )}
        <p className="text-xs soft">{collectionsTexts.sortHint}</p>
      </div>
      <footer className="dialog-foot justify-end">
        <Button look="ghost" text={baseTexts.cancel} onClick={onClose} />
        <Button
          look="primary"
          text={moving === 0 ? collectionsTexts.sortNow : collectionsTexts.sortItems({ count: moving })}
          disabled={moving === 0 || busy}
          onClick={() => void run(sort)}
        />
      </footer>
    </Modal>
  )
}
